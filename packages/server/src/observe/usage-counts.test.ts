import assert from "node:assert/strict";
import { test } from "node:test";
import { UsageCounts } from "./usage-counts.ts";

test("times are those of what was timed, counts those of everything", () => {
  const tally = new UsageCounts();
  tally.add("a", "success", 2);
  tally.add("a", "timeout", 6);
  tally.add("a", "error", 4);
  tally.add("a", "cancelled", undefined);
  tally.add("__proto__", "success", undefined);
  const results = { success: 1, error: 1, timeout: 1, cancelled: 1 };
  const times = { total_seconds: 12, average_seconds: 4, min_seconds: 2, max_seconds: 6 };
  const { a, ["__proto__"]: odd } = tally.toJson();
  assert.deepEqual(a, { count: 4, success_rate: 0.25, ...results, ...times });
  assert.deepEqual(tally.all, { count: 5, success_rate: 0.4, ...results, success: 2, ...times });
  assert.deepEqual([odd?.count, odd?.average_seconds, odd?.min_seconds, odd?.max_seconds], [1, 0, 0, 0]);
});
