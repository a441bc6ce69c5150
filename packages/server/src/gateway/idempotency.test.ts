import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { SystemClock } from "@baton/core/ports";
import { LOCAL, requestKey } from "@baton/store";
import { openSqlite } from "@baton/store/sqlite";
import { type GatewayServer, bodyOf, startGateway } from "./testing/gateway-server.ts";

const folder = mkdtempSync(join(tmpdir(), "baton-idempotency-"));
after(() => rmSync(folder, { recursive: true }));

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
  assert.equal(again.headers.get("x-run-id"), first.headers.get("x-run-id"));
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
  assert.deepEqual([other.status, (await bodyOf(other)).code], [422, "idempotency_mismatch"]);
});

test("while the first is being made the key is taken", async () => {
  await using server = await startGateway();
  const first = post(server, { key: "k", query: "slow" });
  while (server.worked() === 0) await new Promise(setImmediate);
  const again = await post(server, { key: "k", query: "slow" });
  assert.deepEqual([again.status, (await bodyOf(again)).code], [409, "idempotency_in_flight"]);
  assert.equal(again.headers.get("retry-after"), "1");
  const other = await post(server, { key: "k", query: "bye" });
  assert.equal(other.status, 422);
  server.release();
  assert.equal((await first).status, 202);
  assert.equal((await post(server, { key: "k", query: "slow" })).status, 202);
  assert.equal(server.worked(), 1);
});

test("of many that are sent at once one is done, and the others are answered as it is or told to wait", async () => {
  await using server = await startGateway();
  const answers = await Promise.all(Array.from({ length: 30 }, () => post(server, { key: "k" })));
  const statuses = answers.map(({ status }) => status);
  assert.ok(statuses.includes(202));
  assert.ok(statuses.every((status) => status === 202 || status === 409));
  assert.equal(server.worked(), 1);
});

test("what failed is not kept: it is done again", async () => {
  await using server = await startGateway();
  const [first, again] = [
    await post(server, { key: "k", query: "broken" }),
    await post(server, { key: "k", query: "broken" }),
  ];
  assert.deepEqual([first.status, again.status], [500, 500]);
  assert.equal(server.worked(), 2);
});

test("an answer that is too long to be kept is made again", async () => {
  await using server = await startGateway();
  const [first, again] = [
    await post(server, { key: "k", query: "long" }),
    await post(server, { key: "k", query: "long" }),
  ];
  assert.deepEqual([first.status, again.status, again.headers.get("idempotency-replayed")], [202, 202, null]);
  assert.equal(server.worked(), 2);
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
    assert.deepEqual((await bodyOf(answer)).problems, [
      { field: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters" },
    ]);
  }
  const twice = await bodyOf(await post(server, { key: "a, b" }));
  assert.deepEqual(twice.problems, [{ field: "Idempotency-Key", message: "must be given once" }]);
});

test("an answer is kept for 24 hours", async () => {
  let time = Date.now();
  const now = () => time;
  const database = await openSqlite({ path: join(folder, "kept.db"), now });
  await using server = await startGateway({ clock: Object.assign(new SystemClock(), { now }), database });
  await post(server, { key: "k" });
  time += 24 * 3_600_000 - 1;
  assert.equal((await post(server, { key: "k" })).headers.get("idempotency-replayed"), "true");
  time += 1;
  assert.equal((await post(server, { key: "k" })).headers.get("idempotency-replayed"), null);
  assert.equal(server.worked(), 2);
});

test("an answer is there after a restart, and on another server that has the same store", async () => {
  const path = join(folder, "restart.db");
  const start = async () => startGateway({ database: await openSqlite({ path }) });
  let first: string;
  {
    await using server = await start();
    first = await (await post(server, { key: "k" })).text();
  }
  await using one = await start();
  await using two = await start();
  for (const server of [one, two]) {
    const again = await post(server, { key: "k" });
    assert.deepEqual([again.status, again.headers.get("idempotency-replayed")], [202, "true"]);
    assert.equal(await again.text(), first);
    assert.equal((await post(server, { key: "k", query: "bye" })).status, 422);
    assert.equal(server.worked(), 0);
  }
});

test("a request whose process is gone is taken over, and by nobody before its lease is over", async () => {
  const path = join(folder, "gone.db");
  let now = 1_000_000;
  const open = () => openSqlite({ path, now: () => now });
  const mortal = await open();
  await using dead = await startGateway({ database: mortal });
  // From here on it does not say that its process lives.
  Object.assign(mortal, { renew: () => Promise.resolve() });
  const lost = post(dead, { key: "k", query: "slow" });
  while (dead.worked() === 0) await new Promise(setImmediate);
  await using server = await startGateway({ database: await open() });
  server.release();
  assert.equal((await post(server, { key: "k", query: "slow" })).status, 409);
  now += 60_000;
  assert.equal((await post(server, { key: "k", query: "bye" })).status, 422);
  const answer = await post(server, { key: "k", query: "slow" });
  assert.deepEqual([answer.status, server.worked()], [202, 1]);
  dead.release();
  await lost;
  const again = await post(dead, { key: "k", query: "slow" });
  assert.deepEqual([await again.text(), again.headers.get("idempotency-replayed")], [await answer.text(), "true"]);
});

test("an answer that is damaged is an error under its key, and under no other", async () => {
  const path = join(folder, "damaged.db");
  await using server = await startGateway({ database: await openSqlite({ path }) });
  for (const key of ["a", "b"]) await post(server, { key });
  using editor = new DatabaseSync(path);
  editor.prepare("UPDATE requests SET body = substr(body, 2) WHERE key = ?").run(requestKey(LOCAL, "a"));
  const damaged = await post(server, { key: "a" });
  assert.deepEqual([damaged.status, (await bodyOf(damaged)).code], [500, "damaged"]);
  assert.equal((await post(server, { key: "b" })).headers.get("idempotency-replayed"), "true");
  assert.equal((await post(server, { key: "c" })).status, 202);
});
