/** Documents in Redis keep the promises of documents, and outlast a Redis that goes away. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { SimulatedClock } from "@baton/core/testing";
import { withDocumentLayers } from "../documents/document-layer.ts";
import { SharedMemory } from "../sqlite/memory.ts";
import { ANN, type DatabasePair } from "../testing/database-pair.ts";
import { countRows } from "../testing/shared-memory.ts";
import { testFinding } from "../testing/document-finding-suite.ts";
import { testDocuments } from "../testing/document-suite.ts";
import { RedisCollections, withRedis } from "./redis-collections.ts";
import { openRedis, type Redis, type RedisCommands } from "./redis.ts";
import { REDIS, startTestRedis, type TestRedis } from "./testing/test-redis.ts";

/** All that the suites write to. */
const COLLECTIONS = ["alerts", "notes", "core", "lists", "facts", "values", "many", "others", "empty", "working", "a"];
const HOUR = 3_600_000;
const BOB = { tenant: "t", user: "bob" };

let server: TestRedis;
let redis: Redis;
let count = 0;

before(async () => {
  server = await startTestRedis();
  redis = await openRedis(server.url);
});

after(async () => {
  await redis[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** A Redis of its own in the shared one: every key has another beginning. */
function apart(): RedisCommands {
  const prefix = `test ${++count} `;
  const keyed = (args: readonly string[]) => args.map((arg) => (arg.startsWith("baton:") ? `${prefix}${arg}` : arg));
  return {
    send: (args) => redis.send(keyed(args)),
    run: (script, { keys, args }) => redis.run(script, { keys: keyed(keys), args }),
  };
}

function open(commands: RedisCommands = apart()) {
  const clock = new SimulatedClock(1);
  const data = new SharedMemory({ now: () => clock.now() });
  const warnings: string[] = [];
  const openOne = () => {
    const warn = (text: string) => warnings.push(text);
    const shared = new RedisCollections(commands, { collections: COLLECTIONS, clock, warn });
    return withDocumentLayers(data.open(), {
      wrap: (documents, owner) => withRedis(documents, shared, owner),
      layers: [
        {
          sessionDeleted: (owner, session) => shared.deleteSession(owner, session),
          ownerDeleted: (owner) => shared.deleteOwner(owner),
        },
      ],
    });
  };
  const pair: DatabasePair = {
    first: openOne(),
    second: openOne(),
    pass: (ms) => clock.advance(ms),
    now: () => clock.now(),
    countRequests: async () => 0,
    countDocuments: async () => countRows(data, "documents"),
    [Symbol.asyncDispose]: async () => {},
  };
  return { ...pair, data, warnings, clock };
}

describe(`documents in Redis (${REDIS}) are documents`, { timeout: 120_000 }, () => {
  testDocuments(async () => open());
  testFinding(async () => open());

  test("they are in Redis, not in the store, and other collections are in the store", async () => {
    const { first, second, data } = open();
    await first.documents(ANN).put("working", { id: "a", data: 1 });
    assert.equal(countRows(data, "documents"), 0);
    assert.equal((await second.documents(ANN).get("working", "a"))?.data, 1);
    await first.documents(ANN).put("elsewhere", { id: "a", data: 1 });
    assert.equal(countRows(data, "documents"), 1);
  });

  test("a document whose time is over is not there, and goes with later writes", async () => {
    const commands = apart();
    const { first, pass } = open(commands);
    const documents = first.documents(ANN);
    const old = await documents.put("working", {
      id: "a",
      data: 1,
      index: { n: 1 },
      text: "gold",
      vector: [1],
      ttlMs: 1,
    });
    await documents.put("working", { id: "b", data: 2, index: { n: 2 }, text: "gold", vector: [1], ttlMs: HOUR });
    await pass(20);
    assert.equal(await documents.get("working", "a"), undefined);
    const left = [
      ...(await documents.list("working")).documents,
      ...(await documents.search("working", { text: "gold" })),
      ...(await documents.nearest("working", { vector: [1] })),
    ];
    assert.deepEqual(
      left.map(({ id }) => id),
      ["b", "b", "b"],
    );
    assert.equal(await documents.delete("working", "a"), false);
    await assert.rejects(documents.put("working", { id: "a", data: 1, version: old.version }), { code: "conflict" });
    const next = await documents.put("working", { id: "a", data: 3, version: 0 });
    assert.ok(next.version > old.version);
    await documents.putAll("working", [
      { id: "x", data: 1, ttlMs: 1 },
      { id: "y", data: 1, ttlMs: 1 },
    ]);
    await pass(20);
    await documents.put("working", { id: "b", data: 4 });
    const kept = await commands.send(["HGETALL", 'baton:documents:["t","ann","working"]']);
    assert.equal(Array.isArray(kept) && kept.length, 4);
  });

  test("a session or an owner that is deleted takes its documents along, and nobody else's", async () => {
    const { first, second } = open();
    for (const owner of [ANN, BOB])
      await first.documents(owner).putAll("working", [
        { id: "of-s", data: 1, session: "s" },
        { id: "of-other", data: 1, session: "other", ttlMs: HOUR },
        { id: "of-none", data: 1 },
      ]);
    const left = async (owner: typeof ANN) =>
      (await second.documents(owner).list("working")).documents.map(({ id }) => id);
    await second.sessions.delete(ANN, "s");
    assert.deepEqual(await left(ANN), ["of-none", "of-other"]);
    assert.deepEqual(await left(BOB), ["of-none", "of-other", "of-s"]);
    await first.owners.delete(ANN);
    assert.deepEqual(await left(ANN), []);
    assert.deepEqual(await left(BOB), ["of-none", "of-other", "of-s"]);
  });

  test("what the store has from before is found, and moves to Redis", async () => {
    const { first, data, clock } = open();
    const earlier = data.open().documents(ANN);
    await earlier.put("working", { id: "old", data: 1, index: { n: 7 }, session: "s", ttlMs: HOUR });
    await earlier.put("working", { id: "over", data: 1, ttlMs: 1 });
    await clock.advance(10);
    const moved = await first.documents(ANN).get("working", "old");
    assert.partialDeepStrictEqual(moved, {
      data: 1,
      index: { n: 7 },
      session: "s",
      expiresAt: clock.now() + HOUR - 10,
    });
    assert.equal((await earlier.list("working")).documents.length, 0);
  });

  test("what the store has from before is found by each of two tenants with users of one name", async () => {
    const { first, data } = open();
    const owners = [ANN, { ...ANN, tenant: "other" }, { ...ANN, user: "other" }];
    for (const owner of owners) await data.open().documents(owner).put("working", { id: "old", data: owner.tenant });
    for (const owner of owners)
      assert.equal((await first.documents(owner).get("working", "old"))?.data, owner.tenant, JSON.stringify(owner));
  });
});

/** A Redis that can be made to fail. */
function breakable() {
  const commands = apart();
  const state = { isDown: false };
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    if (state.isDown) throw await redis.send(["NONSENSE"]).catch((error: unknown) => error);
    return work();
  };
  const broken: RedisCommands = {
    send: (args) => guard(() => commands.send(args)),
    run: (script, input) => guard(() => commands.run(script, input)),
  };
  return { state, broken };
}

describe(`documents while Redis fails (${REDIS})`, () => {
  test("the store keeps them, with one warning, and Redis has them when it is back", async () => {
    const { state, broken } = breakable();
    const { first, second, warnings, data, pass } = open(broken);
    const documents = first.documents(ANN);
    await documents.put("working", { id: "a", data: "old" });
    await documents.put("working", { id: "gone", data: 1 });
    await pass(10);
    state.isDown = true;
    await documents.put("working", { id: "a", data: "new", session: "s", ttlMs: HOUR });
    assert.equal((await documents.get("working", "a"))?.data, "new");
    await documents.delete("working", "gone");
    assert.equal((await documents.list("working")).documents.length, 1);
    await assert.rejects(documents.put("working", { id: "b c", data: 1 }), { code: "invalid" });
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? "", /Redis cannot be used now \(--redis\).*working is kept in the store/);
    state.isDown = false;
    const back = await documents.get("working", "a");
    assert.partialDeepStrictEqual(back, { data: "new", session: "s" });
    assert.equal(countRows(data, "documents"), 0);
    assert.equal(await documents.get("working", "gone"), undefined);
    assert.equal((await second.documents(ANN).get("working", "a"))?.data, "new");
    state.isDown = true;
    await documents.get("working", "a");
    assert.equal(warnings.length, 2);
  });

  test("what is newer in Redis is not overwritten by what the store has", async () => {
    const { state, broken } = breakable();
    const { first, second, pass } = open(broken);
    await second.documents(ANN).get("working", "a");
    state.isDown = true;
    await first.documents(ANN).put("working", { id: "a", data: "from the store" });
    await pass(10);
    state.isDown = false;
    await second.documents(ANN).put("working", { id: "a", data: "from Redis" });
    assert.equal((await first.documents(ANN).get("working", "a"))?.data, "from Redis");
  });

  test("a session that is deleted meanwhile is gone when Redis is back", async () => {
    const { state, broken } = breakable();
    const { first } = open(broken);
    await first.documents(ANN).put("working", { id: "a", data: 1, session: "s" });
    await first.documents(BOB).put("working", { id: "a", data: 1, session: "s" });
    state.isDown = true;
    assert.equal(await first.sessions.delete(ANN, "s"), false);
    state.isDown = false;
    assert.equal(await first.documents(ANN).get("working", "a"), undefined);
    assert.equal((await first.documents(BOB).get("working", "a"))?.data, 1);
  });
});
