import assert from "node:assert/strict";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryIdempotencyStore } from "./idempotency.ts";
import { type GatewayServer, sentOf, startGateway } from "./testing/gateway-server.ts";

const ANSWER = { status: 200, headers: [], body: "x".repeat(10) };

interface Sending {
  readonly key?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function post(server: GatewayServer, { key, query = "hello", headers = {} }: Sending) {
  return fetch(`${server.url}/api/work`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key !== undefined && { "Idempotency-Key": key }), ...headers },
    body: JSON.stringify({ query }),
  });
}

test("the same key and body give the first answer, with its status and headers, and work is done once", async () => {
  await using server = await startGateway();
  const first = await post(server, { key: "k" });
  const again = await post(server, { key: "k", headers: { "X-Request-Id": "second" } });
  assert.deepEqual([first.status, again.status], [202, 202]);
  assert.equal(await again.text(), await first.text());
  assert.equal(again.headers.get("x-run-id"), "run-1");
  assert.deepEqual(
    [first, again].map(({ headers }) => headers.get("idempotency-replayed")),
    [null, "true"],
  );
  assert.equal(again.headers.get("x-request-id"), "second");
  assert.equal(server.worked(), 1);
});

test("fields nobody reads make no other body", async () => {
  await using server = await startGateway();
  const send = (body: string) =>
    fetch(`${server.url}/api/work`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "Idempotency-Key": "k" },
      body,
    });
  await send('{"query":"a","session_id":"s"}');
  assert.equal((await send('{ "session_id":"s", "unknown": 1, "query":"a" }')).status, 202);
  assert.equal(server.worked(), 1);
});

test("without a key each request is done; another key is another request", async () => {
  await using server = await startGateway();
  for (const sending of [{}, {}, { key: "a" }, { key: "b" }]) await post(server, sending);
  assert.equal(server.worked(), 4);
});

test("another body under the same key is 422", async () => {
  await using server = await startGateway();
  await post(server, { key: "k" });
  const other = await post(server, { key: "k", query: "bye" });
  assert.deepEqual([other.status, (await sentOf(other)).code], [422, "idempotency_mismatch"]);
});

test("while the first is being made the key is taken", async () => {
  await using server = await startGateway();
  const first = post(server, { key: "k", query: "slow" });
  while (server.worked() === 0) await new Promise(setImmediate);
  const again = await post(server, { key: "k", query: "slow" });
  assert.deepEqual([again.status, (await sentOf(again)).code], [409, "idempotency_in_flight"]);
  assert.equal(again.headers.get("retry-after"), "1");
  const other = await post(server, { key: "k", query: "bye" });
  assert.equal(other.status, 422);
  server.release();
  assert.equal((await first).status, 202);
  assert.equal((await post(server, { key: "k", query: "slow" })).status, 202);
  assert.equal(server.worked(), 1);
});

test("a fault of the server is kept, for nobody knows what it did, and is reported once", async () => {
  await using server = await startGateway();
  const [first, again] = [
    await post(server, { key: "k", query: "broken" }),
    await post(server, { key: "k", query: "broken" }),
  ];
  assert.deepEqual([first.status, again.status], [500, 500]);
  assert.equal(await again.text(), await first.text());
  assert.deepEqual([server.worked(), server.reported.length], [1, 1]);
});

test("what is not valid takes no key", async () => {
  await using server = await startGateway();
  assert.equal((await post(server, { key: "k", query: "" })).status, 400);
  assert.equal((await post(server, { key: "k" })).status, 202);
});

test("keys of two tenants are two keys", async () => {
  await using server = await startGateway();
  const [one, two] = [await server.keys.create("one", ["run"]), await server.keys.create("two", ["run"])];
  for (const { key } of [one, two]) await post(server, { key: "k", headers: { Authorization: `Bearer ${key}` } });
  assert.equal(server.worked(), 2);
});

test("a key is 1 to 255 visible characters", async () => {
  await using server = await startGateway();
  assert.equal((await post(server, { key: "~".repeat(255) })).status, 202);
  for (const key of ["", "a b", "x".repeat(256), "é", "a\tb"]) {
    const answer = await post(server, { key });
    assert.equal(answer.status, 400);
    assert.deepEqual((await sentOf(answer)).problems, [
      { field: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" },
    ]);
  }
});

test("an answer is kept for 24 hours", async () => {
  const clock = new SimulatedClock(1);
  const store = new MemoryIdempotencyStore({ clock });
  assert.deepEqual(await store.begin("k", "f"), { type: "new" });
  await store.finish("k", ANSWER);
  await clock.advance(24 * 3_600_000 - 1);
  assert.deepEqual(await store.begin("k", "f"), { type: "done", fingerprint: "f", answer: ANSWER });
  await clock.advance(1);
  assert.deepEqual(await store.begin("k", "f"), { type: "new" });
});

test("memory is bounded: the oldest answers go first, none that is being made", async () => {
  const store = new MemoryIdempotencyStore({ clock: new SimulatedClock(1), maxKeys: 100, maxChars: 300 });
  await store.begin("open", "f");
  for (let index = 0; index < 1_000; index++) {
    await store.begin(`k${index}`, "f");
    await store.finish(`k${index}`, ANSWER);
    assert.ok(store.size <= 101);
  }
  assert.equal(store.size, 31);
  assert.equal((await store.begin("open", "f")).type, "running");
  assert.equal((await store.begin("k999", "f")).type, "done");
});

test("where all keys are being used there is no room for another", async () => {
  const store = new MemoryIdempotencyStore({ clock: new SimulatedClock(1), maxKeys: 1 });
  await store.begin("a", "f");
  await assert.rejects(store.begin("b", "f"), { code: "busy" });
  await store.forget("a");
  assert.deepEqual(await store.begin("b", "f"), { type: "new" });
});
