import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { createHttpServer } from "./http-server.ts";
import { parseSent, readAnswer, startGateway } from "./testing/gateway-server.ts";

test("what is no request is answered as a problem and the connection ends", async () => {
  await using server = await startGateway();
  const post = "POST / HTTP/1.1\r\nHost: localhost\r\n";
  const length = "Content-Length: 5\r\n";
  const chunked = "Transfer-Encoding: chunked\r\n";
  const table = [
    ["HELLO\r\n\r\n", 400, "invalid_request", /method/],
    ["FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "invalid_request", /method/],
    ["GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "invalid_request", /first line/],
    ["GET / HTTP/3.0\r\nHost: localhost\r\n\r\n", 400, "invalid_request", /first line/],
    ["PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400, "invalid_request", /HTTP\/1\.1/],
    ["GET /api/query?q=é HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "invalid_target", /percent-encoded/],
    ["GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400, "invalid_request", /header/],
    ["GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", 400, "invalid_request", /header/],
    [`${post}${length}${length}\r\nhello`, 400, "invalid_request", /Content-Length/],
    [`${post}Content-Length: -1\r\n\r\n`, 400, "invalid_request", /Content-Length/],
    [`${post}${chunked}${length}\r\n0\r\n\r\n`, 400, "invalid_request", /Content-Length/],
    [`${post}${length}${chunked}\r\n0\r\n\r\n`, 400, "invalid_request", /Transfer-Encoding/],
    [`${post}Transfer-Encoding: x\r\n\r\n`, 400, "invalid_request", /Transfer-Encoding/],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(200_000)}\r\n\r\n`, 431, "headers_too_large", /139264/],
    [`GET / HTTP/1.1\r\nHost: localhost\r\n${"X: a\r\n".repeat(1_000)}\r\n`, 431, "headers_too_large", /1000 headers/],
    ["CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405, "method_not_allowed", /proxies/],
  ] as const;
  for (const [bytes, status, code, detail] of table) {
    const answer = await server.raw(bytes);
    const sent = parseSent(answer.body);
    assert.deepEqual([answer.status, sent.code], [status, code], bytes.slice(0, 60));
    assert.match(sent.detail ?? "", detail, bytes.slice(0, 60));
    assert.equal(answer.headers.get("connection"), "close");
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  }
  assert.deepEqual(server.reported, []);
});

test("a body that breaks off or is cut in wrong pieces is told so", async () => {
  await using server = await startGateway();
  const head = ["POST /api/echo HTTP/1.1", "Host: localhost", "Content-Type: application/json"].join("\r\n");
  const wrong = await server.raw(`${head}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n`);
  assert.match(parseSent(wrong.body).detail ?? "", /chunk/);
  const zipped = await server.raw(`${head}\r\nTransfer-Encoding: gzip, chunked\r\nConnection: close\r\n\r\n0\r\n\r\n`);
  assert.deepEqual([zipped.status, parseSent(zipped.body).code], [415, "unsupported_encoding"]);
  const socket = await server.connect();
  socket.end(`${head}\r\nContent-Length: 99\r\n\r\n{"query":`);
  const cut = await readAnswer(socket);
  assert.deepEqual([cut.status, parseSent(cut.body).code], [400, "incomplete_body"]);
});

test("requests that were sent before nonsense get their answers first", async () => {
  await using server = await startGateway();
  const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const post = "POST /api/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
  for (const nonsense of ["NONSENSE\r\n\r\n", `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`]) {
    const socket = await server.connect();
    socket.write(`${get("/api/me")}${get("/nowhere")}${nonsense}`);
    let text = "";
    for await (const chunk of socket) text += String(chunk);
    const statuses = Array.from(text.matchAll(/HTTP\/1\.1 ([0-9]+)/g), ([, status]) => status);
    assert.deepEqual(statuses, ["200", "404", "400"]);
  }
});

test("a client that asks for a proxy and is gone at once leaves the server standing", async () => {
  await using server = await startGateway();
  for (let again = 0; again < 20; again++) {
    const socket = await server.connect();
    socket.write("CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\nmore", () => socket.resetAndDestroy());
    await once(socket, "close");
  }
  assert.equal((await fetch(`${server.url}/health`)).status, 200);
});

test("an expectation that is not known is refused, in the form of the path", async () => {
  await using server = await startGateway();
  const expect = (path: string, value: string) =>
    server.raw(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: ${value}\r\nConnection: close\r\n\r\n`);
  const answer = await expect("/api/me", "magic");
  assert.deepEqual([answer.status, answer.headers.get("content-type")], [417, "application/problem+json"]);
  assert.partialDeepStrictEqual(parseSent(answer.body), {
    code: "expectation_failed",
    problems: [{ field: "Expect", message: "must be left out, or 100-continue" }],
  });
  assert.ok(answer.headers.has("x-request-id"));
  assert.match((await expect("/v1/models", "magic")).body, /^\{"error":\{/);
  assert.equal((await expect("/api/me", "100-continue")).status, 200);
});

test("a body that waits to be asked for is asked for only by whoever reads it", async () => {
  await using server = await startGateway();
  const post = async (path: string, body: string, more = "") => {
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${more}`;
    const socket = await server.connect();
    socket.write(`${head}Content-Length: ${body.length}\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`);
    let text = "";
    for await (const chunk of socket) {
      if (text === "" && String(chunk).startsWith("HTTP/1.1 100")) socket.write(body);
      text += String(chunk);
    }
    return Array.from(text.matchAll(/HTTP\/1\.1 ([0-9]+)/g), ([, status]) => status);
  };
  assert.deepEqual(await post("/api/echo", '{"query":"hello"}'), ["100", "200"]);
  assert.deepEqual(await post("/api/echo", "x".repeat(9_000_000)), ["413"]);
  assert.deepEqual(await post("/nowhere", "{}"), ["404"]);
  assert.deepEqual(await post("/api/echo", "{}", "Origin: http://elsewhere\r\n"), ["403"]);
});

test("a client that says its headers or its body too slowly is told so and let go", async () => {
  await using server = await startGateway({ headersTimeoutMs: 100, requestTimeoutMs: 200 });
  const begun = ["POST /api/echo HTTP/1.1", "Host: localhost", "Content-Type: application/json", "Content-Length: 99"];
  for (const bytes of ["GET / HTTP/1.1\r\n", `${begun.join("\r\n")}\r\n\r\n{"query":`]) {
    const answer = await server.raw(bytes);
    assert.deepEqual([answer.status, parseSent(answer.body).code], [408, "request_timeout"]);
  }
  assert.deepEqual(server.reported, []);
});

test("nonsense after a request does not get into the answer that has begun", async () => {
  await using server = await startGateway();
  const socket = await server.connect();
  socket.write("GET /api/endless HTTP/1.1\r\nHost: localhost\r\n\r\n");
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes("data: 1")) break;
  }
  socket.write("\0\0nonsense\r\n\r\n");
  let rest = "";
  socket.on("data", (chunk) => (rest += String(chunk)));
  await once(socket, "close");
  assert.equal(rest, "");
});

test("an app that throws what is no error still answers", async () => {
  const reported: unknown[] = [];
  const thrown: unknown = "a secret";
  const app = {
    fetch: () => {
      throw thrown;
    },
  };
  const server = createHttpServer(app, { report: (error) => reported.push(error) }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const answer = await fetch(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
  const body = await answer.text();
  server.close();
  server.closeAllConnections();
  assert.deepEqual([answer.status, parseSent(body).code, body.includes("secret")], [500, "internal", false]);
  assert.deepEqual(reported, ["a secret"]);
});
