/**
 * Damage suite: what a database promises of lists in which one record is damaged.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toBatch } from "../batch.ts";
import type { RunFilter, RunRecord } from "../record.ts";
import { ANN, type BrittlePair, hold, recordOf, save } from "./database-pair.ts";
import { keep, requestOf } from "./request-suite.ts";

type OpenBrittlePair = () => Promise<BrittlePair>;

/** Tests what a database promises if a part of it is damaged. */
export function testDamage(name: string, open: OpenBrittlePair): void {
  describe(`${name}, damaged`, () => {
    testDamagedRuns(open);
    testDamagedSessions(open);
    testDamagedRequests(open);
    testDamagedKeys(open);
    testDamagedDocuments(open);
    testMisplaced(open);
  });
}

function testDamagedRuns(open: OpenBrittlePair): void {
  const records = ["a", "b", "c"].map((id, index) =>
    recordOf(id, {
      tenant: "ü'",
      session: "s",
      status: "ended",
      outcome: "done",
      createdAt: index,
      updatedAt: 10 + index,
    }),
  );

  test("a run that is damaged is in its place in lists, failed and with the reason, and hides no other", async () => {
    await using pair = await open();
    await save(pair.first, records);
    await pair.damage("run", "b");
    const [c, b, a, ...none] = await pair.second.runs.list({
      tenant: "ü'",
      session: "s",
      status: "ended",
      crew: "hello",
    });
    assert.deepEqual([c, a, none], [records[2], records[0], []]);
    assert.partialDeepStrictEqual(b, { ...shown(records[1]), status: "ended", outcome: "failed" });
    assert.deepEqual([b?.error?.code, b?.input], ["damaged", ""]);
    assert.deepEqual(
      (await pair.second.runs.list({ before: "b" })).map(({ id }) => id),
      ["a"],
    );
    await assert.rejects(pair.second.runs.find("b"), { code: "damaged" });
  });

  test("a run that is damaged can be deleted, and is forgotten when its time has come", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:all", "one");
    await pair.first.commit(records.map((run) => ({ claim, run, batch: toBatch(run.id, 1, ["1"]) })));
    for (const id of ["a", "b"]) await pair.damage("run", id);
    assert.equal(await pair.second.runs.prune({ endedBefore: 11 }), 1);
    assert.deepEqual(
      (await pair.second.runs.list({})).map(({ id }) => id),
      ["c", "b"],
    );
    assert.equal(await pair.second.runs.delete("b"), true);
    assert.deepEqual(await pair.second.runs.list({}), [records[2]]);
    assert.deepEqual([await pair.second.runs.find("a"), await pair.second.runs.find("b")], [undefined, undefined]);
  });

  test("a run that is damaged before it has ended is not among the unfinished, and hides none of them", async () => {
    await using pair = await open();
    await save(
      pair.first,
      ["a", "b", "c", "d"].map((id, createdAt) => recordOf(id, { createdAt })),
    );
    for (const id of ["b", "d"]) await pair.damage("run", id);
    const listed = async (filter: RunFilter) => (await pair.second.runs.list(filter)).map(({ id }) => id);
    assert.deepEqual(await listed({ status: "running" }), ["c", "a"]);
    assert.deepEqual(await listed({ status: "running", limit: 1 }), ["c"]);
    assert.deepEqual(await listed({ status: "running", limit: 2 }), ["c", "a"]);
    assert.deepEqual(await listed({}), ["d", "c", "b", "a"]);
  });

  test("a run that is found damaged before it has ended has ended, and is forgotten when its time has come", async () => {
    await using pair = await open();
    await save(pair.first, [recordOf("a", { createdAt: 1 }), recordOf("b", { createdAt: 2, status: "paused" })]);
    for (const id of ["a", "b"]) await pair.damage("run", id);
    for (const id of ["a", "b"]) await assert.rejects(pair.second.runs.find(id), { code: "damaged" });
    assert.deepEqual(await pair.second.runs.interrupted(["hello"]), []);
    const ended = await pair.second.runs.list({ status: "ended" });
    assert.deepEqual(
      ended.map(({ id, outcome }) => [id, outcome]),
      [
        ["b", "failed"],
        ["a", "failed"],
      ],
    );
    assert.equal(await pair.second.runs.prune({ maxRuns: 1 }), 1);
    assert.equal(await pair.second.runs.prune({ maxRuns: 0 }), 1);
    assert.deepEqual(await pair.second.runs.list({}), []);
  });
}

/** The part of a damaged record that is still known. */
function shown(record: RunRecord | undefined): Partial<RunRecord> {
  if (record === undefined) return {};
  const { id, tenant, user, crew, session = "", createdAt, updatedAt } = record;
  return { id, tenant, user, crew, session, createdAt, updatedAt };
}

function testDamagedSessions(open: OpenBrittlePair): void {
  test("a session that is damaged is in its place in the list, with the reason, and can be deleted", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    const sessions = ["x", "y"].map((id, index) => ({ id, ...ANN, createdAt: index, updatedAt: 9, paused: "r" }));
    await pair.first.commit(sessions.map((session) => ({ claim, session })));
    await pair.damage("session", "y");
    const [y, x] = await pair.second.sessions.list({ ...ANN });
    assert.deepEqual(x, sessions[0]);
    assert.deepEqual(
      { ...y, error: y?.error?.code },
      { id: "y", ...ANN, error: "damaged", createdAt: 1, updatedAt: 9 },
    );
    await assert.rejects(pair.second.sessions.find(ANN, "y"), { code: "damaged" });
    assert.equal(await pair.second.sessions.delete(ANN, "y"), true);
    assert.deepEqual(await pair.second.sessions.list({ ...ANN }), [sessions[0]]);
  });
}

function testDamagedRequests(open: OpenBrittlePair): void {
  test("a request whose record is damaged says so, and the others do not", async () => {
    await using pair = await open();
    await keep(pair.first, [requestOf("request:a"), requestOf("request:b")]);
    await pair.damage("request", "request:a");
    await assert.rejects(pair.first.requests.find("request:a"), { code: "damaged" });
    assert.deepEqual(await pair.first.requests.find("request:b"), requestOf("request:b"));
    await keep(pair.second, [requestOf("request:a", { fingerprint: "ff" })]);
    assert.equal((await pair.first.requests.find("request:a"))?.fingerprint, "ff");
  });
}

function testDamagedKeys(open: OpenBrittlePair): void {
  test("a key that is damaged is in its place with the reason, hides no other, and can be revoked", async () => {
    await using pair = await open();
    const keys = ["k1", "k2"].map((id) => ({ id, ...ANN, scopes: ["run"], hash: "ff", createdAt: 5 }));
    for (const key of keys) await pair.first.keys.add(key);
    await pair.damage("key", "k1");
    const [damaged, sound] = await pair.second.keys.list();
    assert.deepEqual(sound, keys[1]);
    assert.deepEqual([damaged?.id, damaged?.hash, damaged?.scopes, damaged?.error?.code], ["k1", "", [], "damaged"]);
    assert.notEqual(damaged?.revokedAt, undefined);
    assert.equal(await pair.second.keys.revoke("k1", 9), true);
    const [revoked] = await pair.first.keys.list();
    assert.deepEqual([revoked?.id, revoked?.revokedAt, revoked?.error], ["k1", 9, undefined]);
    assert.equal(await pair.second.keys.revoke("k1", 10), false);
  });
}

function testDamagedDocuments(open: OpenBrittlePair): void {
  test("a document that is damaged is in its place in lists, hides no other, and can be replaced or deleted", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const more = { data: 1, text: "gold", vector: [1], index: { kind: "fact" } };
    const [a, b, c] = await documents.putAll(
      "facts",
      ["a", "b", "c"].map((id) => ({ id, ...more })),
    );
    await pair.damage("document", "b");
    await assert.rejects(documents.get("facts", "b"), { code: "damaged" });
    const lists = [
      (await documents.list("facts")).documents,
      (await documents.list("facts", { where: { kind: "fact" } })).documents,
      (await documents.search("facts", { text: "gold" })).toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      (await documents.nearest("facts", { vector: [1] })).map(({ similarity: _similarity, ...document }) => document),
    ];
    for (const [first, second, third] of lists) {
      assert.deepEqual([first, third], [a, c]);
      const known = { collection: "facts", id: "b", version: b?.version, data: null, updatedAt: 0 };
      assert.partialDeepStrictEqual(second, known);
      assert.equal(second?.error?.code, "damaged");
    }
    const again = await documents.put("facts", { id: "b", ...more, ...(b && { version: b.version }) });
    assert.deepEqual(await documents.get("facts", "b"), again);
    await pair.damage("document", "b");
    assert.equal(await documents.delete("facts", "b"), true);
    assert.equal((await documents.list("facts")).documents.length, 2);
  });

  test("a document that is damaged is due when it was, with the reason, and hides no other", async () => {
    await using pair = await open();
    const documents = pair.first.documents(ANN);
    const plans = ["a", "b", "c"].map((id, dueAt) => ({ id, data: 1, index: { dueAt } }));
    const [a, b, c] = await documents.putAll("plans", plans);
    await pair.damage("document", "b");
    const [first, second, third] = await pair.second.due("plans", { upTo: 9, limit: 9 });
    assert.deepEqual([first?.document, third?.document], [a, c]);
    assert.deepEqual(second?.owner, ANN);
    assert.partialDeepStrictEqual(second?.document, { id: "b", version: b?.version, data: null });
    assert.equal(second?.document.error?.code, "damaged");
  });

  test("a document that is damaged stays damaged under its new owner", async () => {
    await using pair = await open();
    await pair.first.documents(ANN).putAll(
      "facts",
      ["a", "b"].map((id) => ({ id, data: 1 })),
    );
    await pair.damage("document", "a");
    const bob = { ...ANN, user: "bob" };
    assert.equal((await pair.second.owners.transfer(ANN, bob)).documents, 2);
    await assert.rejects(pair.first.documents(bob).get("facts", "a"), { code: "damaged" });
    assert.equal((await pair.first.documents(bob).get("facts", "b"))?.data, 1);
  });
}

function testMisplaced(open: OpenBrittlePair): void {
  test("the record of a run, session or key is not believed in another row", async () => {
    await using pair = await open();
    const { first, second, copy } = pair;
    const claim = await hold(first, "session:t:ann:s", "one");
    for (const id of ["a", "b"]) {
      const session = { id, ...ANN, createdAt: 1, updatedAt: 1, paused: id };
      assert.deepEqual(await first.commit([{ claim, run: recordOf(id), session }]), []);
      await first.keys.add({ id, ...ANN, scopes: [id], hash: "ff", createdAt: 1 });
    }
    for (const kind of ["run", "session", "key"] as const) await copy(kind, "b", "a");
    await assert.rejects(second.runs.find("a"), { code: "damaged" });
    await assert.rejects(second.sessions.find(ANN, "a"), { code: "damaged" });
    const keys = (await second.keys.list()).map(({ id, error }) => [id, error?.code]);
    assert.deepEqual(keys, [
      ["a", "damaged"],
      ["b", undefined],
    ]);
    assert.deepEqual(await second.runs.find("b"), recordOf("b"));
  });
}
