/**
 * Database suite: what every database promises, whatever it is kept in.
 *
 * Run it against an implementation with `testDatabase("name", open)`. A lease is long if it must stay alive and a
 * millisecond if it must expire, so nothing here depends on how fast the machine is.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { toBatch, toLines } from "../batch.ts";
import type { Change, RunRecord } from "../record.ts";
import { testClaims } from "./claim-suite.ts";
import { ANN, hold, linesOf, type OpenPair, recordOf } from "./database-pair.ts";
import { testDue } from "./document-due-suite.ts";
import { testFinding } from "./document-finding-suite.ts";
import { testLifetimes } from "./document-lifetime-suite.ts";
import { testDocuments } from "./document-suite.ts";
import { testInbox } from "./inbox-suite.ts";
import { testNext } from "./next-suite.ts";
import { testOwners } from "./owner-suite.ts";
import { testRecords } from "./record-suite.ts";
import { testSearch } from "./search-suite.ts";
import { testRequests } from "./request-suite.ts";

/** Tests a database's promises. */
export function testDatabase(name: string, open: OpenPair): void {
  describe(`${name} is a database`, { timeout: 300_000 }, () => {
    testCommits(open);
    testLogs(open);
    testWatching(open);
    testClosing(open);
    testRecords(open);
    testSearch(open);
    testNext(open);
    testInbox(open);
    testOwners(open);
    testRequests(open);
    testClaims(open);
    testDocuments(open);
    testLifetimes(open);
    testFinding(open);
    testDue(open);
  });
}

function testCommits(open: OpenPair): void {
  test("what a commit wrote is there for every handle once it resolves", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    const batch = toBatch("a", 1, ['{"seq":1}']);
    const session = { id: "s", ...ANN, createdAt: 1, updatedAt: 2 };
    const messages = { ...ANN, session: "s", run: "a", messages: ['{"role":"user"}'] };
    assert.deepEqual(await pair.first.commit([{ claim, run: recordOf("a"), batch, session, messages }]), []);
    for (const database of [pair.first, pair.second]) {
      assert.deepEqual(await database.runs.find("a"), recordOf("a"));
      assert.deepEqual(await database.logs.batches("a", 0, 1_000), [batch]);
      assert.equal(await database.logs.length("a"), 1);
      assert.deepEqual(await database.sessions.find(ANN, "s"), session);
      assert.deepEqual(await database.sessions.messages(ANN, "s"), messages.messages);
      assert.deepEqual(await database.sessions.conversation(ANN, "s"), [{ run: "a", messages: messages.messages }]);
    }
  });

  test("a commit of nothing loses nothing", async () => {
    await using pair = await open();
    assert.deepEqual(await pair.first.commit([]), []);
  });

  test("a commit that fails in the middle has written nothing", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    await pair.first.commit([{ claim, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) }]);
    const good = { claim, run: recordOf("a", { turns: 9 }), batch: toBatch("a", 2, ["2"]) };
    const fresh = { claim, run: recordOf("b"), batch: toBatch("b", 1, ["1"]) };
    const broken: Change = {
      claim,
      get run(): RunRecord {
        throw new Error("cannot be read");
      },
    };
    await assert.rejects(pair.first.commit([good, fresh, broken]), { message: "cannot be read" });
    assert.deepEqual(await pair.second.runs.find("a"), recordOf("a"));
    assert.deepEqual(await linesOf(pair.second, "a"), ["1"]);
    assert.equal(await pair.second.logs.length("a"), 1);
    assert.equal(await pair.second.runs.find("b"), undefined);
    assert.equal(await pair.second.logs.length("b"), 0);
    assert.deepEqual(await pair.first.commit([good, fresh]), []);
    assert.deepEqual(await linesOf(pair.second, "a"), ["1", "2"]);
  });

  test("a writer that is wrong about the length of its log has lost it, and the others have not", async () => {
    await using pair = await open();
    const a = await hold(pair.first, "run:a", "one");
    const b = await hold(pair.first, "run:b", "one");
    await pair.first.commit([{ claim: a, run: recordOf("a"), batch: toBatch("a", 1, ["1", "2"]) }]);
    for (const [index, first] of [1, 2, 4].entries()) {
      const bad = { claim: a, run: recordOf("a", { turns: 9 }), batch: toBatch("a", first, ["other"]) };
      const never = { claim: a, batch: toBatch("never", 2, ["2"]) };
      const good = { claim: b, batch: toBatch("b", index + 1, [`${index + 1}`]) };
      assert.deepEqual(await pair.first.commit([bad, good, never]), ["run:a"]);
    }
    assert.deepEqual(await pair.second.runs.find("a"), recordOf("a"));
    assert.deepEqual(await linesOf(pair.second, "a"), ["1", "2"]);
    assert.deepEqual(await linesOf(pair.second, "b"), ["1", "2", "3"]);
    assert.equal(await pair.second.logs.length("never"), 0);
  });

  test("a commit that is repeated, as nobody knows whether it succeeded, is written once", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    const messages = { ...ANN, session: "s", run: "a", messages: ['"1"'] };
    await pair.first.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]);
    const change = { claim, run: recordOf("a"), batch: toBatch("a", 2, ["2", "3"]), messages };
    for (let tries = 0; tries < 3; tries++) assert.deepEqual(await pair.first.commit([change]), []);
    assert.deepEqual(await linesOf(pair.second, "a"), ["1", "2", "3"]);
    assert.deepEqual(await pair.second.sessions.messages(ANN, "s"), ['"1"']);
    assert.equal(await pair.second.logs.length("a"), 3);
  });

  test("one commit may add to a run several times, and to a thousand runs", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:many", "one");
    const runs = Array.from({ length: 1_000 }, (_, index) => `r${index}`);
    const changes = runs.flatMap((run) => [
      { claim, run: recordOf(run), batch: toBatch(run, 1, ["1"]) },
      { claim, run: recordOf(run, { turns: 2 }), batch: toBatch(run, 2, ["2"]) },
    ]);
    assert.deepEqual(await pair.first.commit(changes), []);
    for (const run of ["r0", "r1", "r999"]) {
      assert.deepEqual(await linesOf(pair.second, run), ["1", "2"]);
      assert.equal((await pair.second.runs.find(run))?.turns, 2);
    }
  });
}

function testLogs(open: OpenPair): void {
  test("a log is read from any event on, a row as a whole, in order", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    const batches = [toBatch("a", 1, ["1", "2"]), toBatch("a", 3, ["3"]), toBatch("a", 4, ["4", "5", "6"])];
    for (const batch of batches) await pair.first.commit([{ claim, batch }]);
    await pair.first.commit([{ claim, batch: toBatch("b", 1, ["other"]) }]);
    for (let after = 0; after <= 6; after++) {
      const rows = await pair.second.logs.batches("a", after, 1_000);
      assert.deepEqual(
        rows,
        batches.filter(({ last }) => last > after),
      );
      assert.deepEqual(toLines("a", after, rows), ["1", "2", "3", "4", "5", "6"].slice(after));
    }
    assert.equal(await pair.second.logs.length("a"), 6);
  });

  test("a reader takes about as much as it asked for, at least one row, and comes to the end in time", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    const body = "x".repeat(1_000);
    await pair.first.commit(
      Array.from({ length: 50 }, (_, index) => ({ claim, batch: toBatch("a", index + 1, [body]) })),
    );
    assert.equal((await pair.second.logs.batches("a", 0, 1)).length, 1);
    const some = await pair.second.logs.batches("a", 10, 5_000);
    assert.equal(some[0]?.first, 11);
    assert.ok(some.length >= 2 && some.length <= 10, `${some.length} rows`);
    let last = 0;
    for (let reads = 0; last < 50 && reads < 50; reads++)
      last = (await pair.second.logs.batches("a", last, 5_000)).at(-1)?.last ?? last;
    assert.equal(last, 50);
  });

  test("a run that was never heard of has an empty log", async () => {
    await using pair = await open();
    assert.deepEqual(await pair.first.logs.batches("nobody", 0, 1_000), []);
    assert.equal(await pair.first.logs.length("nobody"), 0);
    assert.equal(await pair.first.runs.find("nobody"), undefined);
  });

  test("a body comes back byte for byte, whatever is in it and however long it is", async () => {
    await using pair = await open();
    const run = `run'";--\\ Ünïcode 🎼`;
    const lines = ['{"text":"\'\\"\\u0000\\\\ 🎼 日本 \u2028 \uFEFF"}', JSON.stringify("é".repeat(300_000)), ""];
    const claim = await hold(pair.first, `run:${run}`, "one");
    await pair.first.commit([{ claim, batch: toBatch(run, 1, lines) }]);
    assert.deepEqual(await linesOf(pair.second, run), lines);
  });
}

function testWatching(open: OpenPair): void {
  test("a watcher of a run is called when this handle or another has added to it", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    for (const [first, watcher] of [pair.first, pair.second].entries()) {
      const woken = Promise.withResolvers<void>();
      const stop = watcher.logs.watch("a", woken.resolve);
      await pair.first.commit([{ claim, batch: toBatch("a", first + 1, ["1"]) }]);
      await woken.promise;
      assert.equal(await watcher.logs.length("a"), first + 1);
      stop();
    }
  });

  test("a watcher of all runs is called when this handle or another has written to one of them, or begun one", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    for (const [index, watcher] of [pair.first, pair.second].entries()) {
      const changes: Change[] = [
        { claim, run: recordOf(`new-${index}`), creates: true },
        { claim, run: recordOf("a"), batch: toBatch("a", index + 1, ["1"]) },
      ];
      for (const change of changes) {
        const woken = Promise.withResolvers<void>();
        const stop = watcher.logs.watchAll(woken.resolve);
        await pair.first.commit([change]);
        await woken.promise;
        stop();
        stop();
      }
    }
  });

  test("a watcher is called again and again, and one that stopped is not", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    let stopped = 0;
    const stopFirst = pair.second.logs.watch("a", () => stopped++);
    stopFirst();
    stopFirst();
    for (let seq = 1; seq <= 3; seq++) {
      const woken = Promise.withResolvers<void>();
      const stop = pair.second.logs.watch("a", woken.resolve);
      await pair.first.commit([{ claim, batch: toBatch("a", seq, ["1"]) }]);
      await woken.promise;
      stop();
    }
    assert.equal(stopped, 0);
  });
}

function testClosing(open: OpenPair): void {
  test("a handle may be closed twice, and the other one still works", async () => {
    await using pair = await open();
    const claim = await hold(pair.second, "run:a", "two");
    await pair.first[Symbol.asyncDispose]();
    await pair.first[Symbol.asyncDispose]();
    await pair.second.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]);
    assert.deepEqual(await linesOf(pair.second, "a"), ["1"]);
  });

  test("a closed handle refuses every call", async () => {
    await using pair = await open();
    await pair.first[Symbol.asyncDispose]();
    await assert.rejects(pair.first.runs.find("a"), { code: "closed" });
    await assert.rejects(pair.first.commit([]), { code: "closed" });
  });
}
