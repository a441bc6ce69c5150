/**
 * Map crew: a map of 1,000 items, each of which uses a tool once.
 */
import { defineCrew, defineProgram, defineTool } from "@baton/core";
import { z } from "zod";

/** Number of items. */
export const ITEMS = 1_000;

/** The crew; `stamp` is called with each item that the tool is used for. */
export function defineMapCrew(stamp: (item: string) => void) {
  return defineCrew({
    name: "map",
    tools: [
      defineTool({
        name: "Stamp",
        description: "Stamps an item.",
        effect: "idempotent",
        input: z.object({ item: z.string() }),
        run: ({ item }) => stamp(item),
      }),
    ],
    programs: {
      list: defineProgram(() => ({
        say: "[GO]",
        set: { items: Array.from({ length: ITEMS }, (_, at) => `i${at + 1}`) },
      })),
      check: defineProgram(({ messages, results }) =>
        results.length > 0
          ? { say: `${messages[0]?.content} is stamped` }
          : { call: [{ tool: "Stamp", args: { item: messages[0]?.content ?? "" } }] },
      ),
    },
    agents: [
      { id: "lister", model: { name: "code/list" } },
      { id: "checker", model: { name: "code/check" }, tools: ["Stamp"] },
      { id: "summary", isTerminal: true },
    ],
    signals: { lister: [{ signal: "[GO]", target: "checks" }] },
    groups: { checks: { map: "checker", over: "state.items", nextAgent: "summary", timeoutMs: 120_000 } },
  });
}
