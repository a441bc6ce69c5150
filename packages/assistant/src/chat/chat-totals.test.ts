import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, RunEvent } from "@baton/core";
import { continueTotals, countEvent, startTotals } from "./chat-totals.ts";

const BASE = { run: "r", lane: "", agent: "analyst", tool: "look" } as const;

const started = (call: string, at: number): RunEvent => ({
  ...BASE,
  type: "call.started",
  seq: 1,
  at,
  call,
  args: {},
  effect: "read",
});

const ended = (call: string, at: number, output: Json): RunEvent => ({
  ...BASE,
  type: "call.ended",
  seq: 2,
  at,
  call,
  output,
  attempts: 1,
});

test("the time in which a person was waited for is not the tool's time", () => {
  const asked = countEvent(startTotals(0), started("1.1.1", 1_000));
  const resumed = continueTotals(asked, 61_000);
  assert.equal(countEvent(resumed, ended("1.1.1", 62_000, "done")).toolMs, 1_000);
});

test("a result without data is neither a success nor a failure", () => {
  const found = countEvent(startTotals(0), ended("1.1.1", 1, { data: 1 }));
  const { calls, succeeded, failed, noData } = countEvent(found, ended("1.1.2", 2, { no_data: true, message: "none" }));
  assert.deepEqual({ calls, succeeded, failed, noData }, { calls: 2, succeeded: 1, failed: 0, noData: 1 });
});
