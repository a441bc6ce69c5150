/**
 * Owner suite: what a database promises of owners: what one has is not another's, and can be given away as a whole.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toBatch } from "../batch.ts";
import { requestKey, sessionKey } from "../claim-key.ts";
import type { Database } from "../database.ts";
import type { RunFilter, RunRecord } from "../record.ts";
import { LOCAL, type Owner } from "../owner.ts";
import { toShortId } from "../run-id.ts";
import { hold, linesOf, type OpenPair, type DatabasePair, recordOf, save } from "./database-pair.ts";

/** Owners that differ only in where one name ends and the next begins, or in how names are escaped. */
const ALIKE: readonly Owner[] = [
  { tenant: "a", user: "b" },
  { tenant: "a:b", user: "" },
  { tenant: "", user: "a:b" },
  { tenant: "a%3Ab", user: "" },
  { tenant: "a", user: "b:s" },
  { tenant: 'a","b', user: "c" },
  { tenant: "a", user: 'b","c' },
];
const ACME = { tenant: "acme", user: "ann's" };
const TIME = { createdAt: 1, updatedAt: 1 };

/** Tests what is promised of owners. */
export function testOwners(open: OpenPair): void {
  testApart(open);
  testLookUp(open);
  testTransfer(open);
  testRefusals(open);
}

function testApart(open: OpenPair): void {
  test("owners have their own sessions of the same id, however their names are spelled", async () => {
    await using pair = await open();
    assert.equal(new Set(ALIKE.map((owner) => sessionKey(owner, "s"))).size, ALIKE.length);
    assert.equal(new Set(ALIKE.map((owner) => requestKey(owner, "r"))).size, ALIKE.length);
    for (const [index, owner] of ALIKE.entries()) await addConversation(pair.first, owner, { id: `r${index}` });
    for (const [index, owner] of ALIKE.entries()) {
      const run = `r${index}`;
      assert.deepEqual(await pair.second.sessions.find(owner, "s"), { id: "s", ...owner, ...TIME, paused: run });
      assert.deepEqual(await pair.second.sessions.messages(owner, "s"), [`"${run}"`]);
      const found = await pair.second.runs.list({ ...owner, session: "s" });
      assert.deepEqual(
        found.map(({ id }) => id),
        [run],
      );
    }
    const [first, ...others] = ALIKE;
    assert.ok(first !== undefined && (await pair.second.sessions.delete(first, "s")));
    assert.equal(await pair.second.runs.find("r0"), undefined);
    for (const owner of others) assert.notEqual(await pair.second.sessions.find(owner, "s"), undefined);
  });

  test("a run of a session that a live process owns is not interrupted, even if others have a session with that id", async () => {
    await using pair = await open();
    const runs = ALIKE.map((owner, index) => recordOf(`r${index}`, { ...owner, session: "s", createdAt: index }));
    await save(pair.first, runs);
    for (const [index, owner] of ALIKE.entries()) {
      const claim = await hold(pair.first, sessionKey(owner, "s"), "one");
      const left = runs.map(({ id }) => id).filter((id) => id !== `r${index}`);
      assert.deepEqual(await pair.second.runs.interrupted(), left);
      await pair.first.claims.release(claim);
    }
  });
}

function testLookUp(open: OpenPair): void {
  test("runs are found by their short ids and by the request that started them, the newest first", async () => {
    await using pair = await open();
    const id = "01900000-0000-7000-8000-0123456789ab";
    const records = [
      recordOf(id, { createdAt: 1, requestId: "req ü'1" }),
      recordOf(id.replace("8000", "9000"), { createdAt: 2, requestId: "req ü'1", user: "bob" }),
      recordOf("custom", { createdAt: 3, requestId: "other" }),
    ];
    await save(pair.first, records);
    const find = async (filter: RunFilter) => (await pair.second.runs.list(filter)).map((run) => run.id);
    const [first, second] = records.map((record) => record.id);
    assert.deepEqual(await find({ shortId: "0123456789ab" }), [second, first]);
    assert.deepEqual(await find({ shortId: "0123456789ab", limit: 1 }), [second]);
    assert.deepEqual(await find({ shortId: "0123456789ab", tenant: "t", user: "ann" }), [first]);
    assert.deepEqual(await find({ shortId: "0123456789ab", tenant: "other" }), []);
    assert.deepEqual(await find({ shortId: toShortId("custom") }), ["custom"]);
    assert.deepEqual(await find({ request: "req ü'1" }), [second, first]);
    assert.deepEqual(await find({ request: "req ü'1", tenant: "t", user: "bob" }), [second]);
    assert.deepEqual(await find({ request: "nobody" }), []);
    assert.equal((await pair.second.runs.find(id))?.requestId, "req ü'1");
  });
}

function testTransfer(open: OpenPair): void {
  test("what one owner has is another's after a transfer, all of it and nothing else", async () => {
    await using pair = await open();
    await addConversation(pair.first, LOCAL, { id: "r1", status: "paused" });
    await addConversation(pair.first, { ...LOCAL, user: "bob" }, { id: "r2" });
    await addConversation(pair.first, ACME, { id: "r3", session: "older" });
    await save(pair.first, [recordOf("r4", { ...LOCAL, status: "ended", outcome: "done" })]);
    const kept = await addRequest(pair.first, LOCAL, "r1");
    const other = await addRequest(pair.first, { ...LOCAL, user: "bob" }, "r2");
    assert.deepEqual(await pair.second.owners.transfer(LOCAL, ACME), { runs: 2, sessions: 1, documents: 0 });
    const ids = async (owner: Owner) => (await pair.first.runs.list(owner)).map(({ id }) => id).toSorted();
    assert.deepEqual(await ids(LOCAL), []);
    assert.deepEqual(await ids(ACME), ["r1", "r3", "r4"]);
    assert.deepEqual(await ids({ ...LOCAL, user: "bob" }), ["r2"]);
    const run = await pair.first.runs.find("r1");
    assert.deepEqual([run?.tenant, run?.user, run?.status, run?.session], [ACME.tenant, ACME.user, "paused", "s"]);
    assert.deepEqual(await linesOf(pair.first, "r1"), ["1"]);
    assert.deepEqual(await pair.first.sessions.find(ACME, "s"), { id: "s", ...ACME, ...TIME, paused: "r1" });
    assert.equal(await pair.first.sessions.find(LOCAL, "s"), undefined);
    assert.deepEqual(await pair.first.sessions.messages(ACME, "s"), ['"r1"']);
    assert.deepEqual(await pair.first.sessions.messages(LOCAL, "s"), []);
    assert.deepEqual(await pair.first.sessions.messages({ ...LOCAL, user: "bob" }, "s"), ['"r2"']);
    assert.equal(await pair.first.requests.find(kept.key), undefined);
    const key = requestKey(ACME, "order");
    assert.deepEqual(await pair.first.requests.find(key), { ...kept, key });
    assert.deepEqual(await pair.first.requests.find(other.key), other);
    assert.deepEqual(await pair.first.owners.transfer(LOCAL, ACME), { runs: 0, sessions: 0, documents: 0 });
  });

  test("what was given away can be written by its new owner, and no more by a process that died before", async () => {
    await using pair = await open();
    const run = await addConversation(pair.first, LOCAL, { id: "r1", status: "paused" });
    const claim = await hold(pair.first, sessionKey(LOCAL, "s"), "dying");
    await pair.first.claims.renew("dying", 1);
    await pair.pass(20);
    await pair.second.owners.transfer(LOCAL, ACME);
    const late = { claim, run: { ...run, turns: 9 }, batch: toBatch("r1", 2, ["2"]) };
    assert.deepEqual(await pair.first.commit([late]), [claim.key]);
    const ours = await hold(pair.second, sessionKey(ACME, "s"), "two");
    const next = { ...run, ...ACME, turns: 5 };
    assert.deepEqual(await pair.second.commit([{ claim: ours, run: next, batch: toBatch("r1", 2, ["2"]) }]), []);
    assert.deepEqual(await pair.first.runs.find("r1"), next);
    assert.deepEqual(await linesOf(pair.first, "r1"), ["1", "2"]);
  });
}

function testRefusals(open: OpenPair): void {
  const refused = async (pair: DatabasePair, message: RegExp) => {
    await assert.rejects(pair.second.owners.transfer(LOCAL, ACME), { code: "conflict", message });
    assert.equal((await pair.first.runs.find("r1"))?.tenant, LOCAL.tenant);
    assert.equal((await pair.first.sessions.find(LOCAL, "s"))?.paused, "r1");
    assert.deepEqual(await pair.first.sessions.messages(LOCAL, "s"), ['"r1"']);
  };

  test("nothing is given away while a run is running, held or not", async () => {
    await using pair = await open();
    await addConversation(pair.first, LOCAL, { id: "r1" });
    await refused(pair, /run r1 is running: wait until it has ended or cancel it/);
  });

  test("nothing is given away while a living process holds some of it", async () => {
    await using pair = await open();
    await addConversation(pair.first, LOCAL, { id: "r1", status: "paused" });
    for (const key of ["run:r1", sessionKey(LOCAL, "s"), sessionKey(LOCAL, "new"), requestKey(LOCAL, "order")]) {
      const claim = await hold(pair.first, key, "one");
      await refused(pair, /is in use: wait until that has ended, or stop the server/);
      await pair.first.claims.release(claim);
    }
    await hold(pair.first, sessionKey({ ...LOCAL, user: "bob" }, "s"), "one");
    assert.deepEqual(await pair.second.owners.transfer(LOCAL, ACME), { runs: 1, sessions: 1, documents: 0 });
  });

  test("nothing is given away if both owners have a session of the same id", async () => {
    await using pair = await open();
    await addConversation(pair.first, LOCAL, { id: "r1", status: "paused" });
    await addConversation(pair.first, ACME, { id: "r2", status: "paused" });
    await refused(pair, /the new owner has a session s already/);
  });
}

type Talking = Partial<RunRecord> & Pick<RunRecord, "id">;

/** A session with one run in it that has said something. */
async function addConversation(database: Database, owner: Owner, more: Talking): Promise<RunRecord> {
  const { id, session = "s" } = more;
  const claim = await hold(database, sessionKey(owner, session), "talker");
  const run = recordOf(id, { ...owner, ...more, session });
  const messages = { ...owner, session, run: id, messages: [`"${id}"`] };
  const record = { id: session, ...owner, ...TIME, paused: id };
  const change = { claim, run, batch: toBatch(id, 1, ["1"]), session: record, messages };
  assert.deepEqual(await database.commit([change]), []);
  await database.claims.leave("talker");
  return run;
}

/** A request that has begun a run. */
async function addRequest(database: Database, owner: Owner, run: string) {
  const key = requestKey(owner, "order");
  const request = { key, fingerprint: "f", begun: { run, after: 0 }, answer: "{}", keptUntil: 1e15 };
  const claim = await hold(database, key, "client");
  assert.deepEqual(await database.commit([{ claim, request }]), []);
  await database.claims.leave("client");
  return request;
}
