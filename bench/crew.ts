/**
 * Crew: the workloads as Baton runs them, each a crew on an instant model.
 *
 * Nothing is switched off: zod checks the tool's input, limits are the defaults, and a reader follows every run to
 * its end. The model gives one chunk per array, the slowest way to stream.
 */
import {
  type Chunk,
  type Crew,
  defineCrew,
  defineTool,
  type Engine,
  type Model,
  type Prompt,
  type Tool,
} from "@baton/core";
import type { DurableEngine } from "@baton/durable";
import { z } from "zod";
import { HISTORY, INPUT, MEMBERS, SIGNALS, lookup, think, toReply, type World, type WorkloadName } from "./workload.ts";

/** One run of a workload; gives the text its reader received. */
export function batonRun(name: WorkloadName, world: World, engine: Engine | DurableEngine): () => Promise<string> {
  const crew = toCrew(name, world);
  const past = name === "w5" ? { history: HISTORY } : {};
  return async () => {
    let text = "";
    const started = engine.start(crew, { input: INPUT, ...past });
    const run = started instanceof Promise ? await started : started;
    for await (const event of run.events()) {
      if (event.type === "text.delta") text += event.text;
    }
    return text;
  };
}

/** The model of every agent: it says what the workload says. */
export function batonModel(world: World): Model {
  return { name: "instant", stream: (prompt) => answer(world, prompt) };
}

async function* answer(world: World, { agent, messages }: Prompt): AsyncGenerator<readonly Chunk[]> {
  await think(world, messages.length);
  const { deltas, calls } = toReply(agent, messages.at(-1)?.role === "tool" ? "tools" : "message");
  for (const text of deltas) yield [{ type: "text", text }];
  for (const { tool, args } of calls) yield [{ type: "call", tool, args }];
  const usage = { inputTokens: 0, outputTokens: 0 };
  yield [{ type: "end", finish: calls.length > 0 ? "calls" : "stop", usage }];
}

/** The crew of a workload. */
export function toCrew(name: WorkloadName, world: World): Crew {
  switch (name) {
    case "w1":
    case "w5":
      return defineCrew({ name, agents: [{ id: "solo", isTerminal: true }] });
    case "w2":
      return defineCrew({
        name,
        agents: [{ id: "tooler", tools: ["lookup"], isTerminal: true }],
        tools: [toTool(world)],
      });
    case "w3":
      return toChain(name, world);
    case "w4":
      return defineCrew({
        name,
        agents: [...MEMBERS.map((id) => ({ id })), { id: "aggregator", isTerminal: true }],
        entry: "all",
        groups: { all: { agents: MEMBERS, nextAgent: "aggregator" } },
      });
  }
}

function toChain(name: string, world: World): Crew {
  return defineCrew({
    name,
    agents: [{ id: "first" }, { id: "second" }, { id: "third", tools: ["lookup"], isTerminal: true }],
    tools: [toTool(world)],
    signals: {
      first: [{ signal: SIGNALS.second, target: "second" }],
      second: [{ signal: SIGNALS.third, target: "third" }],
    },
  });
}

function toTool(world: World): Tool {
  return defineTool({
    name: "lookup",
    description: "The weather in a city.",
    effect: "read",
    input: z.object({ city: z.string(), limit: z.number() }),
    run: (input) => lookup(world, input),
  });
}
