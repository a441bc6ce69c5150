/** The check of repeated work fails for a process that was frozen too, but for the moment when it wakes up. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/client";
import { checkMarks } from "./log-checks.ts";
import type { Mark } from "./marks.ts";

const ENDED: RunEvent = {
  run: "r",
  seq: 1,
  at: 1_000,
  lane: "",
  type: "call.ended",
  call: "1.1.1",
  agent: "a",
  tool: "Read",
  attempts: 1,
  output: "done",
};
const SEEN = { run: "r", session: "s", events: [ENDED], arrivals: [1_000], reconnects: 0 };
const begun = (pid: number, at: number): Mark => ({ kind: "begun", run: "r", of: "1.1.1", pid, at });
const WAKES = [{ pid: 1, at: 5_000 }];

test("a call that is made again after its end was seen is an error, whichever process makes it", () => {
  checkMarks(SEEN, [begun(1, 900), begun(2, 1_000)], WAKES);
  for (const mark of [begun(2, 1_001), begun(2, 5_100), begun(1, 4_999), begun(1, 60_000)])
    assert.throws(() => checkMarks(SEEN, [mark], WAKES), /done again, though its end was seen/);
});

test("a process that wakes up may begin what it was about to begin", () => {
  checkMarks(SEEN, [begun(1, 5_100)], WAKES);
});
