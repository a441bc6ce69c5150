import assert from "node:assert/strict";
import { test } from "node:test";
import { omitEvents } from "./omit-events.ts";

const line = (event: object): string => JSON.stringify({ run: "r", seq: 1, at: 1, ...event });

test("deltas are left out by their type, not by words inside of other events", () => {
  const kept = [
    line({ type: "call.ended", output: { type: "text.delta", note: 'a "text.delta" here' } }),
    line({ type: "note.made", kind: "x.delta", data: {} }),
  ];
  const deltas = ["text", "reasoning", "args"].map((name) => line({ type: `${name}.delta`, text: "hello" }));
  assert.deepEqual(omitEvents([...deltas, ...kept], { deltas: "none" }), kept);
  assert.deepEqual(omitEvents([...deltas, ...kept], {}), [...deltas, ...kept]);
});

test("the conversation before a run is left out of its beginning and of nothing else", () => {
  const started = line({ type: "run.started", input: "Hi", history: [{ role: "user", content: "old" }] });
  const other = line({ type: "call.ended", output: { type: "run.started", history: [1] } });
  const [first = "", second] = omitEvents([started, other], { history: "none" });
  assert.deepEqual(JSON.parse(first), { run: "r", seq: 1, at: 1, type: "run.started", input: "Hi", history: [] });
  assert.equal(second, other);
});
