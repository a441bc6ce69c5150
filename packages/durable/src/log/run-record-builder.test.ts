import assert from "node:assert/strict";
import { test } from "node:test";
import type { EventBody } from "@baton/core/ports";
import { activeMsOf, rebuildRecord, RunRecordBuilder } from "./run-record-builder.ts";
import { recordOf } from "@baton/store/testing";

const USAGE = { inputTokens: 10, outputTokens: 2 };
const STARTED = {
  type: "run.started",
  crew: "hello",
  input: "Hello",
  history: [],
  entry: { kind: "agent", id: "a" },
  outputChars: { each: 1_000, total: 1_000 },
} as const;
const PAUSED = { type: "run.paused", by: "signal", agent: "a", questions: [] } as const;
const call = (id: string) => ({ call: id, agent: "a", tool: "look" });

/** A run that thinks, looks, waits for long and continues with another model. */
const STORY: readonly (readonly [at: number, fact: EventBody])[] = [
  [1_000, STARTED],
  [1_000, { type: "turn.started", turn: "1", agent: "a" }],
  [1_010, { type: "step.started", step: "1.1", agent: "a", model: "small" }],
  [1_030, { type: "text.delta", step: "1.1", agent: "a", text: "Let" }],
  [1_040, { type: "text.delta", step: "1.1", agent: "a", text: " me" }],
  [
    1_050,
    {
      type: "step.ended",
      step: "1.1",
      agent: "a",
      text: "Let me",
      calls: [],
      finish: "calls",
      usage: USAGE,
      costUsd: 0.5,
    },
  ],
  [1_060, { type: "call.started", ...call("1.1.1"), args: {}, effect: "read" }],
  [1_060, { type: "call.started", ...call("1.1.2"), args: {}, effect: "read" }],
  [1_070, { type: "call.ended", ...call("1.1.1"), output: 1, attempts: 1 }],
  [1_090, { type: "call.ended", ...call("1.1.2"), attempts: 1, error: { code: "tool", message: "no" } }],
  [1_100, { type: "turn.ended", turn: "1", agent: "a", text: "Let me" }],
  [1_100, PAUSED],
  [9_000, { type: "run.resumed", agent: "a", input: "go" }],
  [9_005, { type: "step.started", step: "2.1", agent: "b", model: "large" }],
  [9_006, { type: "turn.ended", turn: "2", agent: "b", text: "", error: { code: "model", message: "429" } }],
  [9_010, { type: "run.ended", outcome: "done", by: "answer", agent: "b", text: "" }],
];

function tallyOf(facts: typeof STORY): RunRecordBuilder {
  const builder = new RunRecordBuilder(recordOf("r", { createdAt: 900, updatedAt: 900, turns: 0, costUsd: 0 }), {
    isNew: true,
  });
  for (const [at, fact] of facts) builder.add(fact, "", at);
  return builder;
}

test("a run is measured without what it waited, with its models, tools and agents", () => {
  const { record } = tallyOf(STORY);
  assert.equal(record.activeMs, 110);
  assert.equal(record.runningSince, undefined);
  assert.equal(record.firstTextMs, 30);
  assert.deepEqual(record.models, ["small", "large"]);
  assert.deepEqual(record.tools, [{ name: "look", calls: 2, errors: 1, ms: 40 }]);
  assert.deepEqual(record.agents, [
    { name: "a", turns: 1, errors: 0, tokens: 12, costUsd: 0.5 },
    { name: "b", turns: 1, errors: 1, tokens: 0, costUsd: 0 },
  ]);
});

test("while a run runs its time grows with its events, and stands still while it waits", () => {
  for (const [length, active] of [
    [1, 0],
    [6, 50],
    [12, 100],
    [13, 100],
    [14, 105],
  ] as const) {
    assert.equal(activeMsOf(tallyOf(STORY.slice(0, length)).record), active, String(length));
  }
});

test("the time between a crash and the recovery does not count", () => {
  const facts: typeof STORY = [...STORY.slice(0, 6), [50_000, { type: "run.resumed", agent: "a" }], [50_020, PAUSED]];
  assert.equal(tallyOf(facts).record.activeMs, 70);
});

test("a run that continues elsewhere is measured further, and a recount of the log gives the same", () => {
  const whole = tallyOf(STORY).record;
  for (let cut = 1; cut < STORY.length; cut++) {
    const first = tallyOf(STORY.slice(0, cut)).record;
    const rest = new RunRecordBuilder(first, { isNew: false });
    for (const [at, fact] of STORY.slice(cut)) rest.add(fact, "", at);
    assert.equal(rest.record.activeMs, whole.activeMs, `cut ${cut}`);
    assert.deepEqual(rest.record.agents, whole.agents, `cut ${cut}`);
  }
  const events = STORY.map(([at, fact], index) => ({ run: "r", seq: index + 1, at, lane: "", ...fact }));
  assert.deepEqual(rebuildRecord(whole, events), whole);
});

test("a record of an older Baton stays without measures until its log is counted again", () => {
  const old = new RunRecordBuilder(recordOf("r", { status: "paused" }), { isNew: false });
  for (const [at, fact] of STORY.slice(12)) old.add(fact, "", at);
  assert.equal(old.record.activeMs, undefined);
  assert.equal(activeMsOf(old.record), undefined);
  assert.equal(old.record.models, undefined);
});

test("a call that was denied or stopped is not an error of its tool", () => {
  const ended = (id: string, kind: "permission" | "cancelled" | "timeout"): readonly [number, EventBody] => [
    2_000,
    { type: "call.ended", ...call(id), attempts: 1, error: { code: "tool", kind, message: "no" } },
  ];
  const { record } = tallyOf([
    ...STORY.slice(0, 1),
    ended("1.1.1", "permission"),
    ended("1.1.2", "cancelled"),
    ended("1.1.3", "timeout"),
  ]);
  assert.deepEqual(record.tools, [{ name: "look", calls: 3, errors: 1, ms: 0 }]);
});
