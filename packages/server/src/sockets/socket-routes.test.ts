import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { RELAY } from "../testing/crews.ts";
import { TestKeys } from "../testing/test-keys.ts";
import { startTestServer, type TestServerOptions } from "../testing/test-server.ts";
import { SocketClient, rawUpgrade } from "./testing/socket-client.ts";

/** A server that needs keys, and one of them. */
async function startKeyed(scopes: readonly ("run" | "read")[] = ["run", "read"], options: TestServerOptions = {}) {
  const keys = new TestKeys();
  const { key, record } = await keys.ring.create("acme", scopes);
  const server = await startTestServer([RELAY], { database: keys.database, ...options });
  return { server, ring: keys.ring, key, record, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("a request that cannot become a WebSocket is refused before the upgrade, as problem+json", async () => {
  await using server = await startTestServer([RELAY]);
  const cases: readonly [Record<string, string | undefined>, number, string][] = [
    [{ Upgrade: undefined, Connection: undefined }, 426, "upgrade_required"],
    [{ Upgrade: "h2c" }, 426, "upgrade_required"],
    [{ "Sec-WebSocket-Version": "8" }, 426, "upgrade_required"],
    [{ "Sec-WebSocket-Version": undefined }, 426, "upgrade_required"],
    [{ "Sec-WebSocket-Protocol": undefined }, 400, "invalid"],
    [{ "Sec-WebSocket-Protocol": "graphql-ws" }, 400, "invalid"],
    [{ "Sec-WebSocket-Protocol": "baton.v1, baton.v1" }, 400, "invalid"],
    [{ "Sec-WebSocket-Key": "short" }, 400, "invalid"],
    [{ path: "/api/ws?key=bt_1" }, 400, "invalid"],
    [{ path: "/api/ws?access_token=x" }, 400, "invalid"],
    [{ path: "/api/ws?ticket=x" }, 400, "invalid"],
    [{ Host: "evil.example" }, 403, "host_not_allowed"],
    [{ Origin: "https://evil.example" }, 403, "origin_not_allowed"],
  ];
  for (const [headers, status, code] of cases) {
    const answer = await rawUpgrade(server.url, headers);
    assert.equal(answer.status, status, JSON.stringify(headers));
    assert.equal(answer.headers.get("content-type"), "application/problem+json");
    assert.match(answer.body, new RegExp(`"code":"${code}"`));
    if (status === 426) assert.equal(answer.headers.get("sec-websocket-version"), "13");
    if (status === 426) assert.equal(answer.headers.get("upgrade"), "websocket");
  }
  assert.equal((await rawUpgrade(server.url)).status, 101);
  const offered = await rawUpgrade(server.url, { "Sec-WebSocket-Protocol": "other, baton.v1" });
  assert.equal(offered.headers.get("sec-websocket-protocol"), "baton.v1");
  assert.equal(offered.headers.get("sec-websocket-extensions"), undefined);
});

test("an upgrade to another protocol counts as none, and another path is what it always was", async () => {
  await using server = await startTestServer([RELAY]);
  assert.equal((await rawUpgrade(server.url, { path: "/health", Upgrade: "h2c" })).status, 200);
  assert.equal((await rawUpgrade(server.url, { path: "/health" })).status, 200);
  assert.equal((await rawUpgrade(server.url, { path: "/api/runs" })).status, 200);
});

test("a wrong key is refused with 401, a right one is done with, and without one the first message must have it", async () => {
  await using keyed = await startKeyed();
  const { server, key } = keyed;
  assert.equal((await rawUpgrade(server.url, { Authorization: "Bearer bt_wrong" })).status, 401);
  const done = await SocketClient.open(server.url, { Authorization: `Bearer ${key}` });
  assert.deepEqual(done.messages[0], { hello: "baton.v1", auth: "done", ping_s: 30 });
  await done[Symbol.asyncDispose]();
  await using client = await SocketClient.open(server.url);
  assert.equal(client.messages[0]?.["auth"], "needed");
  const { re, ok, tenant, scopes } = await client.ask({ id: "a", op: "auth", key });
  assert.deepEqual({ re, ok, tenant, scopes }, { re: "a", ok: true, tenant: "acme", scopes: ["run", "read"] });
  assert.equal((await client.ask({ id: "p", op: "ping" })).ok, true);
});

test("anything but a right key as the first message closes the socket with 4401", async () => {
  await using keyed = await startKeyed();
  const { server } = keyed;
  const wrong = [
    { id: "a", op: "ping" },
    "nonsense",
    { id: "a", op: "auth", key: "bt_wrong" },
    { id: "a", op: "auth" },
  ];
  for (const message of wrong) {
    await using client = await SocketClient.open(server.url);
    client.send(message);
    assert.equal(await client.closed, 4401, JSON.stringify(message));
  }
});

test("a ticket opens one socket, once", async () => {
  await using keyed = await startKeyed();
  const { server, key } = keyed;
  const answer = await server.post("/api/ws/tickets", {}, { Authorization: `Bearer ${key}` });
  assert.equal(answer.status, 201);
  const { ticket } = z.object({ ticket: z.string() }).parse(await answer.json());
  await using first = await SocketClient.open(server.url);
  assert.equal((await first.ask({ id: "a", op: "auth", ticket })).ok, true);
  assert.equal((await first.ask({ id: "s", op: "start", input: "hi", follow: false })).ok, true);
  await using second = await SocketClient.open(server.url);
  second.send({ id: "a", op: "auth", ticket });
  assert.equal(await second.closed, 4401);
  assert.equal((await server.post("/api/ws/tickets", {})).status, 401);
});

test("the socket of a revoked key is closed with 4401", async () => {
  await using keyed = await startKeyed();
  const { server, ring, key, record } = keyed;
  await using client = await SocketClient.open(server.url, { Authorization: `Bearer ${key}` });
  await ring.revoke(record.id);
  assert.equal(await client.closed, 4401);
});

test("a key without the scope may not do what needs it; the socket stays", async () => {
  await using keyed = await startKeyed(["read"]);
  const { server, key } = keyed;
  await using client = await SocketClient.open(server.url, { Authorization: `Bearer ${key}` });
  const { ok, error } = await client.ask({ id: "s", op: "start", input: "hi" });
  assert.deepEqual([ok, error?.status, error?.code], [false, 403, "missing_scope"]);
  assert.equal((await client.ask({ id: "p", op: "ping" })).ok, true);
});

test("ops count for the rate limits of the key, and a refusal says when to come back", async () => {
  await using keyed = await startKeyed(["run"], { rateLimits: { key: { requests: 3, windowSeconds: 60 } } });
  const { server, key } = keyed;
  await using client = await SocketClient.open(server.url, { Authorization: `Bearer ${key}` });
  const replies = [];
  for (const id of ["1", "2", "3"]) replies.push(await client.ask({ id, op: "ping" }));
  assert.deepEqual(
    replies.map(({ ok }) => ok),
    [true, true, false],
  );
  assert.equal(replies[2]?.error?.code, "rate_limited");
  assert.equal(typeof replies[2]?.error?.["retry_after_s"], "number");
});
