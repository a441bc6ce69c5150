/**
 * Next suite: a run that is queued in the transaction that writes another one's last words, on every database.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { toBatch } from "../batch.ts";
import type { Change } from "../record.ts";
import { hold, linesOf, type OpenPair, recordOf } from "./database-pair.ts";

const NEXT = recordOf("a-after", { status: "queued", afterOf: "a", options: { deep: [1, null] } });

/** Tests what a database promises about runs that follow others. */
export function testNext(open: OpenPair): void {
  test("a run that follows another is queued with its last words, and nobody holds it", async () => {
    await using pair = await open();
    const claim = await hold(pair.first, "run:a", "one");
    await pair.first.commit([{ claim, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) }]);
    assert.deepEqual(await pair.first.commit([toLast(claim)]), []);
    assert.deepEqual(await pair.second.runs.find("a-after"), NEXT);
    assert.equal(await pair.second.logs.length("a-after"), 0);
    assert.deepEqual(await pair.second.runs.interrupted(), ["a-after"]);
    const own = await hold(pair.second, "run:a-after", "two");
    const begun = recordOf("a-after", { status: "running", afterOf: "a" });
    assert.deepEqual(await pair.second.commit([{ claim: own, run: begun, batch: toBatch("a-after", 1, ["x"]) }]), []);
    assert.deepEqual(await linesOf(pair.first, "a-after"), ["x"]);
    assert.deepEqual(await pair.first.runs.find("a-after"), begun);
  });

  for (const [how, ends] of [
    ["kept", false],
    ["given back", true],
  ] as const) {
    test(`a run that follows another is queued once, however often the commit is repeated and its claim is ${how}`, async () => {
      await using pair = await open();
      const claim = await hold(pair.first, "run:a", "one");
      await pair.first.commit([{ claim, run: recordOf("a"), batch: toBatch("a", 1, ["1"]) }]);
      const last = { ...toLast(claim), ends };
      for (let tries = 0; tries < 3; tries++) assert.deepEqual(await pair.first.commit([last]), []);
      const own = await hold(pair.second, "run:a-after", "two");
      const ended = recordOf("a-after", { status: "ended", afterOf: "a" });
      await pair.second.commit([{ claim: own, run: ended, batch: toBatch("a-after", 1, ["x"]) }]);
      assert.deepEqual(await pair.first.commit([last]), []);
      assert.deepEqual(await pair.second.runs.find("a-after"), ended, "it is as it was left");
      await pair.second.runs.delete("a-after");
      assert.deepEqual(await pair.first.commit([last]), []);
      assert.equal(await pair.second.runs.find("a-after"), undefined, "one that was deleted does not come back");
    });
  }

  test("nothing follows a run whose claim was lost, and a run with the id of one that follows stays as it is", async () => {
    await using pair = await open();
    const lost = { ...(await hold(pair.first, "run:a", "one")), number: 99 };
    assert.deepEqual(await pair.first.commit([toLast(lost)]), ["run:a"]);
    assert.equal(await pair.second.runs.find("a-after"), undefined);
    const other = await hold(pair.first, "run:a-after", "one");
    const there = recordOf("a-after", { input: "somebody's own" });
    await pair.first.commit([{ claim: other, run: there, batch: toBatch("a-after", 1, ["1"]) }]);
    const claim = await hold(pair.first, "run:b", "one");
    const last = { claim, batch: toBatch("b", 1, ["1"]), run: recordOf("b"), next: NEXT };
    assert.deepEqual(await pair.first.commit([last]), []);
    assert.deepEqual(await pair.second.runs.find("a-after"), there);
    assert.deepEqual(await linesOf(pair.second, "a-after"), ["1"]);
  });
}

/** The last change of run `a`. */
function toLast(claim: Change["claim"]): Change {
  return { claim, ends: true, run: recordOf("a", { status: "ended" }), batch: toBatch("a", 2, ["2"]), next: NEXT };
}
