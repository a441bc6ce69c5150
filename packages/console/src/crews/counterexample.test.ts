/** A counterexample is shown stop by stop, each way counted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { wayOf } from "../graph/graph-moment.ts";
import { momentOf, counterexampleStops } from "./counterexample.ts";

const conversation = ["a", "[GO]", "b", "(then)", "a", "[GO]", "b"];

test("stops are the boxes of a conversation, in turn", () => {
  assert.deepEqual(counterexampleStops(conversation, new Set(["a", "b", "c"])), ["a", "b", "a", "b"]);
});

test("after some stops the last one has the baton, and the ways are counted", () => {
  const stops = counterexampleStops(conversation, new Set(["a", "b"]));
  const moment = momentOf(stops, 4);
  assert.deepEqual([...moment.active], ["b"]);
  assert.deepEqual([moment.counts.get(wayOf("a", "b")), moment.counts.get(wayOf("b", "a"))], [2, 1]);
  assert.deepEqual(moment.latest, { from: "a", to: "b", count: 3 });
  assert.equal(momentOf(stops, 1).latest, undefined);
});
