/** A page draws of a run what the log says, at every event. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, defineTool, Engine, fold, type RunEvent, scriptModel } from "@baton/core";
import * as fc from "fast-check";
import { z } from "zod";
import { waitedBetween } from "./gaps.ts";
import { RunStore } from "./run-store.ts";
import { hasBegun } from "./story.ts";

const look = defineTool({
  name: "look",
  description: "Looks.",
  effect: "read",
  input: z.object({ what: z.string() }),
  run: ({ what }) => ({ what }),
});

const exam = defineCrew({
  name: "exam",
  agents: [
    { id: "teacher", tools: ["look"] },
    { id: "student" },
    { id: "reporter" },
    { id: "closer", isTerminal: true },
  ],
  tools: [look],
  signals: {
    teacher: [
      { signal: "[ASK]", target: "both" },
      { signal: "[END]", target: "closer" },
    ],
  },
  groups: { both: { agents: ["student", "reporter"], nextAgent: "teacher" } },
});

const script = {
  teacher: [
    { call: [{ tool: "look", args: { what: "list" } }] },
    { say: "Question one: which planet is red? [ASK]" },
    { say: "Well done. [END]" },
  ],
  student: [{ say: "That is Mars." }],
  reporter: [{ say: "Noted." }],
  closer: [{ say: "Goodbye." }],
};

async function record(): Promise<readonly RunEvent[]> {
  await using engine = new Engine({ model: () => scriptModel(script) });
  const run = engine.start(exam, { input: "Examine me" });
  const events: RunEvent[] = [];
  for await (const event of run.events()) events.push(event);
  return events;
}

const now = (work: () => void): void => work();

function open(events: readonly RunEvent[], schedule = now): RunStore {
  const store = new RunStore("r", schedule);
  store.ingest(events);
  return store;
}

test("turns, steps, calls, groups and handoffs are those of the log", async () => {
  const events = await record();
  const { story } = open(events);
  const count = (type: string): number => events.filter((event) => event.type === type).length;
  assert.equal(story.turns.length, count("turn.started"));
  assert.equal(story.turns.flatMap(({ steps }) => steps).length, count("step.started"));
  assert.equal(story.turns.flatMap(({ steps }) => steps.flatMap(({ calls }) => calls)).length, count("call.started"));
  assert.equal(story.groups.length, 1);
  assert.deepEqual(
    story.handoffs.map(({ from, to, signal }) => [from, to, signal]),
    events.flatMap((event) =>
      event.type === "handoff.made"
        ? [[event.from, event.to, event.to === "teacher" ? undefined : event.to === "both" ? "[ASK]" : "[END]"]]
        : [],
    ),
  );
  assert.ok(story.turns.every(({ to, ended }) => to !== undefined && ended !== undefined));
  assert.equal(story.ended?.outcome, "done");
});

test("text and state at any event are those of the log up to it, however the events came", async () => {
  const events = await record();
  const property = fc.property(
    fc.integer({ min: 1, max: events.length }),
    fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 40 }),
    (seq, sizes) => {
      const store = new RunStore("r", now);
      const left = [...events];
      for (const size of sizes) store.ingest(left.splice(0, size));
      store.ingest(left);
      const past = events.slice(0, seq);
      const { updatedAt: _1, seq: _2, ...expected } = fold(past.filter(({ type }) => !type.endsWith(".delta")));
      const { updatedAt: _3, seq: _4, ...view } = store.viewAt(seq);
      assert.deepEqual(view, expected);
      for (const step of store.story.turns.flatMap(({ steps }) => steps).filter((span) => hasBegun(span, seq))) {
        const written = past.flatMap((event) =>
          event.type === "text.delta" && event.step === step.step ? [event.text] : [],
        );
        assert.equal(step.attempts.at(-1)?.text.at(seq), written.join(""));
      }
    },
  );
  fc.assert(property, { numRuns: 60 });
});

test("a run that writes is as old as the last word it wrote", async () => {
  const events = await record();
  const count = events.findLastIndex(({ type }) => type === "text.delta") + 1;
  const written = events.slice(0, count).map((event, index) => ({ ...event, at: 1_000 + index }));
  assert.equal(open(written).lastAt, 1_000 + count - 1);
});

test("what lies before a fork or another process continued a run is neither work nor a wait", async () => {
  const events = await record();
  const past = events.slice(0, 8).map((event) => ({ ...event, at: 1_000 }));
  const resumed = z.custom<RunEvent>(() => true).parse({ type: "run.resumed", seq: 9, at: 90_000, lane: "" });
  const { story } = open([...past, resumed]);
  assert.deepEqual(story.breaks, [{ from: { seq: 8, at: 1_000 }, to: { seq: 9, at: 90_000 } }]);
  assert.deepEqual(story.waits, []);
  assert.equal(waitedBetween(story, 0, 90_500), 89_000);
});

test("a list without deltas shows whole texts", async () => {
  const events = await record();
  const { story } = open(events.filter(({ type }) => !type.endsWith(".delta")));
  const texts = story.turns.flatMap(({ steps }) => steps.map(({ attempts }) => attempts.at(-1)?.text.text));
  assert.ok(texts.includes("That is Mars."));
});

test("events that come twice change nothing, and unknown ones only the list", async () => {
  const events = await record();
  const twice = open([...events, ...events]);
  assert.equal(twice.events.length, events.filter(({ type }) => !type.endsWith(".delta")).length);
  const strange = z.custom<RunEvent>(() => true).parse({ ...events[1], type: "moon.risen", seq: events.length + 1 });
  const store = open([...events, strange]);
  assert.equal(store.events.at(-1)?.seq, events.length + 1);
  assert.deepEqual(store.story.turns, twice.story.turns);
});

test("what comes in one frame is applied once, and only what changed is told", async () => {
  const events = await record();
  const frames: (() => void)[] = [];
  const store = new RunStore("r", (work) => frames.push(work));
  const heard: string[] = [];
  store.subscribe("run", () => heard.push("run"));
  const first = events.find((event) => event.type === "text.delta");
  assert.ok(first?.type === "text.delta");
  store.subscribe(`step:${first.step}`, () => heard.push("step"));
  for (const event of events.slice(0, first.seq - 1)) store.ingest([event]);
  assert.equal(frames.length, 1);
  frames.shift()?.();
  assert.deepEqual(heard, ["run"]);
  store.ingest([first]);
  frames.shift()?.();
  assert.deepEqual(heard, ["run", "step"]);
});
