import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { createHttpServer } from "./http-server.ts";
import { parseSent, startGateway } from "./testing/gateway-server.ts";

test("what is no request is answered as a problem and the connection ends", async () => {
  await using server = await startGateway();
  const length = "Content-Length: 5\r\n";
  const table = [
    ["HELLO\r\n\r\n", 400, "invalid_request"],
    ["GET /a b HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "invalid_request"],
    [new TextEncoder().encode("GET /api/query?q=é HTTP/1.1\r\nHost: localhost\r\n\r\n"), 400, "invalid_request"],
    ["FOO / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400, "invalid_request"],
    ["GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400, "invalid_request"],
    ["GET / HTTP/1.1\r\nHost: localhost\r\nX: a\0b\r\n\r\n", 400, "invalid_request"],
    [`POST / HTTP/1.1\r\nHost: localhost\r\n${length}${length}\r\nhello`, 400, "invalid_request"],
    [
      `POST / HTTP/1.1\r\nHost: localhost\r\n${length}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      "invalid_request",
    ],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"a".repeat(200_000)}\r\n\r\n`, 431, "headers_too_large"],
  ] as const;
  for (const [bytes, status, code] of table) {
    const answer = await server.raw(bytes);
    assert.deepEqual([answer.status, parseSent(answer.body).code], [status, code], String(bytes).slice(0, 60));
    assert.equal(answer.headers.get("connection"), "close");
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/);
  }
  assert.deepEqual(server.reported, []);
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
