/** Events that are not on disk do not count as written; dropped events are gone, and waiters get the reason. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import type { TextSource } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { openMemory } from "@baton/store/sqlite";
import { Writer } from "@baton/store/ports";
import { recordOf } from "@baton/store/testing";
import { StoredRunLog } from "./stored-run-log.ts";
import { letPass, watch } from "../testing/work-state.ts";

/** The log of a new run, and how often it was lost. */
function openLog() {
  const clock = new SimulatedClock(1);
  const database = openMemory({ now: () => clock.now() });
  const around = { store: { database, writer: new Writer(database, clock), clock }, observer: undefined };
  const count = { lost: 0 };
  const claim = { key: "run:r", owner: "one", number: 1 };
  const lost = () => count.lost++;
  const seat = { claim, isClaimNew: true, isLent: false, record: recordOf("r"), isNew: true, length: 0, past: 0, lost };
  return { log: new StoredRunLog(seat, around), count, clock };
}

test("what is appended while a commit is under way is not committed with it", async () => {
  const { log } = openLog();
  const first = log.take() ?? assert.fail();
  log.append({ type: "warning.raised", agent: "a", text: "late" }, "");
  log.wrote(first);
  const committed = watch(log.committed() ?? assert.fail("it counts as on disk"));
  const stored = watch(log.stored());
  assert.deepEqual(await log.read(0), []);
  const second = log.take() ?? assert.fail();
  assert.deepEqual([committed.now, stored.now, second.batch?.last], ["open", "open", 1]);
  log.wrote(second);
  await letPass(4);
  assert.deepEqual([committed.now, stored.now, log.committed()], ["done", "done", undefined]);
  assert.equal((await log.read(0)).length, 1);
});

test("what comes while something is written that is then given up is not written without it", async () => {
  const { log, count } = openLog();
  assert.equal(log.isUnknown, true);
  assert.equal(log.take()?.creates, true);
  log.append({ type: "warning.raised", agent: "a", text: "late" }, "");
  log.givenUp(new BatonError("busy", "the disk is full"));
  assert.deepEqual([log.take(), log.isUnknown, count.lost], [undefined, false, 1]);
  await assert.rejects(log.stored(), { code: "busy", message: /disk is full/ });
});

test("lines come from memory once they are on disk, and not while more is being written", () => {
  const { log } = openLog();
  const first = log.take() ?? assert.fail();
  assert.equal(log.lines(0), undefined);
  log.wrote(first);
  log.append({ type: "warning.raised", agent: "a", text: "one" }, "");
  assert.deepEqual(log.lines(0), []);
  const second = log.take() ?? assert.fail();
  assert.equal(log.lines(0), undefined);
  log.wrote(second);
  assert.equal(log.lines(0)?.length, 1);
  assert.deepEqual(log.lines(1), []);
});

test("the first words of a step are written at once, those that follow wait for more", async () => {
  const { log, clock } = openLog();
  const written: number[] = [];
  const say = async (source: TextSource, text: string) => {
    log.appendText(source, text);
    await clock.advance(1);
    written.push((await log.read(0)).length);
  };
  const [one, other] = [
    { lane: "1/one", step: "1/one/1.1", agent: "one" },
    { lane: "1/other", step: "1/other/1.1", agent: "other" },
  ];
  for (const text of ["Hello", ", "]) await say(one, text);
  await say(other, "Good day");
  for (const source of [one, other]) await say(source, "world");
  await clock.advance(10);
  assert.deepEqual([...written, (await log.read(0)).length], [1, 1, 3, 3, 3, 5]);
});
