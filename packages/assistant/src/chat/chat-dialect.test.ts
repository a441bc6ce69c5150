import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew, type RunEvent } from "@baton/core";
import { assertLinear, simulate } from "@baton/core/testing";
import { framesBySegment } from "./testing/chat-frames.ts";
import { testChatDialect } from "./testing/dialect-suite.ts";

testChatDialect(Array.from({ length: 40 }, (_, index) => index + 1));

test("what comes after the end of a run is not told", async () => {
  const { crew, events } = await simulate(1);
  const late: RunEvent = {
    type: "warning.raised",
    agent: "a",
    text: "too late",
    run: "run",
    lane: "",
    at: 0,
    seq: events.length + 1,
  };
  assert.deepEqual(framesBySegment(crew, [...events, late]), framesBySegment(crew, events));
});

test("a long reply is told in linear time", () => {
  const crew = defineCrew({ name: "solo", agents: [{ id: "writer", isTerminal: true }] });
  const stamp = { run: "run", at: 0, lane: "" };
  const about = { step: "1.1", agent: "writer" };
  assertLinear(10_000, (size) => {
    const deltas = Array.from({ length: size }, (_, index): RunEvent => {
      return { ...stamp, seq: index + 2, type: "text.delta", ...about, text: index % 3 === 0 ? " [" : "ab" };
    });
    const events: readonly RunEvent[] = [
      { ...stamp, seq: 1, type: "step.started", ...about, model: "test/model" },
      ...deltas,
    ];
    return () => framesBySegment(crew, events);
  });
});
