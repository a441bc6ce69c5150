/** Changes of memory that were undone are known by what the server says. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { undoneChanges } from "./memory-request.ts";

test("a change with a time of its undoing is undone, others are not", () => {
  const changes = [{ change: "a", undone: "2026-01-02T03:04:05.000Z" }, { change: "b" }, { undone: "x" }, 7];
  assert.deepEqual([...undoneChanges({ changes })], ["a"]);
});

test("an answer of another shape names none", () => {
  for (const memory of [undefined, null, 7, {}, { changes: "a" }]) assert.equal(undoneChanges(memory).size, 0);
});
