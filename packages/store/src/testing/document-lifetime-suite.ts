/**
 * Document lifetime suite: what a database promises of when documents go, and what they go with.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { requestKey, sessionKey } from "../claim-key.ts";
import type { Database } from "../database.ts";
import { LOCAL, type Owner } from "../owner.ts";
import { ANN, hold, type OpenPair, recordOf, save } from "./database-pair.ts";
import { keep, requestOf } from "./request-suite.ts";

const BOB: Owner = { tenant: "t", user: "bob" };
const ACME: Owner = { tenant: "acme", user: "ann's" };
const HOUR = 3_600_000;

/** Tests what is promised of time to live, deletion and transfer. */
export function testLifetimes(open: OpenPair): void {
  testExpiry(open);
  testDeletion(open);
  testTransfer(open);
}

function testExpiry(open: OpenPair): void {
  test("a document whose time is over is not there, for readers and for writers", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const old = await documents.put("working", {
      id: "a",
      data: 1,
      index: { n: 1 },
      text: "gold",
      vector: [1],
      ttlMs: 1,
    });
    await documents.put("working", { id: "b", data: 2, index: { n: 2 }, text: "gold", vector: [1], ttlMs: HOUR });
    await pair.pass(20);
    assert.equal(await documents.get("working", "a"), undefined);
    const left = [
      ...(await documents.list("working")).documents,
      ...(await documents.list("working", { orderBy: "n" })).documents,
      ...(await documents.search("working", { text: "gold" })),
      ...(await documents.nearest("working", { vector: [1] })),
    ];
    assert.deepEqual(
      left.map(({ id }) => id),
      ["b", "b", "b", "b"],
    );
    assert.equal(await documents.delete("working", "a"), false);
    await assert.rejects(documents.put("working", { id: "a", data: 1, version: old.version }), { code: "conflict" });
    const next = await documents.put("working", { id: "a", data: 3, version: 0 });
    assert.ok(next.version > old.version);
    assert.deepEqual(await documents.get("working", "a"), next);
  });

  test("documents whose time is over are removed with later writes of anybody, and by prune", async () => {
    await using pair = await open();
    const dying = (count: number) => Array.from({ length: count }, (_, id) => ({ id: `${id}`, data: id, ttlMs: 1 }));
    await pair.first.documents(ANN).putAll("working", dying(5));
    await pair.pass(20);
    await pair.second.documents(BOB).put("other", { id: "a", data: 1 });
    assert.equal(await pair.countDocuments(), 1);
    await pair.first.documents(ANN).putAll("working", dying(40));
    await pair.pass(20);
    assert.equal(await pair.countDocuments(), 41);
    assert.equal(await pair.second.runs.prune({}), 0);
    assert.equal(await pair.countDocuments(), 1);
  });
}

function testDeletion(open: OpenPair): void {
  const fill = async (database: Database, owner: Owner) => {
    const more = { text: "gold", vector: [1], index: { kind: "fact" } };
    await database.documents(owner).putAll("facts", [
      { id: "of-s", data: 1, session: "s", ...more },
      { id: "of-other", data: 1, session: "other", ...more },
      { id: "of-none", data: 1, ...more },
    ]);
  };
  const left = async (database: Database, owner: Owner) => {
    const documents = database.documents(owner);
    const ids = (await documents.list("facts")).documents.map(({ id }) => id);
    const indexed = (await documents.list("facts", { where: { kind: "fact" } })).documents.map(({ id }) => id);
    const searched = (await documents.search("facts", { text: "gold" })).map(({ id }) => id);
    assert.deepEqual(indexed, ids);
    assert.deepEqual(searched.toSorted(), ids);
    return ids;
  };

  test("a session that is deleted takes its documents along, and nobody else's", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, sessionKey(ANN, "s"), "one");
    const session = { id: "s", ...ANN, createdAt: 1, updatedAt: 1 };
    await pair.first.commit([{ claim, session }]);
    await fill(pair.first, ANN);
    await fill(pair.first, BOB);
    assert.equal(await pair.second.sessions.delete(ANN, "s"), true);
    assert.deepEqual(await left(pair.first, ANN), ["of-none", "of-other"]);
    assert.deepEqual(await left(pair.first, BOB), ["of-none", "of-other", "of-s"]);
    assert.equal(await pair.second.sessions.delete(ANN, "other"), false);
    assert.deepEqual(await left(pair.first, ANN), ["of-none"]);
  });

  test("an owner that is deleted leaves nothing, and others keep all they have", async () => {
    await using pair = await open();
    for (const owner of [ANN, BOB]) {
      const claim = await hold(pair.first, sessionKey(owner, "s"), "one");
      const session = { id: "s", ...owner, createdAt: 1, updatedAt: 1 };
      const messages = { ...owner, session: "s", run: `r-${owner.user}`, messages: ['"hello"'] };
      const run = recordOf(`r-${owner.user}`, { ...owner, session: "s", status: "ended", outcome: "done" });
      await pair.first.commit([{ claim, session, messages, run }]);
      const request = requestOf(requestKey(owner, "order"));
      await keep(pair.first, [request]);
      assert.deepEqual(await pair.second.requests.find(request.key), request);
      await pair.first.claims.leave("one");
      await fill(pair.first, owner);
    }
    await pair.second.owners.delete(ANN);
    assert.deepEqual(await left(pair.first, ANN), []);
    assert.deepEqual(await pair.first.runs.list(ANN), []);
    assert.deepEqual(await pair.first.sessions.list(ANN), []);
    assert.deepEqual(await pair.first.sessions.messages(ANN, "s"), []);
    assert.equal(await pair.first.requests.find(requestKey(ANN, "order")), undefined);
    assert.notEqual(await pair.first.requests.find(requestKey(BOB, "order")), undefined);
    assert.deepEqual(await left(pair.first, BOB), ["of-none", "of-other", "of-s"]);
    assert.equal((await pair.first.runs.list(BOB)).length, 1);
    assert.equal((await pair.first.sessions.list(BOB)).length, 1);
    assert.deepEqual(await pair.first.sessions.messages(BOB, "s"), ['"hello"']);
  });

  test("an owner with a run that is running, or with something that is in use, is not deleted", async () => {
    await using pair = await open();
    await fill(pair.first, ANN);
    await save(pair.first, [recordOf("r1")]);
    await assert.rejects(pair.second.owners.delete(ANN), { code: "conflict", message: /run r1 is running/ });
    await save(pair.first, [recordOf("r1", { status: "paused", outcome: "paused" })]);
    const claim = await hold(pair.first, sessionKey(ANN, "s"), "one");
    await assert.rejects(pair.second.owners.delete(ANN), { code: "conflict", message: /is in use/ });
    assert.equal((await left(pair.first, ANN)).length, 3);
    await pair.first.claims.release(claim);
    await pair.second.owners.delete(ANN);
    assert.deepEqual(await left(pair.first, ANN), []);
    assert.equal(await pair.first.runs.find("r1"), undefined);
  });
}

function testTransfer(open: OpenPair): void {
  test("documents go to their new owner with all they are found by", async () => {
    await using pair = await open();
    const document = { id: "a", data: 1, text: "gold", vector: [1, 0], index: { kind: "fact" }, session: "s" };
    const written = await pair.first.documents(LOCAL).put("facts", document);
    await pair.first.documents(ACME).put("facts", { id: "b", data: 2 });
    await pair.first.documents(ACME).put("facts", { id: "over", data: 3 });
    await pair.first.documents(LOCAL).put("facts", { id: "over", data: 1, ttlMs: 1 });
    await pair.pass(20);
    assert.equal((await pair.second.owners.transfer(LOCAL, ACME)).documents, 1);
    const [before, after] = [pair.first.documents(LOCAL), pair.first.documents(ACME)];
    assert.deepEqual(await after.get("facts", "a"), written);
    assert.equal((await after.list("facts")).documents.length, 3);
    assert.deepEqual((await after.list("facts", { where: { kind: "fact" } })).documents, [written]);
    assert.deepEqual(await after.search("facts", { text: "gold" }), [written]);
    assert.deepEqual(await after.nearest("facts", { vector: [1, 0] }), [{ ...written, similarity: 1 }]);
    assert.deepEqual(await before.list("facts"), { documents: [] });
    assert.deepEqual(await before.search("facts", { text: "gold" }), []);
    assert.deepEqual((await before.list("facts", { where: { kind: "fact" } })).documents, []);
    await after.put("facts", { ...document, data: 4, version: written.version });
    await pair.first.sessions.delete(ACME, "s");
    assert.equal(await after.get("facts", "a"), undefined);
  });

  test("nothing is given away if both owners have a document of the same collection and id", async () => {
    await using pair = await open();
    await pair.first.documents(LOCAL).putAll(
      "facts",
      ["a", "b"].map((id) => ({ id, data: 1 })),
    );
    await pair.first.documents(ACME).put("facts", { id: "b", data: 2 });
    await assert.rejects(pair.second.owners.transfer(LOCAL, ACME), {
      code: "conflict",
      message: /the new owner has a document facts\/b already: delete one of the two/,
    });
    assert.equal((await pair.first.documents(LOCAL).list("facts")).documents.length, 2);
    assert.equal((await pair.first.documents(ACME).get("facts", "b"))?.data, 2);
  });
}
