import assert from "node:assert/strict";
import { test } from "node:test";
import { MemoryLog } from "./memory-log.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";

test("who waits for a log hears of the run's end at once, and of all before it a turn of the event loop later", async () => {
  const turns: (() => void)[] = [];
  const clock = Object.assign(new SimulatedClock(1), { soon: (run: () => void) => turns.push(run) });
  const log = new MemoryLog(clock).open("r");
  let told = 0;
  const wait = async (after: number) => {
    await log.grown(after);
    told++;
  };
  const waits = [wait(0)];
  log.append({ type: "turn.started", turn: "1", agent: "a" }, "");
  log.append({ type: "turn.ended", turn: "1", agent: "a", text: "" }, "");
  await new Promise(setImmediate);
  assert.deepEqual([told, turns.length], [0, 1]);
  for (const run of turns.splice(0)) run();
  waits.push(wait(2));
  log.append({ type: "run.ended", outcome: "done", by: "answer", agent: "a", text: "" }, "");
  await Promise.all(waits);
  assert.deepEqual([told, turns.length], [2, 0]);
});

test("an event that is read twice is the same event, and the fact that was said is not touched", () => {
  const log = new MemoryLog(new SimulatedClock(1)).open("r");
  const fact = Object.freeze({ type: "turn.started", turn: "1", agent: "a" } as const);
  const at = log.append(fact, "lane");
  log.appendText({ lane: "lane", step: "1.1", agent: "a" }, "hello");
  const stamp = { run: "r", at, lane: "lane" };
  const expected = [
    { ...fact, ...stamp, seq: 1 },
    { type: "text.delta", step: "1.1", agent: "a", text: "hello", ...stamp, seq: 2 },
  ];
  assert.deepEqual([log.read(0), log.read(0), log.read(1)], [expected, expected, expected.slice(1)]);
});
