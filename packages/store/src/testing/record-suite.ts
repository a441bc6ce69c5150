/**
 * Record suite: what a database promises of the records of runs, sessions, messages, definitions and keys.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toBatch } from "../batch.ts";
import type { Database } from "../database.ts";
import type { KeyRecord, RunFilter, RunRecord, SessionFilter } from "../record.ts";
import { ANN, hold, linesOf, type OpenPair, recordOf, save } from "./database-pair.ts";

const FULL: RunRecord = recordOf(`it's "quoted" \\ 🎼`, {
  tenant: "日本%_",
  session: "s'\u0001",
  status: "paused",
  outcome: "paused",
  error: { code: "limit", message: "läuft\nnicht \u2028", limit: { name: "max_cost", value: 0.1 } },
  request: { ["__proto__"]: null, nested: [{ deep: [1e-9, -1, true, "\u0000"] }], "": {} },
  input: "NUL \u0000, quotes '\"`, back\\slash, 🎼",
  costUsd: 0.1 + 0.2,
  inputTokens: Number.MAX_SAFE_INTEGER,
  questions: ["1.1", "2.1.3"],
});

/** Tests what is promised of records. */
export function testRecords(open: OpenPair): void {
  testRuns(open);
  testFilters(open);
  testForgetting(open);
  testSessions(open);
  testKeys(open);
}

function testRuns(open: OpenPair): void {
  test("a record comes back as it was written, whatever is in it, and a later one takes its place", async () => {
    await using pair = await open();
    const { session: _session, ...rest } = FULL;
    for (const record of [FULL, { ...rest, status: "ended", outcome: "done" } as const]) {
      await save(pair.first, [record]);
      assert.deepEqual(await pair.second.runs.find(FULL.id), record);
      assert.deepEqual(await pair.second.runs.list({}), [record]);
    }
  });

  test("a definition is kept once under its hash", async () => {
    await using pair = await open();
    assert.equal(await pair.first.definitions.find("h"), undefined);
    await pair.first.definitions.save("h", '{"crew":"ü"}');
    await pair.second.definitions.save("h", '{"crew":"ü"}');
    assert.equal(await pair.second.definitions.find("h"), '{"crew":"ü"}');
  });
}

function testFilters(open: OpenPair): void {
  const records = [
    recordOf("a", { createdAt: 1, status: "ended", outcome: "done", input: "Buy 50% of ACME_1" }),
    recordOf("c", {
      createdAt: 2,
      updatedAt: 2_000,
      status: "paused",
      outcome: "paused",
      crew: "quiz",
      input: "Ärger mit Größe",
    }),
    recordOf("b", { createdAt: 2, status: "queued", session: "s", input: "buy less" }),
    recordOf("d", { createdAt: 3, tenant: "u", session: "s", input: "" }),
  ];
  const cases: readonly [RunFilter, readonly string[]][] = [
    [{}, ["d", "c", "b", "a"]],
    [{ limit: 2 }, ["d", "c"]],
    [{ tenant: "t" }, ["c", "b", "a"]],
    [{ status: "paused" }, ["c"]],
    [{ outcome: "done" }, ["a"]],
    [{ outcome: "paused" }, ["c"]],
    [{ outcome: "failed" }, []],
    [{ since: 2 }, ["d", "c", "b"]],
    [{ until: 2 }, ["a"]],
    [{ since: 2, until: 3, tenant: "t" }, ["c", "b"]],
    [{ changedSince: 1_001 }, ["c"]],
    [{ changedSince: 1_000, tenant: "t" }, ["c", "b", "a"]],
    [{ changedSince: 2_001 }, []],
    [{ crew: "hello" }, ["d", "b", "a"]],
    [{ session: "s" }, ["d", "b"]],
    [{ session: "s", tenant: "t" }, ["b"]],
    [{ before: "d" }, ["c", "b", "a"]],
    [{ before: "c" }, ["b", "a"]],
    [{ before: "b", limit: 5, tenant: "t" }, ["a"]],
    [{ before: "a" }, []],
    [{ before: "nobody" }, []],
    [{ tenant: "u", status: "running", crew: "hello", session: "s", before: "d" }, []],
    [{ tenant: "t' OR '1'='1" }, []],
  ];

  test("runs come newest first, those that are asked for", async () => {
    await using pair = await open();
    await save(pair.first, records);
    for (const [filter, expected] of cases)
      assert.deepEqual(await idsOf(pair.second, filter), expected, JSON.stringify(filter));
  });

  test("without a limit there are 100, and they can be turned over page by page", async () => {
    await using pair = await open();
    const ids = Array.from({ length: 250 }, (_, index) => `r${String(index).padStart(3, "0")}`);
    await save(
      pair.first,
      ids.map((id) => recordOf(id)),
    );
    assert.equal((await pair.second.runs.list({})).length, 100);
    const seen: string[] = [];
    for (let page = await idsOf(pair.second, {}); page.length > 0;) {
      seen.push(...page);
      page = await idsOf(pair.second, { before: page.at(-1) ?? "" });
    }
    assert.deepEqual(seen, ids.toReversed());
  });
}

function testForgetting(open: OpenPair): void {
  test("a run is deleted with its log, once, and its writer has lost it", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    await pair.first.commit([{ claim, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) }]);
    assert.equal(await pair.second.runs.delete("a"), true);
    assert.equal(await pair.second.runs.delete("a"), false);
    const again = { claim, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) };
    assert.deepEqual(await pair.first.commit([again]), ["run:a"]);
    assert.equal(await pair.first.runs.find("a"), undefined);
    assert.equal(await pair.first.logs.length("a"), 0);
    assert.deepEqual(await pair.first.logs.batches("a", 0, 1_000), []);
  });

  test("of ended runs the newest are kept, of others all", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:all", "one");
    const ended = ["e1", "e2", "e3", "e4"].map((id, index) =>
      recordOf(id, { status: "ended", outcome: "done", createdAt: index, updatedAt: 100 - index }),
    );
    const others = (["queued", "running", "paused"] as const).map((status) =>
      // Newer than all that have ended: if they counted, none of those would be kept.
      recordOf(status, { status, createdAt: 50, updatedAt: -1 }),
    );
    const changes = [...ended, ...others].map((run) => ({ claim, run, batch: toBatch(run.id, 1, ["1"]) }));
    await pair.first.commit(changes);
    const left = async () => (await idsOf(pair.second, {})).toSorted();
    assert.equal(await pair.second.runs.prune({}), 0);
    assert.equal(await pair.second.runs.prune({ maxRuns: 3 }), 1);
    assert.deepEqual(await left(), ["e2", "e3", "e4", "paused", "queued", "running"]);
    assert.equal(await pair.second.runs.prune({ endedBefore: 98 }), 1);
    assert.deepEqual(await left(), ["e2", "e3", "paused", "queued", "running"]);
    assert.equal(await pair.second.runs.prune({ maxRuns: 1, endedBefore: 99 }), 2);
    assert.deepEqual(await left(), ["paused", "queued", "running"]);
    assert.equal(await pair.second.runs.prune({ maxRuns: 0, endedBefore: Number.MAX_SAFE_INTEGER }), 0);
    assert.equal(await pair.second.logs.length("e1"), 0);
    assert.deepEqual(await pair.second.logs.batches("e1", 0, 1_000), []);
    assert.deepEqual(await linesOf(pair.second, "paused"), ["1"]);
  });
}

function testSessions(open: OpenPair): void {
  const session = { id: "s", ...ANN, createdAt: 5, updatedAt: 5 };
  const said = (run: string, ...messages: string[]) => ({ ...ANN, session: "s", run, messages });

  test("a conversation is what its runs have added, each in the place where it began", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    await pair.first.commit([{ claim, session, messages: said("r2", '"1"') }]);
    await pair.first.commit([{ claim, messages: said("r1", '"3"', '"4"') }]);
    await pair.first.commit([{ claim, messages: said("r2", '"1"', '"2 ü\'"') }]);
    await pair.first.commit([{ claim, messages: { ...said("r3", '"other"'), session: "s2" } }]);
    await pair.first.commit([{ claim, messages: { ...said("r4", '"other"'), tenant: "t2" } }]);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"1"', '"2 ü\'"', '"3"', '"4"']);
    await pair.first.commit([{ claim, messages: said("r1") }]);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"1"', '"2 ü\'"']);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "nobody"), []);
  });

  test("what is the whole conversation takes the place of what others have said in it, and of nothing else", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    const others = [{ session: "s2" }, { tenant: "t2" }].map((other) => ({
      claim,
      messages: { ...said("r1", '"other"'), ...other },
    }));
    await pair.first.commit([{ claim, session, messages: said("r1", '"1"') }, ...others]);
    await pair.first.commit([{ claim, messages: said("r2", '"2"') }]);
    const whole = { claim, messages: { ...said("r3", '"new"'), replaces: true } as const };
    for (let tries = 0; tries < 2; tries++) assert.deepEqual(await pair.first.commit([whole]), []);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"new"']);
    await pair.first.commit([{ claim, messages: said("r4", '"4"') }]);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"new"', '"4"']);
    await pair.first.commit([{ claim, messages: { ...said("r4", '"all"'), replaces: true } }]);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"all"']);
    const both = [
      { claim, messages: said("r5", '"5"') },
      { ...whole, messages: { ...whole.messages, run: "r6" } },
    ];
    await pair.first.commit([...both, { claim, messages: said("r7", '"7"') }]);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"new"', '"7"']);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s2"), ['"other"']);
    assert.deepEqual(await pair.second.sessions.messages({ ...ANN, tenant: "t2" }, "s"), ['"other"']);
  });

  test("a process that has lost a session does not make it forget", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    await pair.first.commit([{ claim, session, messages: said("r1", '"1"') }]);
    const late = { ...claim, owner: "two" };
    const messages = { ...said("r2", '"2"'), replaces: true } as const;
    assert.deepEqual(await pair.first.commit([{ claim: late, messages }]), ["session:t:ann:s"]);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"1"']);
  });

  test("sessions are a tenant's own, the one that was used last first", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    const others = ["x", "y"].map((id, index) => ({ ...session, id, createdAt: 2 - index, updatedAt: 6 + index }));
    const foreign = { ...session, tenant: "u", paused: "r" };
    await pair.first.commit([session, ...others, foreign].map((one) => ({ claim, session: one })));
    const idsIn = async (filter: Omit<SessionFilter, "tenant" | "user">) =>
      (await pair.second.sessions.list({ ...ANN, ...filter })).map(({ id }) => id);
    assert.deepEqual(await idsIn({}), ["y", "x", "s"]);
    const last = { id: "x", updatedAt: 6 };
    assert.deepEqual(await idsIn({ limit: 2 }), ["y", "x"]);
    assert.deepEqual(await idsIn({ limit: 2, before: last }), ["s"]);
    assert.deepEqual(await idsIn({ before: { id: "s", updatedAt: 5 } }), []);
    const used = { ...session, paused: "r1", updatedAt: 9 };
    await pair.first.commit([{ claim, session: used }]);
    assert.deepEqual(await pair.second.sessions.find(ANN, "s"), used);
    assert.deepEqual(await pair.second.sessions.find({ ...ANN, tenant: "u" }, "s"), foreign);
    assert.equal(await pair.second.sessions.find({ ...ANN, tenant: "v" }, "s"), undefined);
    assert.deepEqual(await idsIn({}), ["s", "y", "x"]);
    // A place stays where it was, though the session that it is named after was used since.
    assert.deepEqual(await idsIn({ before: { id: "s", updatedAt: 5 } }), []);
    assert.deepEqual(await idsIn({ before: { id: "y", updatedAt: 7 } }), ["x"]);
    await pair.first.commit([{ claim, session: { ...session, id: "z", updatedAt: 9 } }]);
    assert.deepEqual(await idsIn({ before: { id: "z", updatedAt: 9 } }), ["s", "y", "x"]);
    assert.deepEqual(await pair.second.sessions.list({ ...ANN, tenant: "u", before: { id: "s", updatedAt: 5 } }), []);
  });

  test("sessions are found by a part of their title, whatever its case", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    const titles = ["Máy tính CHẬM", "100 % of_it", undefined];
    const sessions = titles.map((title, index) => ({ ...session, id: `s${index}`, ...(title && { title }) }));
    await pair.first.commit(sessions.map((one) => ({ claim, session: one })));
    for (const [text, ids] of [
      ["máy", ["s0"]],
      ["chậm", ["s0"]],
      ["% O", ["s1"]],
      ["f_i", ["s1"]],
      ["_", ["s1"]],
      ["%%", []],
      ["", ["s2", "s1", "s0"]],
    ] as const) {
      assert.deepEqual(
        (await pair.second.sessions.list({ ...ANN, text })).map(({ id }) => id),
        ids,
        text,
      );
    }
    assert.deepEqual(await pair.second.sessions.find(ANN, "s0"), sessions[0]);
  });

  test("of the runs of sessions the number is known, and crew and status of the newest", async () => {
    await using pair = await open();
    await save(pair.first, [
      recordOf("r1", { session: "s", createdAt: 1, crew: "old", status: "ended" }),
      recordOf("r3", { session: "s", createdAt: 2, crew: "newest", status: "paused" }),
      recordOf("r2", { session: "s", createdAt: 2, crew: "new", status: "ended" }),
      recordOf("r4", { session: "s", createdAt: 3, user: "bob" }),
      recordOf("r5", { session: "x", createdAt: 3, status: "queued" }),
      recordOf("r6", { createdAt: 4 }),
    ]);
    assert.deepEqual(
      await pair.second.sessions.runs(ANN, ["s", "x", "nobody"]),
      new Map([
        ["s", { runs: 3, crew: "newest", status: "paused" }],
        ["x", { runs: 1, crew: "hello", status: "queued" }],
      ]),
    );
    assert.deepEqual(await pair.second.sessions.runs(ANN, []), new Map());
  });

  test("a session is deleted with its messages and its runs, and its writer has lost it", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    const other = recordOf("r2", { tenant: "u", session: "s" });
    await pair.first.commit([
      { claim, session, run: recordOf("r1", { session: "s" }), batch: toBatch("r1", 1, ["1"]) },
      { claim, messages: said("r1", '"1"') },
      { claim, session: { ...session, tenant: "u" }, run: other, batch: toBatch("r2", 1, ["1"]) },
    ]);
    assert.equal(await pair.second.sessions.delete(ANN, "s"), true);
    assert.equal(await pair.second.sessions.delete(ANN, "s"), false);
    assert.deepEqual(await pair.first.commit([{ claim, session }]), ["session:t:ann:s"]);
    assert.equal(await pair.first.sessions.find(ANN, "s"), undefined);
    assert.deepEqual(await pair.first.sessions.messages(ANN, "s"), []);
    assert.equal(await pair.first.runs.find("r1"), undefined);
    assert.equal(await pair.first.logs.length("r1"), 0);
    assert.deepEqual(await idsOf(pair.first, {}), ["r2"]);
    assert.deepEqual(await linesOf(pair.first, "r2"), ["1"]);
  });

  test("a conversation outlives the runs it came from", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    await pair.first.commit([{ claim, session, run: recordOf("r1", { session: "s" }), messages: said("r1", '"1"') }]);
    await pair.first.runs.delete("r1");
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"1"']);
  });
}

function testKeys(open: OpenPair): void {
  test("keys are kept in the order they were made, and revoked once", async () => {
    await using pair = await open();
    const key: KeyRecord = {
      id: "k1",
      tenant: "t'",
      user: "ü",
      plan: "premium",
      scopes: ["runs:read", "ü"],
      hash: "00ff",
      createdAt: 1,
    };
    await pair.first.keys.add(key);
    await pair.first.keys.add({ ...key, id: "a2", createdAt: 2 });
    assert.deepEqual(await pair.second.keys.list(), [key, { ...key, id: "a2", createdAt: 2 }]);
    assert.equal(await pair.second.keys.revoke("k1", 7), true);
    assert.equal(await pair.first.keys.revoke("k1", 8), false);
    assert.equal(await pair.first.keys.revoke("nobody", 8), false);
    assert.deepEqual(await pair.first.keys.list(), [
      { ...key, revokedAt: 7 },
      { ...key, id: "a2", createdAt: 2 },
    ]);
    assert.equal(await pair.second.keys.deleteAll(), 2);
    assert.deepEqual(await pair.first.keys.list(), []);
    assert.equal(await pair.first.keys.deleteAll(), 0);
  });

  test("a database is in use as long as the lease of a process lasts", async () => {
    await using pair = await open();
    assert.equal(await pair.first.claims.isInUse(), false);
    await pair.first.claims.renew("one", 600_000);
    assert.equal(await pair.second.claims.isInUse(), true);
    await pair.first.claims.leave("one");
    assert.equal(await pair.second.claims.isInUse(), false);
    await pair.first.claims.renew("two", 0);
    assert.equal(await pair.second.claims.isInUse(), false);
  });
}

async function idsOf(database: Database, filter: RunFilter): Promise<readonly string[]> {
  return (await database.runs.list(filter)).map(({ id }) => id);
}
