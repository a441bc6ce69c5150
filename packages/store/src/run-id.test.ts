import assert from "node:assert/strict";
import { test } from "node:test";
import { newRunId } from "./run-id.ts";

test("an id is a UUID of version 7 that says when it was made", () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  const id = newRunId(at + 0.5);
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(Number.parseInt(id.replace("-", "").slice(0, 12), 16), at);
});

test("a later id is greater, and two of the same moment differ in their last digits", () => {
  assert.ok(newRunId(2_000) > newRunId(1_999));
  assert.notEqual(newRunId(1).slice(-8), newRunId(1).slice(-8));
});
