import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { type GatewayServer, parseSent, readAnswer, bodyOf, startGateway } from "../testing/gateway-server.ts";

function post(server: GatewayServer, body: RequestInit["body"], headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/echo`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: body ?? null,
  });
}

function toBytes(text: string, encoding: BufferEncoding): Uint8Array {
  return Buffer.from(text, encoding);
}

/** The beginning of a request to the echo route. */
function head(server: GatewayServer, ...lines: readonly string[]): string {
  const first = ["POST /api/echo HTTP/1.1", `Host: 127.0.0.1:${server.port}`, "Content-Type: application/json"];
  return `${[...first, ...lines].join("\r\n")}\r\n\r\n`;
}

test("a body in UTF-8 is read, with or without a byte order mark", async () => {
  await using server = await startGateway();
  for (const body of [
    '{"query":"grüß 💡"}',
    '\uFEFF{"query":"grüß 💡"}',
    ' {"query" : "gr\\u00fc\\u00df \\ud83d\\udca1"} ',
  ]) {
    assert.deepEqual(await (await post(server, body)).json(), { query: "grüß 💡" });
  }
});

test("what is wrong with a body has its own code, and every problem its field", async () => {
  await using server = await startGateway();
  const missing = { field: "query", message: "is missing" };
  const twice = "is given more than once";
  const table: readonly (readonly [string | Uint8Array, string, readonly unknown[]])[] = [
    ["", "invalid_json", []],
    ["{", "invalid_json", []],
    ['{"query":"a"} x', "invalid_json", []],
    ["{'query':'a'}", "invalid_json", []],
    ['{"query":NaN}', "invalid_json", []],
    [Buffer.from([0x7b, 0xff, 0x7d]), "invalid_utf8", []],
    [toBytes('{"query":"\xed\xa0\x80"}', "latin1"), "invalid_utf8", []],
    [toBytes('{"query":"\xc0\x80"}', "latin1"), "invalid_utf8", []],
    [toBytes('{"query":"a"}', "utf16le"), "invalid_json", []],
    ['{"query":"a","query":"b"}', "invalid", [{ field: "query", message: twice }]],
    ['{"query":"a","extra":{"x":[{"y":1,"\\u0079":2}]}}', "invalid", [{ field: "extra.x.0.y", message: twice }]],
    [
      `{"query":"a","x":${"[".repeat(64)}`,
      "invalid",
      [{ field: "x.0.0.0.…", message: "is nested deeper than 64 levels" }],
    ],
    ["[]", "invalid", [{ field: "", message: "must be an object, not a list" }]],
    ["null", "invalid", [{ field: "", message: "must be an object, not null" }]],
    ["{}", "invalid", [missing]],
    ['{"__proto__":{"query":"a"}}', "invalid", [missing]],
    ['{"constructor":{"prototype":{"query":"a"}}}', "invalid", [missing]],
    [
      '{"query":"\\ud800","history":[{"role":"user","content":1},{"role":"root","content":"\\u0000"}],"session_id":"a b"}',
      "invalid",
      [
        { field: "query", message: "half a surrogate pair (U+D800) at character 1 is not allowed" },
        { field: "history.0.content", message: "must be a text, not 1" },
        { field: "history.1.role", message: 'must be user, assistant or system, not "root"' },
        { field: "history.1.content", message: "NUL (U+0000) at character 1 is not allowed" },
        { field: "session_id", message: "must be 1 to 128 of the characters a-z, A-Z, 0-9, _ and -" },
      ],
    ],
  ];
  for (const [body, code, problems] of table) {
    const answer = await post(server, Buffer.from(body));
    const sent = await bodyOf(answer);
    assert.deepEqual([answer.status, sent.code, sent.problems], [400, code, problems], String(body).slice(0, 80));
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
  }
});

test("unknown fields are left out, and __proto__ changes nobody", async () => {
  await using server = await startGateway();
  const answer = await post(
    server,
    '{"query":"a","admin":true,"__proto__":{"polluted":1},"extra":{"__proto__":{"polluted":1}}}',
  );
  assert.equal(await answer.text(), '{"query":"a","extra":{"__proto__":{"polluted":1}}}');
  assert.equal("polluted" in {}, false);
});

test("the message about broken JSON tells the place and repeats nothing", async () => {
  await using server = await startGateway();
  const { detail } = await bodyOf(await post(server, '{"query": hunter2}'));
  assert.equal(detail, "The body is not JSON: see character 11.");
  assert.equal((await bodyOf(await post(server, '{"query":"a",}'))).detail, "The body is not JSON: see character 14.");
});

test("only application/json in UTF-8 is read", async () => {
  await using server = await startGateway();
  const right = [
    "application/json",
    "Application/JSON",
    "application/json; charset=utf-8",
    'application/json;charset="UTF-8"',
  ];
  for (const type of right)
    assert.equal((await post(server, '{"query":"a"}', { "Content-Type": type })).status, 200, type);
  const wrong = [
    "text/plain",
    "text/json",
    "application/jsonp",
    "application/json; charset=latin1",
    "application/problem+json",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "*/*",
    "application/json, text/plain",
  ];
  for (const type of wrong) {
    const answer = await post(server, '{"query":"a"}', { "Content-Type": type });
    assert.deepEqual([answer.status, (await bodyOf(answer)).code], [415, "unsupported_media_type"], type);
    assert.equal(answer.headers.get("accept"), "application/json");
  }
  const none = await server.raw(
    head(server, "Content-Length: 2").replace("Content-Type: application/json\r\n", ""),
    "{}",
  );
  assert.equal(none.status, 415);
  const empty = await server.raw(head(server, "Content-Length: 2").replace("application/json", ""), "{}");
  const missing = { field: "Content-Type", message: "is missing: it must be application/json" };
  assert.deepEqual(parseSent(empty.body).problems, [missing]);
});

test("a compressed body is refused unread, so that it cannot be a bomb", async () => {
  await using server = await startGateway();
  const json = Buffer.from(`{"query":"${"a".repeat(50_000_000)}"}`);
  const packed = {
    gzip: gzipSync(json),
    deflate: deflateSync(json),
    br: brotliCompressSync(json.subarray(0, 1_000)),
    zstd: json.subarray(0, 9),
  };
  for (const [encoding, body] of Object.entries(packed)) {
    const answer = await post(server, body, { "Content-Encoding": encoding });
    assert.deepEqual([answer.status, (await bodyOf(answer)).code], [415, "unsupported_encoding"]);
    assert.equal(answer.headers.get("accept-encoding"), "identity");
  }
  assert.equal((await post(server, '{"query":"a"}', { "Content-Encoding": "identity" })).status, 200);
});

test("a body that says it is too large is refused before any of it is sent", async () => {
  await using server = await startGateway({ maxBytes: 1_000 });
  const answer = await server.raw(head(server, "Content-Length: 1001"));
  assert.deepEqual([answer.status, parseSent(answer.body).code], [413, "too_large"]);
  const largest = `{"query":"${"a".repeat(1_000 - 12)}"}`;
  assert.equal((await post(server, largest)).status, 200);
});

test("a body that never says how large it is is refused as soon as it is too large", async () => {
  await using server = await startGateway({ maxBytes: 1_000 });
  const answer = await server.raw(head(server, "Transfer-Encoding: chunked"), `400\r\n${" ".repeat(1_024)}\r\n`);
  assert.deepEqual([answer.status, parseSent(answer.body).code], [413, "too_large"]);
});

test("8 MiB are read and not a byte more, where nothing else is said", async () => {
  await using server = await startGateway();
  const pad = (bytes: number) => `{"query":"a"${" ".repeat(bytes - 13)}}`;
  assert.equal((await post(server, pad(8 * 1_024 * 1_024))).status, 200);
  assert.equal((await post(server, pad(8 * 1_024 * 1_024 + 1))).status, 413);
});

test("a client that keeps sending after a refusal still reads it, and the connection serves the next request", async () => {
  await using server = await startGateway({ maxBytes: 1_000 });
  const chunk = `400\r\n${" ".repeat(1_024)}\r\n`;
  const table = [
    [head(server, "Content-Length: 300000"), " ".repeat(300_000)],
    [`${head(server, "Transfer-Encoding: chunked")}${chunk}`, `${chunk.repeat(300)}0\r\n\r\n`],
  ] as const;
  for (const [first, rest] of table) {
    const socket = await server.connect();
    socket.write(first);
    assert.equal((await readAnswer(socket)).status, 413);
    socket.write(`${rest}GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    assert.equal((await readAnswer(socket)).body, "ok");
    socket.destroy();
  }
});

test("a client that leaves in the middle of its body harms nobody", async () => {
  await using server = await startGateway();
  const socket = await server.connect();
  socket.write(`${head(server, "Content-Length: 100")}{"query"`);
  await new Promise(setImmediate);
  socket.destroy();
  await once(socket, "close");
  assert.equal((await post(server, '{"query":"a"}')).status, 200);
  assert.deepEqual(server.reported, []);
});

test("a hostile body of 8 MiB costs its reading, not more", async () => {
  await using server = await startGateway();
  const size = 8 * 1_024 * 1_024 - 100;
  const bodies = [
    `{"query":"a","history":[${"1,".repeat(size / 2 - 30)}1]}`,
    `{"query":"a","history":${"[],".repeat(size / 3 - 30)}`,
    `{"query":"a",${'"a":1,'.repeat(size / 6 - 10)}"b":1}`,
    `{"query":"${"\\u0000".repeat(size / 6 - 10)}"}`,
    "[".repeat(size),
    '"\\'.repeat(size / 2),
  ];
  for (const body of bodies) {
    const answer = await post(server, body);
    assert.equal(answer.status, 400);
    assert.ok((await answer.text()).length < 20_000);
  }
});
