/**
 * Request suite: what a database promises of requests that are to be carried out once.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { requestKey } from "../claim-key.ts";
import type { Database } from "../database.ts";
import type { Claim, RequestRecord } from "../record.ts";
import { ANN, hold, type OpenPair, recordOf, save } from "./database-pair.ts";

/** Later than any clock of a test. */
const LATER = 1e15;
const KEY = requestKey({ tenant: "t'", user: "ü" }, 'order "17" ü:\\');

export function requestOf(key: string, more: Partial<RequestRecord> = {}): RequestRecord {
  return { key, fingerprint: "00ff", keptUntil: LATER, ...more };
}

/** Tests what is promised of requests. */
export function testRequests(open: OpenPair): void {
  testKeeping(open);
  testTaking(open);
  testForgetting(open);
  testDeleting(open);
}

function testKeeping(open: OpenPair): void {
  test("a request comes back as it was written, byte for byte, and a later record takes its place", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, KEY, "one");
    assert.equal(await pair.second.requests.find(KEY), undefined);
    const taken = requestOf(KEY, { begun: { run: "r0", after: 7 } });
    const answer = JSON.stringify({ status: 202, body: "NUL \u0000, '\"`\\, 🎼 \uD800 \u2028\r\n".repeat(10_000) });
    for (const request of [taken, { ...taken, answer }, requestOf(KEY)]) {
      assert.deepEqual(await pair.first.commit([{ claim, request }]), []);
      assert.deepEqual(await pair.second.requests.find(KEY), request);
    }
    assert.equal(await pair.second.requests.find(requestKey(ANN, "order")), undefined);
  });
}

function testDeleting(open: OpenPair): void {
  test("answers go with the run or session they tell of when it is deleted, and stay when it is only pruned", async () => {
    await using pair = await open();
    const of = (run: string): RequestRecord => requestOf(`request:${run}`, { begun: { run, after: 0 }, answer: run });
    const ended = { status: "ended", outcome: "done" } as const;
    await save(pair.first, [
      recordOf("r1", ended),
      recordOf("r2", { ...ended, session: "s" }),
      recordOf("r3", { ...ended, session: "other" }),
    ]);
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    const session = { id: "s", ...ANN, createdAt: 1, updatedAt: 1 };
    await pair.first.commit([{ claim, session }]);
    await keep(pair.first, ["r1", "r2", "r3"].map(of));
    assert.equal(await pair.second.runs.delete("r1"), true);
    assert.equal(await pair.second.sessions.delete(ANN, "s"), true);
    assert.equal(await pair.second.runs.prune({ maxRuns: 0 }), 1);
    const left = await Promise.all(["r1", "r2", "r3"].map((run) => pair.first.requests.find(`request:${run}`)));
    assert.deepEqual(left, [undefined, undefined, of("r3")]);
  });
}

function testTaking(open: OpenPair): void {
  test("of many that take the same request at the same time, one has written it", async () => {
    await using pair = await open();
    const take = async (index: number): Promise<boolean> => {
      const [database, owner] = [index % 2 === 0 ? pair.first : pair.second, `owner ${index}`];
      await database.claims.renew(owner, 3_600_000);
      const claim = { key: KEY, owner, number: 1 };
      const lost = await database.commit([{ claim, begins: true, request: requestOf(KEY, { fingerprint: owner }) }]);
      return lost.length === 0;
    };
    const got = await Promise.all(Array.from({ length: 20 }, (_, index) => take(index)));
    assert.equal(got.filter(Boolean).length, 1);
    assert.equal((await pair.first.requests.find(KEY))?.fingerprint, `owner ${got.indexOf(true)}`);
  });

  test("a process that was believed dead does not overwrite the answer of the one that took over", async () => {
    await using pair = await open();
    const late = await hold(pair.first, KEY, "one");
    await pair.first.commit([{ claim: late, request: requestOf(KEY) }]);
    await pair.first.claims.renew("one", 1);
    await pair.pass(5);
    const claim = await hold(pair.second, KEY, "two");
    assert.deepEqual(await pair.second.requests.find(KEY), requestOf(KEY));
    await pair.second.commit([{ claim, ends: true, request: requestOf(KEY, { answer: '"two"' }) }]);
    const given = await pair.first.commit([{ claim: late, ends: true, request: requestOf(KEY, { answer: '"one"' }) }]);
    assert.deepEqual(given, [KEY]);
    assert.equal((await pair.first.requests.find(KEY))?.answer, '"two"');
  });
}

function testForgetting(open: OpenPair): void {
  test("a request is kept until its time is over, and may be taken anew then", async () => {
    await using pair = await open();
    await keep(pair.first, [requestOf(KEY, { keptUntil: pair.now() + 2_000, answer: '"1"' })]);
    assert.equal((await pair.second.requests.find(KEY))?.answer, '"1"');
    await pair.pass(2_000);
    assert.equal(await pair.second.requests.find(KEY), undefined);
    await keep(pair.second, [requestOf(KEY, { fingerprint: "ff" })]);
    assert.deepEqual(await pair.first.requests.find(KEY), requestOf(KEY, { fingerprint: "ff" }));
  });

  test("with each request that is written some are removed whose time is over, and none that is kept", async () => {
    await using pair = await open();
    const keys = Array.from({ length: 40 }, (_, index) => `request:${index}`);
    await keep(
      pair.first,
      keys.map((key, index) => requestOf(key, { keptUntil: index < 30 ? 1 : LATER })),
    );
    for (let count = 0; count < 3; count++) await keep(pair.first, [requestOf("request:new")]);
    const left = await Promise.all(keys.map(async (key) => (await pair.second.requests.find(key)) !== undefined));
    assert.deepEqual(
      left,
      keys.map((_, index) => index >= 30),
    );
    assert.equal(await pair.countRequests(), 11);
  });
}

/** Writes requests under a claim of their own. */
export async function keep(database: Database, requests: readonly RequestRecord[]): Promise<void> {
  const claim: Claim = await hold(database, "request:keeping", "keeper");
  for (const request of requests) assert.deepEqual(await database.commit([{ claim, request }]), []);
  await database.claims.leave("keeper");
}
