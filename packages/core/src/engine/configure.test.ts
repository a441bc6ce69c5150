import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import type { Agent } from "../definitions/agent.ts";
import { defineCrew } from "../definitions/crew.ts";
import { Engine } from "./engine.ts";
import type { Configure } from "../words/event.ts";
import type { Model, Prompt } from "../ports/model.ts";
import { scriptModel } from "../ports/script.ts";
import { of } from "../testing/crew-runs.ts";
import { SimulatedClock } from "../testing/simulated-clock.ts";
import { defineTool } from "../definitions/tool.ts";

const slow = defineTool({
  name: "Slow",
  description: "Takes a second.",
  effect: "read",
  input: z.object({}),
  run: (_, { scope }) => scope.sleep(1_000).then(() => "slept"),
});

const crew = defineCrew({
  name: "c",
  agents: [
    { id: "a", tools: ["Slow"], model: { name: "big/a" }, backup: { name: "spare/a" } },
    { id: "b", model: { name: "big/b" }, backup: { name: "spare/b" }, isTerminal: true },
  ],
  tools: [slow],
  defaults: { a: "b" },
});
const replies = { a: [{ call: [{ tool: "Slow" }] }, { say: "A" }], b: [{ say: "B" }] };

/** Runs both agents and configures during the first step's call; a model is named by all that its agent may use. */
async function configured(...commands: readonly Omit<Configure, "type">[]) {
  const clock = new SimulatedClock(1);
  const prompts: Prompt[] = [];
  const script = scriptModel(replies);
  const model = ({ model: own, backup }: Agent): Model => ({
    name: [own?.name, backup?.name].filter((name) => name !== undefined).join(" or "),
    stream(prompt, scope) {
      prompts.push(prompt);
      return script.stream(prompt, scope);
    },
  });
  await using engine = new Engine({ clock, model });
  const run = engine.start(crew, { input: "go" });
  await clock.advance(10);
  for (const command of commands) await run.command({ type: "configure", ...command });
  assert.equal((await clock.run(run.result)).outcome, "done");
  const models = of(await Array.fromAsync(run.events()), "step.started").map(({ model: name }) => name);
  return prompts.map(({ agent, temperature, maxTokens }, at) => [agent, models[at], temperature, maxTokens]);
}

test("a configuration that names an agent changes that agent only", async () => {
  assert.deepEqual(await configured({ agent: "b", model: "other/model", temperature: 0.1, maxTokens: 50 }), [
    ["a", "big/a or spare/a", 0.7, 8_000],
    ["a", "big/a or spare/a", 0.7, 8_000],
    ["b", "other/model", 0.1, 50],
  ]);
});

test("a configuration that names no agent changes all, and the latest value of each field holds", async () => {
  const commands = [
    { temperature: 0.1, maxTokens: 50 },
    { agent: "a", temperature: 0.2 },
    { agent: "b", maxTokens: 70 },
  ];
  assert.deepEqual(await configured(...commands), [
    ["a", "big/a or spare/a", 0.7, 8_000],
    ["a", "big/a or spare/a", 0.2, 50],
    ["b", "big/b or spare/b", 0.1, 70],
  ]);
});

test("a configured model has no backup, and a configured temperature leaves the backup in place", async () => {
  assert.deepEqual(await configured({ model: "other/model" }, { agent: "b", temperature: 1 }), [
    ["a", "big/a or spare/a", 0.7, 8_000],
    ["a", "other/model", 0.7, 8_000],
    ["b", "other/model", 1, 8_000],
  ]);
});
