import assert from "node:assert/strict";
import { createServer as createTcpServer } from "node:net";
import { test } from "node:test";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { BatonError } from "@baton/core";
import { Scope, SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { type Answer, FakeServer } from "../../testing/fake-server.ts";
import { type FetchRequest, type GuardOptions, guardedFetch } from "./guarded-fetch.ts";

const newScope = () => Scope.root({ clock: new SystemClock() });
const toRequest = (url: string, more: Partial<FetchRequest> = {}): FetchRequest => ({
  url: new URL(url),
  accepts: ["json"],
  ...more,
});
const local = (options: Partial<GuardOptions> = {}) => guardedFetch({ reach: "loopback", ...options });

/** Fetches one answer of a server. */
async function get(answer: Answer, options: Partial<GuardOptions> = {}, more: Partial<FetchRequest> = {}) {
  await using scope = newScope();
  await using server = await FakeServer.start(answer);
  return await local(options)(toRequest(server.url, more), scope);
}

test("loopback is refused unless it is allowed, and private addresses always are", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const strict = guardedFetch({ reach: "public" });
  const { port } = new URL(server.url);
  for (const host of [
    "127.0.0.1",
    "localhost",
    "127.1",
    "0x7f000001",
    "2130706433",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "0.0.0.0",
    "[::]",
  ]) {
    await assert.rejects(strict(toRequest(`http://${host}:${port}/`), scope), { code: "refused" }, host);
  }
  for (const host of [
    "10.0.0.1",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "[fe80::1]",
    "[fd00::1]",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
    "[64:ff9b::7f00:1]",
  ]) {
    await assert.rejects(local()(toRequest(`http://${host}:${port}/`), scope), { code: "refused" }, host);
  }
  assert.equal(server.requests.length, 0);
});

test("one bad address among those of a host is enough to refuse it", async () => {
  await using scope = newScope();
  for (const addresses of [
    ["93.184.216.34", "10.0.0.1"],
    ["10.0.0.1"],
    ["2606:4700::1", "fd00::1"],
    ["not an address"],
  ]) {
    const fetch = guardedFetch({ reach: "public", resolve: async () => addresses });
    await assert.rejects(fetch(toRequest("https://rebind.test/"), scope), { code: "refused" });
  }
  const nowhere = guardedFetch({ reach: "public", resolve: async () => [] });
  await assert.rejects(nowhere(toRequest("https://nowhere.test/"), scope), { code: "network" });
});

test("a name is resolved once, and the connection goes to what was checked", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const resolved: string[] = [];
  // The second answer would lead elsewhere, as a rebinding name server does.
  const resolve = async (host: string) => {
    resolved.push(host);
    return resolved.length === 1 ? ["127.0.0.1"] : ["127.0.0.2"];
  };
  const { port } = new URL(server.url);
  const answer = await local({ resolve })(toRequest(`http://pinned.test:${port}/`), scope);
  assert.equal(answer.status, 200);
  assert.deepEqual(resolved, ["pinned.test"]);
  assert.equal(server.requests[0]?.headers["host"], `pinned.test:${port}`);
});

test("every redirect is checked again, by its address and its name", async () => {
  await using scope = newScope();
  const targets = [
    "http://169.254.169.254/latest/",
    "http://[::ffff:10.0.0.1]/",
    "http://2852039166/",
    "http://inside.test/",
    "file:///etc/passwd",
    "data:text/plain,x",
  ];
  for (const location of targets) {
    await using server = await FakeServer.start(() => ({ status: 302, headers: { location }, body: "" }));
    const fetch = local({ resolve: async () => ["192.168.0.5"] });
    await assert.rejects(fetch(toRequest(server.url), scope), { code: "refused" }, location);
  }
});

test("three redirects are followed, a fourth is not", async () => {
  const chain =
    (length: number): Answer =>
    ({ path }) => {
      const step = Number(path.slice(1));
      return step < length ? { status: 302, headers: { location: `/${step + 1}` }, body: "" } : { body: "[]" };
    };
  assert.equal((await get(chain(3))).status, 200);
  await assert.rejects(get(chain(4)), { code: "refused", message: /more than 3 times/ });
});

test("keys stay with their origin when a redirect leaves it", async () => {
  await using scope = newScope();
  await using other = await FakeServer.start(() => ({ body: "[]" }));
  await using server = await FakeServer.start(() => ({ status: 302, headers: { location: other.url }, body: "" }));
  const secrets = { apikey: "k", authorization: "Bearer k", "x-mbx-apikey": "k", cookie: "k" };
  await local()(toRequest(server.url, { secrets, headers: { "x-own": "k", "user-agent": "ua" } }), scope);
  assert.equal(server.requests[0]?.headers["apikey"], "k");
  const { host: _host, connection: _connection, ...headers } = other.requests[0]?.headers ?? {};
  assert.deepEqual(headers, { accept: "application/json", "accept-encoding": "gzip, deflate, br", "user-agent": "ua" });
});

test("a key is not sent over plain http to another machine, nor a password in a URL to any", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(() => ({ body: "[]" }));
  const { port } = new URL(server.url);
  const fetch = local({ resolve: async () => ["127.0.0.1"] });
  const request = toRequest(`http://named.test:${port}/`, { secrets: { apikey: "k" } });
  await assert.rejects(fetch(request, scope), { code: "refused", message: /use https/ });
  await assert.rejects(fetch(toRequest(`http://user:pass@127.0.0.1:${port}/`), scope), { code: "refused" });
  assert.equal(server.requests.length, 0);
});

test("every encoding that is asked for is decoded, others are refused", async () => {
  const text = JSON.stringify({ name: "Công ty" });
  const send = (body: Buffer, encoding: string) => get(() => ({ body, headers: { "content-encoding": encoding } }));
  for (const [encoding, body] of [
    ["gzip", gzipSync(text)],
    ["br", brotliCompressSync(text)],
    ["deflate", deflateSync(text)],
    ["deflate", deflateRawSync(text)],
    ["identity", Buffer.from(text)],
  ] as const) {
    assert.equal((await send(body, encoding)).text, text, encoding);
  }
  await assert.rejects(send(Buffer.from(text), "zstd"), { code: "encoding" });
  await assert.rejects(send(gzipSync(gzipSync(text)), "gzip, gzip"), { code: "encoding" });
  await assert.rejects(send(Buffer.from(text), "gzip"), { code: "encoding" });
  await assert.rejects(send(gzipSync(text).subarray(0, -12), "gzip"), { code: "encoding" });
});

test("a body is read up to its limit, before and after it is decompressed", async () => {
  const limits = { maxBytes: 1_000 };
  const fits = `"${"a".repeat(998)}"`;
  assert.equal((await get(() => ({ body: fits }), { limits })).text.length, 1_000);
  await assert.rejects(
    get(() => ({ body: `${fits} ` }), { limits }),
    { code: "too_large" },
  );
  const bombs = [
    ["gzip", gzipSync(Buffer.alloc(50_000_000))],
    ["br", brotliCompressSync(Buffer.alloc(1_000_000))],
    ["deflate", deflateSync(Buffer.alloc(50_000_000))],
  ] as const;
  for (const [encoding, body] of bombs) {
    const roomy = { limits: { maxBytes: 100_000 } };
    await assert.rejects(
      get(() => ({ body, headers: { "content-encoding": encoding } }), roomy),
      { code: "too_large" },
      encoding,
    );
  }
  assert.equal((await get(() => ({ body: `${fits} ` }), { limits }, { maxBytes: 2_000 })).text.length, 1_001);
});

test("a cut body is an error", async () => {
  await assert.rejects(
    get(() => ({ body: "[1,", end: "cut" })),
    { code: "network" },
  );
});

test("HTML never passes for data, whatever its status and content type say", async () => {
  const page = "\n <!DOCTYPE html><p>";
  for (const type of [
    "text/html",
    "TEXT/HTML; charset=x",
    "application/xhtml+xml",
    "application/json",
    "text/csv",
    "text/plain",
  ]) {
    const more = { accepts: ["json", "csv", "text"] } as const;
    await assert.rejects(
      get(() => ({ body: page, headers: { "content-type": type } }), {}, more),
      { code: "content_type" },
      type,
    );
  }
});

test("a content type that was not asked for is an error, its kin is not", async () => {
  const send = (type: string, accepts: FetchRequest["accepts"]) =>
    get(() => ({ body: "1", headers: { "content-type": type } }), {}, { accepts });
  for (const type of ["application/json; charset=utf-8", "application/problem+json", "text/json"])
    assert.equal((await send(type, ["json"])).kind, "json");
  assert.equal((await send("text/csv", ["csv"])).kind, "csv");
  assert.equal((await send("application/xml", ["xml"])).kind, "xml");
  for (const type of ["text/plain", "image/png", "application/octet-stream", ""]) {
    await assert.rejects(send(type, ["json"]), { code: "content_type" }, type);
  }
});

test("a failed status is an answer with its words, whatever its content type", async () => {
  const answer = await get(() => ({ status: 402, body: "Premium", headers: { "content-type": "text/plain" } }));
  assert.deepEqual([answer.status, answer.text], [402, "Premium"]);
  assert.equal((await get(() => ({ status: 404, body: "x".repeat(100_000) }))).text, "");
});

test("text is decoded by its charset, without a byte order mark", async () => {
  const latin = await get(() => ({
    body: Buffer.from([0x22, 0xe9, 0x22]),
    headers: { "content-type": "application/json; charset=iso-8859-1" },
  }));
  assert.equal(latin.text, '"é"');
  assert.equal((await get(() => ({ body: "\ufeff[]" }))).text, "[]");
});

test("a body is posted with its length", async () => {
  await using scope = newScope();
  await using server = await FakeServer.start(({ body }) => ({ body }));
  const answer = await local()(
    toRequest(server.url, { body: '{"q":"Công"}', headers: { "content-type": "application/json" } }),
    scope,
  );
  assert.equal(answer.text, '{"q":"Công"}');
  assert.equal(server.requests[0]?.method, "POST");
});

test("an abort ends the request with the scope's reason and leaves no connection, also in the middle of a body", async () => {
  const answers: readonly Answer[] = [
    () => ({ body: "", end: "hang" }),
    () => ({ body: "[", headers: { "content-length": "1000000" } }),
  ];
  for (const answer of answers) {
    await using root = newScope();
    await using server = await FakeServer.start(answer);
    const scope = root.child({ name: "call" });
    const asked = local()(toRequest(server.url), scope);
    const refused = assert.rejects(asked, { code: "cancelled", message: "stop" });
    await server.seen(1);
    await scope.cancel(new BatonError("cancelled", "stop"));
    await refused;
    await server.idle();
    assert.deepEqual([await server.connections(), root.open], [0, 1]);
  }
});

test("a slow server is left after the time limit of the scope's own clock", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  await using server = await FakeServer.start(() => ({ body: "", end: "hang" }));
  const late = assert.rejects(local()(toRequest(server.url), scope), { code: "timeout", message: /15000 ms/ });
  await server.seen(1);
  await clock.advance(15_000);
  await late;
  await server.idle();
  assert.deepEqual([await server.connections(), clock.pending, scope.open], [0, 0, 0]);
});

test("a resolver that never answers is left after the time limit", async () => {
  const clock = new SimulatedClock(1);
  await using scope = Scope.root({ clock });
  const fetch = local({ resolve: () => new Promise(() => undefined) });
  await assert.rejects(clock.run(fetch(toRequest("http://slow.test/"), scope)), { code: "timeout" });
  assert.equal(clock.pending, 0);
});

test("a host that does not connect is left after the time limit for that", async () => {
  await using scope = newScope();
  // It accepts the connection and never says a word of TLS.
  const server = createTcpServer();
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const sockets: { destroy(): void }[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  const fetch = local({ limits: { connectMs: 20 } });
  await assert.rejects(fetch(toRequest(`https://127.0.0.1:${port}/`), scope), {
    code: "timeout",
    message: /did not connect within 20 ms/,
  });
  for (const socket of sockets) socket.destroy();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

test("nobody listening is a network error", async () => {
  await using scope = newScope();
  const server = await FakeServer.start(() => ({ body: "[]" }));
  await server[Symbol.asyncDispose]();
  await assert.rejects(local()(toRequest(server.url), scope), { code: "network" });
});
