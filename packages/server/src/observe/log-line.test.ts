import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent } from "@baton/core";
import { SCENES } from "../dialects/testing/scenes.ts";
import { type LogFields, lineLevelOf, logLineOf } from "./log-line.ts";
import { logEvent } from "./logs.ts";
import { OpenRuns } from "./open-runs.ts";
import { observeSimulated } from "./testing/observed-runs.ts";

/** Returns the fields of a line that differ from event to event. */
type Told = readonly [level: string, message: string, agent: unknown, position: unknown, more: LogFields];

/** Every line of a scene, without the ids that all of them share. */
async function linesOf(title: string): Promise<readonly Told[]> {
  const { events } = (await SCENES.get(title)?.()) ?? assert.fail(`there is no scene "${title}"`);
  return toLines(events);
}

function toLines(events: readonly RunEvent[]): readonly Told[] {
  const runs = new OpenRuns(() => undefined);
  const link = () => runs.link("run", { requestId: "request", session: "session", crew: "crew" });
  link();
  return events.flatMap((event): readonly Told[] => {
    const run = runs.enter(event);
    const level = lineLevelOf(event);
    const line = level === undefined ? undefined : logLineOf(event, run);
    runs.leave(event);
    if (event.type === "run.paused") link();
    if (level === undefined || line === undefined) return [];
    const { request, session, crew, run: id, agent, position, ms, ...more } = line.fields;
    assert.deepEqual([request, session, id], ["request", "session", "run"], line.message);
    assert.ok(crew !== undefined && (ms === undefined || Number(ms) >= 0));
    const known = Object.entries(more).filter(([, value]) => value !== undefined);
    return [[level, line.message, agent, position, Object.fromEntries(known)]];
  });
}

test("a run with tools is told by agent and position, its failed call louder than the rest", async () => {
  const model = "script";
  const asked = { finish: "calls", calls: 2, input_tokens: 0, output_tokens: 0, model, cost_usd: 0 };
  const lines = await linesOf("tools");
  const answered = lines.find(([, message, , position]) => message === "model call ended" && position === "1.1");
  assert.deepEqual({ ...answered?.[4], input_tokens: 0, output_tokens: 0 }, asked);
  const failed = lines.find(([, message]) => message === "tool failed");
  const error = String(failed?.[4]["error"]);
  assert.match(error, /arguments do not fit/);
  assert.deepEqual(
    lines.filter(([, message]) => !message.startsWith("model call ended")),
    [
      ["info", "run started", "helper", undefined, {}],
      ["debug", "agent started", "helper", "1", {}],
      ["debug", "model call started", "helper", "1.1", { model }],
      ["debug", "tool started", "helper", "1.1.1", { tool: "add", effect: "read" }],
      ["debug", "tool started", "helper", "1.1.2", { tool: "add", effect: "read" }],
      ["warn", "tool failed", "helper", "1.1.2", { tool: "add", attempts: 0, code: "tool", kind: "validation", error }],
      ["debug", "tool ended", "helper", "1.1.1", { tool: "add", attempts: 1 }],
      ["debug", "model call started", "helper", "1.2", { model }],
      ["debug", "agent ended", "helper", "1", {}],
      ["info", "run ended", "helper", "1", { outcome: "done", by: "answer" }],
    ],
  );
});

test("signals, handoffs, limits and warnings name the turn they happened in", async () => {
  const told = (await linesOf("a limit")).filter(([level, message]) => level !== "debug" || message === "signal");
  assert.deepEqual(told.slice(1, 4), [
    ["debug", "signal", "router", "1", { signal: "[ROUTE_WRITER]", match: "exact", target: "writer", followed: true }],
    ["info", "handoff", "router", "1", { to: "writer", via: "signal", count: 1 }],
    ["debug", "signal", "writer", "2", { signal: "[BACK]", match: "exact", target: "router", followed: true }],
  ]);
  const [limit] = told.filter(([, message]) => message === "limit reached");
  assert.deepEqual(limit?.slice(0, 4), ["info", "limit reached", "router", "5"]);
  assert.deepEqual(limit?.[4]["limit"], "max_handoffs");
  assert.deepEqual(told.at(-1)?.[4]["outcome"], "limit");
});

test("a member of a group that fails is a failed agent, in its own lane", async () => {
  const failed = (await linesOf("a group with a failing member")).filter(([, message]) => message === "agent failed");
  const error = String(failed[0]?.[4]["error"]);
  assert.match(error, /no answer from left/);
  assert.deepEqual(failed, [["warn", "agent failed", "left", "2/both/left/1", { code: "model", error }]]);
});

test("a model call that is tried again says how often and after what delay", async () => {
  const { events } = (await SCENES.get("a step that starts again")?.()) ?? assert.fail();
  const delayed = events.map((event) => (event.type === "step.retried" ? { ...event, delayMs: 500 } : event));
  const [retried] = toLines(delayed).filter(([, message]) => message === "model call retried");
  const { attempt, delay_ms: delayMs, model } = retried?.[4] ?? {};
  assert.deepEqual([retried?.[0], retried?.[3], delayMs, model], ["debug", "1.1", 500, "test/model"]);
  assert.equal(typeof attempt, "number");
});

test("what somebody cancelled is not a failure, be it a run, a lane or a call", async () => {
  const lines = await linesOf("a cancel");
  assert.ok(lines.every(([level]) => level === "info" || level === "debug"));
  const stamp = { run: "run", seq: 1, at: 0, lane: "" };
  const error = { code: "tool", kind: "cancelled", message: "cancelled by command" } as const;
  assert.equal(
    lineLevelOf({ ...stamp, type: "call.ended", call: "1.1.1", agent: "a", tool: "t", attempts: 1, error }),
    "debug",
  );
});

test("after a pause for an answer, lines still name the turn", async () => {
  const lines = await linesOf("an approval that is given");
  const paused = lines.findIndex(([, message]) => message === "run paused");
  assert.deepEqual(lines[paused]?.slice(0, 4), ["info", "run paused", "helper", "1"]);
  assert.deepEqual(lines.at(-1)?.slice(0, 4), ["info", "run ended", "helper", "1"]);
});

test("every start has its end, in random runs too, and no line holds what was said", async () => {
  const { runs } = await observeSimulated(100);
  for (const events of runs) {
    const open = new OpenRuns(() => undefined);
    const counts = new Map<string, number>();
    for (const event of events) {
      const run = open.enter(event);
      if (lineLevelOf(event) !== undefined) {
        const { message, fields } = logLineOf(event, run);
        counts.set(message, (counts.get(message) ?? 0) + 1);
        assert.ok(!("text" in fields) && !("args" in fields) && !("output" in fields));
      }
      open.leave(event);
    }
    const count = (message: string) => counts.get(message) ?? 0;
    assert.equal(count("agent started"), count("agent ended") + count("agent failed"));
    assert.equal(count("tool started"), count("tool ended") + count("tool failed"));
    assert.equal(count("model call started"), count("model call ended"));
  }
});

test("an event whose level is off costs one look at its type", () => {
  const told: string[] = [];
  const write = (message: string) => {
    told.push(message);
  };
  const logger = { error: write, warn: write, info: write, debug: write, isOn: (level: string) => level !== "debug" };
  const stamp = { run: "run", seq: 1, at: 0, lane: "", agent: "a" };
  const event: RunEvent = {
    ...stamp,
    type: "step.started",
    step: "1.1",
    get model(): string {
      return assert.fail("the event was read");
    },
  };
  logEvent(logger, event, undefined);
  assert.deepEqual(told, []);
  logEvent(logger, { ...stamp, type: "handoff.made", from: "a", to: "b", via: "signal", count: 1 }, undefined);
  assert.deepEqual(told, ["handoff"]);
});
