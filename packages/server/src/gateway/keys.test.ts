import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import type { Database, Owner } from "@baton/store";
import { openMemory } from "@baton/store/sqlite";
import { checkScope, createKey, KeyRing, LOCAL_IDENTITY, SCOPES } from "./keys.ts";

function ring(options: { readonly isLoopback?: boolean; readonly database?: Database } = {}) {
  const clock = new SimulatedClock(1);
  const { isLoopback = true, database = openMemory() } = options;
  return { clock, database, keys: new KeyRing({ database, clock, isLoopback }) };
}

const withDocuments = (database: Database) => ({ documents: (owner: Owner) => database.documents(owner) });

const REFUSED = { status: 401, code: "invalid_api_key" };

test("a key has 256 bits of chance, and only its hash is kept", () => {
  const { key, record } = createKey({ tenant: "acme", scopes: ["run", "read"] }, 5);
  assert.match(key, /^bt_[0-9a-f]{16}_[0-9a-f]{64}$/);
  const hash = createHash("sha256").update(key).digest("hex");
  const id = key.slice(3, 19);
  assert.deepEqual(record, { id, tenant: "acme", user: id, scopes: ["run", "read"], hash, createdAt: 5 });
  const secrets = new Set(Array.from({ length: 200 }, () => createKey({ tenant: "t", scopes: [] }, 0).key.slice(20)));
  assert.equal(secrets.size, 200);
});

test("without any key everybody on loopback is local and may do all, whatever key a client sends", async () => {
  const { keys } = ring();
  assert.equal(await keys.identify(undefined), LOCAL_IDENTITY);
  assert.equal(await keys.identify("Bearer sk-anything"), LOCAL_IDENTITY);
  assert.deepEqual(LOCAL_IDENTITY, { tenant: "local", user: "local", key: "local", plan: "free", scopes: SCOPES });
});

test("elsewhere nobody passes without a key, and such a server does not start", async () => {
  const { keys } = ring({ isLoopback: false });
  await assert.rejects(keys.identify(undefined), { status: 401, code: "invalid_api_key" });
  await assert.rejects(keys.checkSafe(), { code: "invalid" });
  const { record } = await keys.create("acme", ["run"]);
  await keys.checkSafe();
  await keys.revoke(record.id);
  await assert.rejects(keys.checkSafe(), { code: "invalid" });
});

test("the first key closes the door at once, and tenant and scopes come from the key", async () => {
  const { keys } = ring();
  await keys.identify(undefined);
  const { key, record } = await keys.create("acme", ["read"]);
  await assert.rejects(keys.identify(undefined), {
    code: "invalid_api_key",
    headers: { "WWW-Authenticate": 'Bearer realm="baton"' },
  });
  const expected = { tenant: "acme", user: record.id, key: record.id, plan: "free", scopes: ["read"] };
  for (const header of [`Bearer ${key}`, `bearer  ${key}`, `BEARER ${key} `]) {
    assert.deepEqual(await keys.identify(header), expected);
  }
});

test("a key has the user and the plan that it was made with", async () => {
  const { keys } = ring();
  const { key, record } = await keys.create("acme", ["run"], { user: "ann@example.com", plan: "premium" });
  const { user, plan, key: id } = await keys.identify(`Bearer ${key}`);
  assert.deepEqual([user, plan, id], ["ann@example.com", "premium", record.id]);
});

test("a wrong key is refused, however near", async () => {
  const { keys } = ring();
  const { key } = await keys.create("acme", ["run"]);
  const last = key.endsWith("0") ? "1" : "0";
  const other = createKey({ tenant: "acme", scopes: ["run"] }, 0).key;
  const wrong = [
    `${key.slice(0, -1)}${last}`,
    key.slice(0, -1),
    `${key}0`,
    key.toUpperCase(),
    `${key.slice(0, 20)}${other.slice(20)}`,
    other,
    `${key}, Bearer ${key}`,
    `${key} x`,
    "__proto__",
  ];
  for (const candidate of wrong) await assert.rejects(keys.identify(`Bearer ${candidate}`), REFUSED);
});

test("a revoked key is refused at once, and revoking the last does not open the door", async () => {
  const { keys } = ring();
  const { key, record } = await keys.create("acme", ["run"]);
  await keys.identify(`Bearer ${key}`);
  assert.equal(await keys.revoke(record.id), true);
  assert.equal(await keys.revoke(record.id), false);
  await assert.rejects(keys.identify(`Bearer ${key}`), REFUSED);
  await assert.rejects(keys.identify(undefined), { code: "invalid_api_key" });
});

test("what another process changes counts once the cache is old", async () => {
  const { keys, clock, database } = ring();
  await keys.identify(undefined);
  const { key, record } = createKey({ tenant: "acme", scopes: ["run"] }, 0);
  await database.keys.add(record);
  assert.equal(await keys.identify(undefined), LOCAL_IDENTITY);
  await clock.advance(1_000);
  await assert.rejects(keys.identify(undefined), { code: "invalid_api_key" });
  await database.keys.revoke(record.id, 1);
  await clock.advance(1_000);
  await assert.rejects(keys.identify(`Bearer ${key}`), REFUSED);
});

test("a crowd of requests reads the store once", async () => {
  const database = openMemory();
  let reads = 0;
  const list = () => (reads++, database.keys.list());
  const counted = { ...withDocuments(database), keys: { ...database.keys, list } };
  const keys = new KeyRing({ database: counted, clock: new SimulatedClock(1), isLoopback: true });
  await Promise.all(Array.from({ length: 100 }, () => keys.identify(undefined)));
  assert.equal(reads, 1);
});

test("a store that cannot be read lets nobody in, and is asked again", async () => {
  const { keys, database, clock } = ring();
  const { key } = await keys.create("acme", ["run"]);
  const broken = { isBroken: true };
  const flaky = new KeyRing({
    database: {
      ...withDocuments(database),
      keys: {
        ...database.keys,
        list: () => (broken.isBroken ? Promise.reject(new Error("disk")) : database.keys.list()),
      },
    },
    clock,
    isLoopback: true,
  });
  await assert.rejects(flaky.identify(undefined), { code: "busy", retryable: true });
  broken.isBroken = false;
  assert.equal((await flaky.identify(`Bearer ${key}`)).tenant, "acme");
});

test("a record with a broken hash or unknown scopes gives nothing away", async () => {
  const database = openMemory();
  const { key, record } = createKey({ tenant: "acme", scopes: ["run"] }, 0);
  await database.keys.add({ ...record, hash: "zz" });
  await assert.rejects(ring({ database }).keys.identify(`Bearer ${key}`), REFUSED);
  const other = createKey({ tenant: "acme", scopes: [] }, 0);
  await database.keys.add({ ...other.record, scopes: ["root", "read"] });
  assert.deepEqual((await ring({ database }).keys.identify(`Bearer ${other.key}`)).scopes, ["read"]);
});

test("a scope that is missing is 403 and named", () => {
  checkScope(["run", "read"], "read");
  assert.throws(() => checkScope(["admin"], "run"), {
    status: 403,
    code: "missing_scope",
    headers: { "WWW-Authenticate": 'Bearer realm="baton", error="insufficient_scope", scope="run"' },
  });
});
