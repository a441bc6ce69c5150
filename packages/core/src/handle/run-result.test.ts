/** The result of a run has its tokens, its cost and its warnings, over all its segments and lanes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "../engine/engine.ts";
import type { Usage } from "../words/message.ts";
import type { Chunk, Model } from "../ports/model.ts";
import { fold } from "../words/fold.ts";
import { scriptModel } from "../ports/script.ts";
import { collect } from "../testing/crew-runs.ts";
import { toResult } from "./run-result.ts";

const USAGE = { inputTokens: 10, outputTokens: 4, cachedTokens: 6, cacheWriteTokens: 2, reasoningTokens: 1 };

type Paid = Readonly<{ usage?: Usage; costUsd?: number; warning?: string }>;

/** A model that answers with its agent's name. */
function paid({ usage = USAGE, costUsd, warning }: Paid): Model {
  return {
    name: "paid",
    async *stream({ agent }): AsyncGenerator<readonly Chunk[]> {
      if (warning !== undefined) yield [{ type: "warning", text: warning }];
      yield [{ type: "text", text: agent }];
      yield [{ type: "end", finish: "stop", usage, ...(costUsd === undefined ? {} : { costUsd }) }];
    },
  };
}

const crew = defineCrew({
  name: "c",
  agents: [{ id: "a" }, { id: "b" }, { id: "last", isTerminal: true }],
  groups: { both: { agents: ["a", "b"], nextAgent: "last" } },
  entry: "both",
  behaviors: { last: { waitForSignal: true } },
});

test("usage and cost are those of every step, also of members and over a pause, and the fold has the same", async () => {
  await using engine = new Engine({ model: () => paid({ costUsd: 0.25, warning: "slow" }) });
  const run = engine.start(crew, { input: "go" });
  const paused = await collect(run);
  assert.equal(paused.outcome, "paused");
  assert.deepEqual([paused.usage.inputTokens, paused.costUsd, paused.warnings.length], [30, 0.75, 3]);
  await run.resume("and?");
  const { events, ...result } = await collect(run);
  assert.deepEqual(result.usage, {
    inputTokens: 40,
    outputTokens: 16,
    cachedTokens: 24,
    cacheWriteTokens: 8,
    reasoningTokens: 4,
  });
  assert.equal(result.costUsd, 1);
  assert.deepEqual(
    result.warnings.map(({ agent, text }) => `${agent} ${text}`),
    ["a slow", "b slow", "last slow", "last slow"],
  );
  assert.deepEqual(toResult(fold(events)), result);
});

test("a run that recovers counts what was spent before, and nothing twice", async () => {
  await using first = new Engine({ model: () => paid({ costUsd: 0.25, warning: "slow" }) });
  const { events } = await collect(first.start(crew, { input: "go" }));
  const cut = events.slice(
    0,
    events.findIndex((event) => event.type === "step.ended" && event.agent === "last"),
  );
  await using engine = new Engine({ model: () => paid({ costUsd: 0.5 }) });
  const { usage, costUsd, warnings, outcome } = await engine.adopt(crew, { id: cut[0]?.run ?? "", events: cut }).result;
  assert.equal(outcome, "paused");
  assert.deepEqual([usage.inputTokens, costUsd, warnings.length], [30, 1, 3]);
});

test("the cost is left out if the price of one step is not known; a step without tokens costs nothing", async () => {
  const costOf = async (own: Paid) => {
    await using engine = new Engine({ model: ({ id }) => paid(id === "a" ? own : { costUsd: 0.25 }) });
    const result = await engine.start(crew, { input: "go" }).result;
    return ["costUsd" in result, result.costUsd];
  };
  assert.deepEqual(await costOf({}), [false, undefined]);
  assert.deepEqual(await costOf({ usage: { inputTokens: 0, outputTokens: 0 } }), [true, 0.5]);
});

test("a structured output can be read while it is written, and the fold says what agents do", async () => {
  const typed = defineCrew({
    name: "c",
    agents: [{ id: "a", output: { type: "object" }, isTerminal: true }],
  });
  await using engine = new Engine({ model: () => scriptModel({ a: [{ say: '{"x": "one two", "y": 2}' }] }) });
  const run = engine.start(typed, { input: "go" });
  const parts = await Array.fromAsync(run.partialOutput());
  assert.deepEqual(parts.at(-1), { x: "one two", y: 2 });
  assert.ok(parts.length > 1);
  const events = await Array.fromAsync(run.events());
  const until = (type: string) => events.slice(0, events.findLastIndex((event) => event.type === type) + 1);
  assert.equal(fold(until("step.started")).agents.get("a"), "thinking");
  const writing = fold(until("text.delta"));
  assert.deepEqual([writing.agents.get("a"), writing.partialOutput], ["streaming", { x: "one two", y: 2 }]);
  assert.equal(fold(events).agents.get("a"), "finished");
  assert.deepEqual([...fold(events.slice(0, 1)).agents], []);
});
