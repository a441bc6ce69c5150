/** Limits count since the user's last message: one that resumes a paused run counts, one that is said to it does not. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import type { Command, RunEvent } from "../words/event.ts";
import { fold } from "../words/fold.ts";
import type { Settings } from "../definitions/limits.ts";
import { scriptModel } from "../ports/script.ts";
import { of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

const slow = defineTool({
  name: "Slow",
  description: "Takes a minute.",
  effect: "read",
  timeoutMs: 90_000,
  input: z.object({}),
  run: (_, { scope }) => scope.sleep(60_000),
});
const call = [{ tool: "Slow" }];

/** Two handoffs; the agent between them works for two minutes, and is told something in the first. */
async function told(settings: Partial<Settings>, ...commands: readonly Command[]) {
  const crew = defineCrew({
    name: "c",
    agents: [{ id: "a" }, { id: "b", tools: ["Slow"] }, { id: "c", isTerminal: true }],
    tools: [slow],
    defaults: { a: "b", b: "c" },
    settings,
  });
  const replies = { a: [{ say: "A" }], b: [{ call }, { say: "B", delayMs: 60_000 }], c: [{ say: "C" }] };
  const clock = new SimulatedClock(1);
  const events: RunEvent[] = [];
  const observe = (event: RunEvent) => {
    events.push(event);
  };
  await using engine = new Engine({ clock, model: () => scriptModel(replies), observe });
  const started = engine.start(crew, { input: "go" });
  await clock.advance(10);
  let last = started;
  for (const command of commands) {
    ({ run: last } = await last.command(command));
    if (command.type === "pause") assert.equal((await clock.run(last.result)).outcome, "paused");
  }
  const { outcome, error } = await clock.run(last.result);
  return { outcome, limit: error?.limit?.name, events };
}

const pause = { type: "pause" } as const;
const message = { type: "resume", input: "Go on." } as const;
const others = [
  ["nothing at all", []],
  ["a resume without a message", [pause, { type: "resume" }]],
  ["a message that is said while it works", [{ type: "say", text: "Go on." }]],
] as const;

test("a message that ends a pause counts max_handoffs anew", async () => {
  const { outcome, events } = await told({ maxHandoffs: 2 }, pause, message);
  assert.equal(outcome, "done");
  assert.deepEqual(
    of(events, "handoff.made").map(({ from, to, count }) => [from, to, count]),
    [
      ["a", "b", 1],
      ["b", "c", 1],
    ],
  );
  const answered = events.findIndex(({ type }) => type === "question.answered");
  assert.deepEqual(
    [answered, answered + 1].map((end) => fold(events.slice(0, end)).handoffs),
    [1, 0],
  );
  for (const [what, commands] of others) {
    const end = await told({ maxHandoffs: 2 }, ...commands);
    assert.equal(end.outcome, "limit", what);
    assert.equal(of(end.events, "limit.reached")[0]?.limit, "max_handoffs", what);
  }
});

test("a message to a sub-crew that waits for it counts timeout_seconds anew", async () => {
  const alpha = defineCrew({
    name: "alpha-crew",
    agents: [{ id: "worker" }],
    behaviors: { worker: { waitForSignal: true } },
    signals: { worker: [{ signal: "[END]", target: "" }] },
  });
  const crew = defineCrew({
    name: "c",
    subCrews: { alpha },
    agents: [{ id: "desk" }, { id: "end", isTerminal: true }],
    signals: { desk: [{ signal: "[ALPHA]", target: "alpha", returnTo: "end" }] },
    settings: { timeoutMs: 10_000 },
  });
  const worker = [
    { say: "Which?", delayMs: 6_000 },
    { say: "[END]", delayMs: 6_000 },
  ];
  const replies = { desk: [{ say: "[ALPHA]" }], worker, end: [{ say: "Bye." }] };
  const clock = new SimulatedClock(1);
  await using engine = new Engine({ clock, model: () => scriptModel(replies) });
  const started = engine.start(crew, { input: "go" });
  assert.equal((await clock.run(started.result)).outcome, "paused");
  const { run } = await started.command(message);
  const { outcome, content } = await clock.run(run.result);
  assert.deepEqual([outcome, content], ["done", "Bye."]);
});

test("a message that ends a pause counts timeout_seconds anew", async () => {
  assert.equal((await told({ timeoutMs: 100_000 }, pause, message)).outcome, "done");
  for (const [what, commands] of others) {
    const { outcome, limit } = await told({ timeoutMs: 100_000 }, ...commands);
    assert.deepEqual([outcome, limit], ["limit", "timeout_seconds"], what);
  }
});
