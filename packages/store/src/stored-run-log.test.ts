/** What was given up is gone: nothing of it is written later, and whoever asks is told why. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { BatonError } from "@baton/core";
import { SimulatedClock } from "@baton/core/testing";
import { MemoryData } from "./memory-data.ts";
import { MemoryDatabase } from "./memory-database.ts";
import { StoredRunLog } from "./stored-run-log.ts";
import { recordOf } from "./testing/database-pair.ts";
import { Writer } from "./writer.ts";

test("what comes while something is written that is then given up is not written without it", async () => {
  const clock = new SimulatedClock(1);
  const database = new MemoryDatabase(new MemoryData(clock));
  const around = { database, writer: new Writer(database, clock), clock, observer: undefined };
  let lost = 0;
  const claim = { key: "run:r", owner: "one", number: 1 };
  const seat = { claim, isClaimNew: true, record: recordOf("r"), isNew: true, length: 0, past: 0, lost: () => lost++ };
  const log = new StoredRunLog(seat, around);
  assert.equal(log.isUnknown, true);
  assert.equal(log.take()?.creates, true);
  log.append({ type: "warning.raised", agent: "a", text: "late" }, "");
  log.givenUp(new BatonError("busy", "the disk is full"));
  assert.deepEqual([log.take(), log.isUnknown, lost], [undefined, false, 1]);
  await assert.rejects(log.stored(), { code: "busy", message: /disk is full/ });
});
