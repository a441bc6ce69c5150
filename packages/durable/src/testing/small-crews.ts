/**
 * Small crews: what tests of durable runs play with, each as small as it can be.
 */
import { type Crew, defineCrew, defineTool, type Effect, type Model, scriptModel, type Tool } from "@baton/core";
import { z } from "zod";

/** One agent that answers. */
export const solo = defineCrew({ name: "solo", agents: [{ id: "a", isTerminal: true }] });

/** An agent that waits for the user until it says `[GO]`, and one that ends the run. */
export const waits = defineCrew({
  name: "waits",
  agents: [{ id: "a" }, { id: "b", isTerminal: true }],
  signals: { a: [{ signal: "[GO]", target: "b" }] },
  behaviors: { a: { waitForSignal: true } },
});

/** A tool that runs for that long. */
export function tool(name: string, effect: Effect, busyMs = 0): Tool {
  return defineTool({
    name,
    description: name,
    effect,
    input: z.object({}),
    concurrency: "parallel",
    run: async (_, { scope }) => {
      await scope.sleep(busyMs);
      return `${name} done`;
    },
  });
}

/** One agent that answers, with tools. */
export function crewWith(...tools: readonly Tool[]): Crew {
  const names = tools.map(({ name }) => name);
  return defineCrew({ name: "tooled", agents: [{ id: "a", tools: names, isTerminal: true }], tools: [...tools] });
}

/** Replies by agent, for every agent of every crew. */
export function script(replies: Parameters<typeof scriptModel>[0]): () => Model {
  return () => scriptModel(replies);
}
