import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import { scriptModel } from "../ports/script.ts";
import { collect, of, play } from "../testing/crew-runs.ts";
import { defineTool } from "../definitions/tool.ts";

const agents = (...ids: string[]) => ids.map((id) => ({ id }));

const noop = defineTool({
  name: "Look",
  description: "Looks.",
  effect: "read",
  input: z.object({}),
  run: () => "seen",
});

test("a single agent answers and the run is done", async () => {
  const crew = defineCrew({ name: "solo", agents: [{ id: "a", isTerminal: true }] });
  const { outcome, content, events } = await play(crew, { a: [{ say: "Hi there" }] });
  assert.equal(outcome, "done");
  assert.equal(content, "Hi there");
  assert.deepEqual(
    events.map(({ type }) => type),
    [
      "run.started",
      "turn.started",
      "step.started",
      "text.delta",
      "text.delta",
      "step.ended",
      "turn.ended",
      "run.ended",
    ],
  );
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
});

test("a signal hands the baton to its target, and is taken out of what people read", async () => {
  const crew = defineCrew({
    name: "chain",
    agents: [{ id: "a" }, { id: "b", isTerminal: true }],
    signals: { a: [{ signal: "[TO_B]", target: "b" }] },
  });
  const { events, content, agent } = await play(crew, { a: [{ say: "Over. [ to_b ]" }], b: [{ say: "Mine. [X]" }] });
  assert.equal(agent, "b");
  assert.equal(content, "Mine. [X]");
  const [matched] = of(events, "signal.matched");
  assert.deepEqual([matched?.match, matched?.target, matched?.followed], ["normalised", "b", true]);
  assert.deepEqual(
    of(events, "handoff.made").map(({ from, to, via, count }) => [from, to, via, count]),
    [["a", "b", "signal", 1]],
  );
});

test("a signal with no target ends the run before any other signal is followed", async () => {
  const crew = defineCrew({
    name: "end",
    agents: agents("a", "b"),
    signals: {
      a: [
        { signal: "[GO]", target: "b" },
        { signal: "[END]", target: "" },
      ],
    },
  });
  const { events, outcome } = await play(crew, { a: [{ say: "[GO] [END]" }] });
  assert.equal(outcome, "done");
  assert.equal(of(events, "run.ended")[0]?.by, "signal");
  assert.deepEqual(
    of(events, "signal.matched").map(({ signal, followed }) => [signal, followed]),
    [
      ["[GO]", false],
      ["[END]", true],
    ],
  );
});

test("the first signal in the crew's order wins, whatever way it matched", async () => {
  const crew = defineCrew({
    name: "order",
    agents: [{ id: "a" }, { id: "b", isTerminal: true }, { id: "c", isTerminal: true }],
    signals: {
      a: [
        { signal: "[TO B]", target: "b" },
        { signal: "[TO C]", target: "c" },
      ],
    },
  });
  const { agent } = await play(crew, { a: [{ say: "[TO C] then [ to   b ]" }], b: [{ say: "b" }], c: [{ say: "c" }] });
  assert.equal(agent, "b");
});

test("with no signal the baton falls to the default, then a handoff target, then any other agent", async () => {
  const replies = { a: [{ say: "a" }], b: [{ say: "b" }], c: [{ say: "c" }] };
  const last = { id: "c", isTerminal: true };
  const byDefault = defineCrew({
    name: "x",
    agents: [{ id: "a", handoffTargets: ["b"] }, { id: "b" }, last],
    defaults: { a: "c" },
  });
  assert.deepEqual(
    of((await play(byDefault, replies)).events, "handoff.made").map(({ to, via }) => [to, via]),
    [["c", "default"]],
  );
  const byTarget = defineCrew({ name: "x", agents: [{ id: "a", handoffTargets: ["c"] }, { id: "b" }, last] });
  assert.deepEqual(
    of((await play(byTarget, replies)).events, "handoff.made").map(({ to, via }) => [to, via]),
    [["c", "handoff_target"]],
  );
  const byAny = defineCrew({ name: "x", agents: [{ id: "a" }, last], autoRoute: true });
  assert.deepEqual(
    of((await play(byAny, replies)).events, "handoff.made").map(({ to, via }) => [to, via]),
    [["c", "any"]],
  );
  const nowhere = defineCrew({
    name: "x",
    agents: [{ id: "a" }, last],
    autoRoute: true,
    behaviors: { a: { autoRoute: false } },
  });
  assert.equal((await play(nowhere, replies)).agent, "a");
});

test("two agents that hand off to each other for ever end with limit, and say so", async () => {
  const crew = defineCrew({
    name: "pingpong",
    agents: [
      { id: "a", handoffTargets: ["b"] },
      { id: "b", handoffTargets: ["a"] },
    ],
  });
  const { outcome, events, raw } = await play(crew, { a: [{ say: "ping" }], b: [{ say: "pong" }] });
  assert.equal(outcome, "limit");
  assert.equal(of(events, "handoff.made").length, 4);
  assert.equal(of(events, "limit.reached")[0]?.limit, "max_handoffs");
  assert.equal(of(events, "run.ended")[0]?.error?.limit?.name, "max_handoffs");
  assert.equal(of(events, "warning.raised").length, 1);
  assert.equal(raw, "ping");
});

test("an agent that calls tools for ever ends with an answer and a warning", async () => {
  const crew = defineCrew({
    name: "busy",
    agents: [{ id: "a", tools: ["Look"], isTerminal: true }],
    tools: [noop],
    settings: { maxSteps: 4, maxRepeatedCalls: 0 },
  });
  const again = { call: [{ tool: "Look" }] };
  const { outcome, content, events } = await play(crew, { a: [again, again, again, again, again, { say: "Enough." }] });
  assert.equal(outcome, "done");
  assert.equal(content, "Enough.");
  assert.equal(of(events, "step.ended").length, 4);
  assert.equal(of(events, "call.ended").length, 3);
  assert.equal(of(events, "limit.reached")[0]?.limit, "max_rounds");
  assert.equal(of(events, "warning.raised").length, 1);
});

test("wait_for_signal pauses the run, and the next message goes to the agent that waits", async () => {
  const crew = defineCrew({
    name: "ask",
    agents: [{ id: "clarifier" }, { id: "executor", isTerminal: true }],
    signals: { clarifier: [{ signal: "[KẾT THÚC]", target: "executor" }] },
    behaviors: { clarifier: { waitForSignal: true } },
  });
  const replies = {
    clarifier: [{ say: "Since when?" }, { say: "Thanks. [Kết  Thúc]" }],
    executor: [{ say: "Fixed." }],
  };
  const first = await play(crew, replies);
  assert.equal(first.outcome, "paused");
  assert.equal(first.content, "Since when?");
  const second = first.engine.resume(first.run.id, "Since Monday");
  assert.equal(second.id, first.run.id);
  const { outcome, content, events } = await collect(second);
  assert.deepEqual([outcome, content], ["done", "Fixed."]);
  const types = events.map(({ type }) => type).filter((type) => type.startsWith("run.") || type.startsWith("turn."));
  assert.deepEqual(types, [
    "run.started",
    "turn.started",
    "turn.ended",
    "run.paused",
    "run.resumed",
    "turn.started",
    "turn.ended",
    "turn.started",
    "turn.ended",
    "run.ended",
  ]);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
});

test("a signal that leads to no agent falls through with a warning", async () => {
  const crew = defineCrew({
    name: "lost",
    agents: [{ id: "a" }, { id: "b", isTerminal: true }],
    // @ts-expect-error the compiler knows that there is no such agent
    signals: { a: [{ signal: "[GO]", target: "nowhere" }] },
    autoRoute: true,
  });
  const { agent, events } = await play(crew, { a: [{ say: "[GO]" }], b: [{ say: "b" }] });
  assert.equal(agent, "b");
  assert.match(of(events, "warning.raised")[0]?.text ?? "", /nowhere/);
});

test("a model that fails for good ends the run with outcome failed, and every started has its ended", async () => {
  const crew = defineCrew({ name: "x", agents: [{ id: "a", isTerminal: true }] });
  const { outcome, error, events } = await play(crew, { a: [{ fail: "no such key" }] });
  assert.equal(outcome, "failed");
  assert.deepEqual(error, { code: "model", message: "no such key" });
  assert.equal(of(events, "turn.ended").length, 1);
  assert.equal(of(events, "step.ended").length, 1);
});

test("a failure that may pass is tried again, and readers are told to drop the partial text", async () => {
  const crew = defineCrew({
    name: "x",
    agents: [{ id: "a", isTerminal: true }],
    settings: { retryMinMs: 1, retryMaxMs: 1 },
  });
  const { outcome, content, events } = await play(crew, { a: [{ fail: "503", retryable: true }, { say: "Back." }] });
  assert.deepEqual([outcome, content], ["done", "Back."]);
  assert.equal(of(events, "step.retried").length, 1);
});

test("an agent sees its own replies as its own, and of others only the final ones", async () => {
  const prompts: string[][] = [];
  const crew = defineCrew({
    name: "views",
    agents: [
      { id: "a", tools: ["Look"], handoffTargets: ["b"] },
      { id: "b", isTerminal: true },
    ],
    tools: [noop],
  });
  const model = scriptModel({
    a: [{ say: "Looking", call: [{ tool: "Look" }] }, { say: "Done looking." }],
    b: [{ say: "ok" }],
  });
  await using engine = new Engine({
    model: () => ({
      name: "spy",
      stream: (prompt, scope) => {
        prompts.push(prompt.messages.map(({ role, content }) => `${role}: ${content}`));
        return model.stream(prompt, scope);
      },
    }),
  });
  await engine.start(crew, { input: "go" }).result;
  assert.deepEqual(prompts, [
    ["user: go"],
    ["user: go", "assistant: Looking", "tool: seen"],
    ["user: go", "user: [a] Done looking."],
  ]);
});

test("a run that takes too long names the limit that was the shorter, the caller's or the crew's", async () => {
  const crew = defineCrew({ name: "slow", agents: [{ id: "a", isTerminal: true }], settings: { timeoutMs: 60_000 } });
  const { outcome, events } = await play(
    crew,
    { a: [{ say: "well then", delayMs: 30_000 }] },
    { limits: { timeoutMs: 20 } },
  );
  assert.equal(outcome, "limit");
  const [reached] = of(events, "limit.reached");
  assert.deepEqual([reached?.limit, reached?.value], ["timeout_seconds", 0.02]);
  assert.deepEqual(of(events, "run.ended")[0]?.error?.limit, { name: "timeout_seconds", value: 0.02 });
});

test("where an agent's model fails for good, on_failure gets the baton with a warning, as a handoff", async () => {
  const crew = defineCrew({
    name: "f",
    agents: [{ id: "a" }, { id: "b" }, { id: "c", isTerminal: true }],
    behaviors: { a: { onFailure: "c" } },
  });
  for (const entry of [{ fail: "no key" }, { say: "" }]) {
    const { outcome, content, events } = await play(crew, { a: [entry], b: [{ say: "B" }], c: [{ say: "C" }] });
    assert.deepEqual([outcome, content], ["done", "C"]);
    assert.deepEqual(
      of(events, "handoff.made").map(({ from, to, via, count }) => [from, to, via, count]),
      [["a", "c", "failure", 1]],
    );
    assert.match(of(events, "warning.raised").at(-1)?.text ?? "", /a failed: .*; c takes over/);
  }
});

test("on_failure counts as a handoff, and takes nothing over that the model is not to blame for", async () => {
  const crew = (maxHandoffs: number) =>
    defineCrew({
      name: "f",
      agents: [{ id: "a" }, { id: "b", isTerminal: true }],
      behaviors: { a: { onFailure: "b" } },
      settings: { maxHandoffs },
    });
  const limited = await play(crew(1), { a: [{ fail: "no" }], b: [{ say: "B" }] });
  assert.deepEqual([limited.outcome, of(limited.events, "limit.reached")[0]?.limit], ["limit", "max_handoffs"]);
  const engine = new Engine({ model: () => scriptModel({ a: [{ say: "x", delayMs: 60_000 }], b: [{ say: "B" }] }) });
  const run = engine.start(crew(5), { input: "x" });
  await run.command({ type: "cancel" });
  assert.equal((await run.result).outcome, "cancelled");
});
