/**
 * Claim suite: what a database promises of leases, claims, fencing, interrupted runs and the shared ledger.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Cap } from "@baton/core/ports";
import { toBatch } from "../batch.ts";
import { sessionKey } from "../claim-key.ts";
import type { Database } from "../database.ts";
import type { Claim } from "../record.ts";
import { ANN, hold, linesOf, type OpenPair, type DatabasePair, recordOf, save } from "./database-pair.ts";

const LONG_MS = 3_600_000;

/** Tests what is promised of claims. */
export function testClaims(open: OpenPair): void {
  testHolding(open);
  testFencing(open);
  testCreating(open);
  testInterrupted(open);
  testSpending(open);
}

function testHolding(open: OpenPair): void {
  test("a claim is one owner's while it lives, and anybody's once it was released", async () => {
    await using pair = await open();
    const mine = await hold(pair.first, "run:a", "one");
    await pair.second.claims.renew("two", LONG_MS);
    assert.equal(await pair.second.claims.take({ key: "run:a", owner: "two", number: 1 }), false);
    assert.equal(await pair.first.claims.take({ key: "run:a", owner: "one", number: 2 }), false);
    assert.equal(await pair.second.claims.take({ key: "run:b", owner: "two", number: 2 }), true);
    await pair.first.claims.release(mine);
    assert.equal(await pair.second.claims.take({ key: "run:a", owner: "two", number: 3 }), true);
  });

  test("of many that ask at the same time, one gets the claim", async () => {
    await using pair = await open();
    const owners = Array.from({ length: 20 }, (_, index) => `owner ${index}`);
    const ask = async (owner: string, index: number): Promise<boolean> => {
      const database = index % 2 === 0 ? pair.first : pair.second;
      await database.claims.renew(owner, LONG_MS);
      return database.claims.take({ key: "run:a", owner, number: 1 });
    };
    const got = await Promise.all(owners.map(ask));
    assert.equal(got.filter(Boolean).length, 1);
  });

  test("a claim is taken over once its owner's lease is over, and not before", async () => {
    await using pair = await open();
    await pair.first.claims.renew("one", LONG_MS);
    await pair.first.claims.take({ key: "run:a", owner: "one", number: 1 });
    await pair.second.claims.renew("two", LONG_MS);
    const theirs = { key: "run:a", owner: "two", number: 1 };
    await pair.pass(5);
    assert.equal(await pair.second.claims.take(theirs), false);
    await die(pair, "one");
    assert.equal(await pair.second.claims.take(theirs), true);
  });

  test("a claim is taken over from an owner that is alive, whose next change is refused", async () => {
    await using pair = await open();
    const mine = await hold(pair.first, "run:a", "one");
    await pair.second.claims.renew("two", LONG_MS);
    const theirs = { key: "run:a", owner: "two", number: 1 };
    await pair.second.claims.takeOver(theirs);
    assert.deepEqual(await pair.first.commit([{ claim: mine, batch: toBatch("a", 1, ["1"]) }]), ["run:a"]);
    assert.deepEqual(await pair.second.commit([{ claim: theirs, batch: toBatch("a", 1, ["2"]) }]), []);
    await pair.first.claims.release(mine);
    assert.equal(await pair.first.claims.take({ ...mine, number: 9 }), false);
    await pair.second.claims.takeOver({ key: "run:b", owner: "two", number: 2 });
    assert.equal(await pair.first.claims.take({ key: "run:b", owner: "one", number: 10 }), false);
  });

  test("a claim whose lease was over is still held if nobody took it meanwhile", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    await die(pair, "one");
    assert.deepEqual(await pair.first.commit([{ claim, batch: toBatch("a", 1, ["1"]) }]), []);
    await pair.first.claims.renew("one", LONG_MS);
    await pair.second.claims.renew("two", LONG_MS);
    assert.equal(await pair.second.claims.take({ key: "run:a", owner: "two", number: 1 }), false);
    assert.deepEqual(await pair.first.commit([{ claim, batch: toBatch("a", 2, ["2"]) }]), []);
  });

  test("a process that releases a lost claim takes nothing from the new owner", async () => {
    await using pair = await open();
    const old = await hold(pair.first, "run:a", "one");
    const taken = await takeOver(pair, old);
    await pair.first.claims.release(old);
    await pair.first.claims.release({ ...taken, number: 99 });
    assert.deepEqual(await pair.second.commit([{ claim: taken, batch: toBatch("a", 1, ["1"]) }]), []);
  });

  test("a process that ends releases all its claims and nobody else's", async () => {
    await using pair = await open();
    await hold(pair.first, "run:a", "one");
    const lost = await hold(pair.first, "run:b", "one");
    const kept = await hold(pair.second, "run:c", "two");
    await pair.first.claims.leave("one");
    assert.deepEqual(await pair.first.commit([{ claim: lost, run: recordOf("b") }]), ["run:b"]);
    assert.deepEqual(await pair.second.commit([{ claim: kept, run: recordOf("c") }]), []);
    for (const key of ["run:a", "run:b"]) assert.ok(await pair.second.claims.take({ key, owner: "two", number: 2 }));
  });
}

function testFencing(open: OpenPair): void {
  test("nothing is written under a claim that is not held, and all else of its commit is", async () => {
    await using pair = await open();
    const mine = await hold(pair.first, "run:a", "one");
    const other = await hold(pair.second, "run:b", "two");
    const released = await hold(pair.first, "run:c", "one");
    await pair.first.claims.release(released);
    const foreign: readonly Claim[] = [
      { ...mine, number: 2 },
      { ...mine, owner: "two" },
      { ...other, owner: "one" },
      { key: "run:nobody", owner: "one", number: 1 },
      released,
    ];
    let seq = 0;
    for (const claim of foreign) {
      const lost = await pair.first.commit([...forged(claim), good(mine, ++seq), ...forged(claim)]);
      assert.deepEqual(lost, [claim.key]);
      assert.equal(await pair.second.logs.length("mine"), seq);
    }
    await assertUntouched(pair.second);
    assert.deepEqual(await linesOf(pair.second, "mine"), ["1", "2", "3", "4", "5"]);
  });

  test("an owner that was frozen beyond its lease cannot write once another took over", async () => {
    await using pair = await open();
    const old = await hold(pair.first, "run:a", "one");
    await pair.first.commit([{ claim: old, run: recordOf("a"), batch: toBatch("a", 1, ["first"]) }]);
    const taken = await takeOver(pair, old);
    await pair.first.claims.renew("one", LONG_MS);
    const late = { claim: old, run: recordOf("a", { turns: 9 }), batch: toBatch("a", 2, ["late"]) };
    assert.deepEqual(await pair.first.commit([late]), ["run:a"]);
    await pair.second.commit([{ claim: taken, batch: toBatch("a", 2, ["second"]) }]);
    assert.deepEqual(await pair.first.commit([late]), ["run:a"]);
    assert.deepEqual(await linesOf(pair.first, "a"), ["first", "second"]);
    assert.deepEqual(await pair.first.runs.find("a"), recordOf("a"));
  });

  test("a claim that nobody owns can be taken over, and an owner may take over its own with a new number", async () => {
    await using pair = await open();
    await pair.first.claims.renew("one", LONG_MS);
    const [first, again] = [1, 2].map((number) => ({ key: "run:a", owner: "one", number }));
    assert.ok(first !== undefined && again !== undefined);
    await pair.first.claims.takeOver(first);
    await pair.first.claims.takeOver(again);
    assert.deepEqual(await pair.first.commit([{ claim: first, run: recordOf("a") }]), ["run:a"]);
    assert.deepEqual(await pair.first.commit([{ claim: again, run: recordOf("a") }]), []);
  });

  test("a claim that was lost stays lost when the same owner gets the key again", async () => {
    await using pair = await open();
    const old = await hold(pair.first, "run:a", "one");
    const taken = await takeOver(pair, old);
    await pair.second.claims.release(taken);
    await pair.first.claims.renew("one", LONG_MS);
    assert.ok(await pair.first.claims.take({ ...old, number: 2 }));
    assert.deepEqual(await pair.first.commit([{ claim: old, run: recordOf("a") }]), ["run:a"]);
  });
}

function testCreating(open: OpenPair): void {
  test("a run is created once: if it has another record or a log, its claim counts as lost", async () => {
    await using pair = await open();
    const ended = { run: recordOf("a", { status: "ended", outcome: "done" }), batch: toBatch("a", 1, ["1", "2"]) };
    const first = await hold(pair.first, "session:t:ann:s", "one");
    assert.deepEqual(await pair.first.commit([{ claim: first, creates: true, ...ended }]), []);
    assert.deepEqual(await pair.first.commit([{ claim: first, run: recordOf("b", { status: "queued" }) }]), []);
    assert.deepEqual(await pair.first.commit([{ claim: first, batch: toBatch("c", 1, ["1"]) }]), []);
    await pair.second.claims.renew("two", LONG_MS);
    for (const id of ["a", "b", "c"]) {
      const claim = { key: `run:${id}`, owner: "two", number: 1 };
      const change = { claim, begins: true, creates: true, run: recordOf(id, { turns: 9 }) };
      const other = { claim: first, batch: toBatch(`other ${id}`, 1, ["1"]) };
      assert.deepEqual(await pair.second.commit([change, other]), [claim.key], id);
      await pair.second.claims.release(claim);
      assert.deepEqual(await pair.second.commit([{ ...change, batch: toBatch(id, 1, ["other"]) }]), [claim.key], id);
      await pair.second.claims.release(claim);
      assert.equal(await pair.second.logs.length(`other ${id}`), 1);
    }
    assert.deepEqual(await pair.second.runs.find("a"), ended.run);
    assert.equal((await pair.second.runs.find("b"))?.status, "queued");
    assert.equal(await pair.second.runs.find("c"), undefined);
    assert.deepEqual([await linesOf(pair.second, "a"), await linesOf(pair.second, "c")], [["1", "2"], ["1"]]);
  });

  test("a run that is created again by the same change, as nobody knows whether it was, is created once", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "session:t:ann:s", "one");
    const queued = { claim, creates: true, run: recordOf("queued", { status: "queued" }) };
    const begun = { claim, creates: true, run: recordOf("begun"), batch: toBatch("begun", 1, ["1", "2"]) };
    for (let tries = 0; tries < 3; tries++) assert.deepEqual(await pair.first.commit([queued, begun]), []);
    assert.deepEqual(await pair.first.commit([{ claim, batch: toBatch("queued", 1, ["1"]) }]), []);
    assert.deepEqual(await pair.first.commit([{ claim, batch: toBatch("begun", 3, ["3"]) }]), []);
    assert.deepEqual(await linesOf(pair.second, "queued"), ["1"]);
    assert.deepEqual(await linesOf(pair.second, "begun"), ["1", "2", "3"]);
  });

  test("of many that create the same run at the same time, one has", async () => {
    await using pair = await open();
    const create = async (index: number): Promise<boolean> => {
      const [database, owner] = [index % 2 === 0 ? pair.first : pair.second, `owner ${index}`];
      const claim = await hold(database, `session:t:ann:${index}`, owner);
      const run = recordOf("a", { input: owner });
      const batch = index % 3 === 0 ? {} : { batch: toBatch("a", 1, [owner]) };
      return (await database.commit([{ claim, creates: true, run, ...batch }])).length === 0;
    };
    const got = await Promise.all(Array.from({ length: 20 }, (_, index) => create(index)));
    assert.equal(got.filter(Boolean).length, 1);
    assert.equal((await pair.first.runs.find("a"))?.input, `owner ${got.indexOf(true)}`);
  });

  test("nothing is written for a request that somebody else carries out, and with it all at once", async () => {
    await using pair = await open();
    const also = await hold(pair.first, "request:k", "one");
    const request = { key: "request:k", fingerprint: "ff", begun: { run: "a", after: 0 }, keptUntil: 1e15 };
    const start = (claim: Claim, id: string, second: Claim) => {
      return { claim, also: second, begins: true, creates: true, run: recordOf(id), request };
    };
    const claim = { key: "run:a", owner: "one", number: 2 };
    assert.deepEqual(await pair.first.commit([start(claim, "a", also)]), []);
    assert.deepEqual(await pair.second.requests.find("request:k"), request);
    const taken = await takeOver(pair, also);
    await pair.first.claims.renew("one", LONG_MS);
    const late = { key: "run:b", owner: "one", number: 3 };
    assert.deepEqual(await pair.first.commit([start(late, "b", also)]), ["run:b"]);
    await pair.second.claims.release(taken);
    assert.deepEqual(await pair.first.commit([start(late, "b", also)]), ["run:b"]);
    assert.equal(await pair.second.runs.find("b"), undefined);
  });

  test("a last change that is repeated, because nobody knows whether it was written, is not lost", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:mine", "one");
    await pair.first.commit([good(claim, 1)]);
    const last = { ...good(claim, 2), ends: true, run: recordOf("mine", { status: "ended" }) };
    for (let tries = 0; tries < 3; tries++) assert.deepEqual(await pair.first.commit([last]), []);
    const taken = await hold(pair.second, "run:mine", "two");
    assert.deepEqual(await pair.second.commit([{ claim: taken, run: recordOf("mine", { turns: 7 }) }]), []);
    assert.deepEqual(await pair.first.commit([last]), []);
    assert.deepEqual(await pair.first.commit([{ ...good(claim, 3), ends: true }]), ["run:mine"]);
    assert.equal((await pair.second.runs.find("mine"))?.turns, 7);
    assert.deepEqual(await linesOf(pair.second, "mine"), ["1", "2"]);
  });
}

function testInterrupted(open: OpenPair): void {
  test("runs that no living process holds are found, oldest first, whether alone or in a session", async () => {
    await using pair = await open();
    const records = [
      recordOf("young", { createdAt: 9 }),
      recordOf("old", { createdAt: 1, status: "queued" }),
      recordOf("middle", { createdAt: 5, session: "s" }),
      recordOf("held", { createdAt: 2 }),
      recordOf("talking", { createdAt: 3, session: "held" }),
      recordOf("elsewhere", { createdAt: 6, session: "held", tenant: "u", crew: "quiz" }),
      recordOf("unknown", { crew: "gone" }),
      recordOf("paused", { createdAt: 3, status: "paused" }),
      recordOf("ended", { createdAt: 4, status: "ended", outcome: "done" }),
    ];
    await save(pair.first, records);
    await hold(pair.first, "run:held", "one");
    await hold(pair.first, sessionKey(ANN, "held"), "one");
    await hold(pair.first, "run:young", "dying");
    await die(pair, "dying");
    const crews = ["quiz", "hello"];
    const found = () => pair.second.runs.interrupted(crews);
    assert.deepEqual(await found(), ["old", "middle", "elsewhere", "young"]);
    assert.deepEqual(await pair.second.runs.interrupted(["gone"]), ["unknown"]);
    assert.deepEqual(await pair.second.runs.interrupted([]), []);
    assert.deepEqual(await pair.second.runs.interrupted(), ["old", "middle", "elsewhere", "young", "unknown"]);
    await die(pair, "one");
    assert.deepEqual(await found(), ["old", "held", "talking", "middle", "elsewhere", "young"]);
  });
}

function testSpending(open: OpenPair): void {
  const tokens: Cap = { name: "max_tokens", measure: "tokens", max: 100 };
  const account = { id: "crew c", caps: [tokens] };

  test("a claim can be taken with the first change and given back with the last", async () => {
    await using pair = await open();
    await pair.first.claims.renew("one", LONG_MS);
    await pair.second.claims.renew("two", LONG_MS);
    const claim = { key: "run:mine", owner: "one", number: 1 };
    assert.deepEqual(await pair.first.commit([{ ...good(claim, 1), begins: true }]), []);
    assert.equal(await pair.second.claims.take({ key: "run:mine", owner: "two", number: 1 }), false);
    assert.deepEqual(await pair.first.commit([{ ...good(claim, 2), ends: true }]), []);
    assert.deepEqual(await pair.first.commit([good(claim, 3)]), ["run:mine"]);
    assert.equal(await pair.second.claims.take({ key: "run:mine", owner: "two", number: 2 }), true);
    assert.equal(await pair.first.logs.length("mine"), 2);
  });

  test("a claim that somebody living holds is not taken with a change, and one of the dead is", async () => {
    await using pair = await open();
    const held = await hold(pair.first, "run:mine", "one");
    await pair.second.claims.renew("two", LONG_MS);
    const claim = { key: "run:mine", owner: "two", number: 1 };
    assert.deepEqual(await pair.second.commit([{ ...good(claim, 1), begins: true }]), ["run:mine"]);
    assert.equal(await pair.second.logs.length("mine"), 0);
    await die(pair, held.owner);
    assert.deepEqual(await pair.second.commit([{ ...good(claim, 1), begins: true }]), []);
    assert.deepEqual(await pair.first.commit([good(held, 2)]), ["run:mine"]);
  });

  test("what one process reserves and spends is gone for the others", async () => {
    await using pair = await open();
    const [one, two] = [pair.first.ledger, pair.second.ledger];
    const reserved = await one.reserve([account], { tokens: 70, usd: 0 });
    assert.ok(reserved.ok);
    assert.deepEqual(await two.reserve([account], { tokens: 31, usd: 0 }), {
      ok: false,
      refusal: { account: "crew c", cap: tokens, used: 70 },
    });
    await reserved.settle({ tokens: 60, usd: 0 });
    assert.equal((await two.reserve([account], { tokens: 41, usd: 0 })).ok, false);
    assert.equal((await two.reserve([account], { tokens: 40, usd: 0 })).ok, true);
  });

  test("what a dead process had reserved counts as spent", async () => {
    await using pair = await open();
    await pair.first.claims.renew("one", LONG_MS);
    assert.ok((await pair.first.ledger.reserve([account], { tokens: 70, usd: 0 })).ok);
    await die(pair, "one");
    await pair.second.claims.renew("two", LONG_MS);
    assert.equal((await pair.second.ledger.reserve([account], { tokens: 31, usd: 0 })).ok, false);
    assert.equal((await pair.second.ledger.reserve([account], { tokens: 30, usd: 0 })).ok, true);
  });
}

/** Lets a process's lease run out. */
async function die({ first, pass }: DatabasePair, owner: string): Promise<void> {
  await first.claims.renew(owner, 1);
  await pass(50);
}

/** Another owner takes a claim whose owner has died. */
async function takeOver(pair: DatabasePair, { key, owner }: Claim): Promise<Claim> {
  await die(pair, owner);
  return hold(pair.second, key, "two");
}

function good(claim: Claim, seq: number) {
  return { claim, batch: toBatch("mine", seq, [`${seq}`]) };
}

/** Every kind of thing a change may write. */
function forged(claim: Claim) {
  const session = { id: "s", ...ANN, createdAt: 1, updatedAt: 1 };
  const messages = { ...ANN, session: "s", run: "forged", messages: ['"forged"'] };
  return [
    { claim, run: recordOf("forged") },
    { claim, batch: toBatch("forged", 1, ["1"]) },
    { claim, session },
    { claim, messages },
  ];
}

async function assertUntouched(database: Database): Promise<void> {
  assert.equal(await database.runs.find("forged"), undefined);
  assert.equal(await database.logs.length("forged"), 0);
  assert.deepEqual(await database.logs.batches("forged", 0, 1_000), []);
  assert.equal(await database.sessions.find(ANN, "s"), undefined);
  assert.deepEqual(await database.sessions.messages(ANN, "s"), []);
}
