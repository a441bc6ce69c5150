/**
 * Five steps: a crew whose tools leave a mark outside of the store each time they are used.
 */
import { type Crew, defineCrew, defineTool, type Effect, type Script } from "@baton/core";
import { z } from "zod";

/** A side effect of a tool. */
export interface Deed {
  readonly run: string;
  readonly call: string;
  readonly attempt: number;
  readonly key: string;
  readonly effect: Effect;
}

const EFFECTS: readonly Effect[] = ["read", "idempotent", "irreversible"];

/** Three tools in three steps, then two at once, in two turns. */
export const REPLIES: Script = new Map([
  ["first", [...EFFECTS.map((effect) => ({ call: [{ tool: effect }] })), { say: "Half way. [NEXT]" }]],
  ["second", [{ call: [{ tool: "idempotent" }, { tool: "irreversible" }] }, { say: "All five are done." }]],
]);

/** The last words of the crew. */
export const LAST_WORDS = "All five are done.";

/** A crew whose tools report what they do; each is asked nothing. */
export function defineFiveSteps(does: (deed: Deed) => Promise<void>): Crew {
  const tools = EFFECTS.map((effect) =>
    defineTool({
      name: effect,
      description: effect,
      effect,
      input: z.object({}),
      run: async (_, { run, call, attempt, key }) => {
        await does({ run, call, attempt, key, effect });
        return `${effect} done`;
      },
    }),
  );
  return defineCrew({
    name: "five-steps",
    agents: [
      { id: "first", tools: [...EFFECTS] },
      { id: "second", tools: [...EFFECTS], isTerminal: true },
    ],
    tools,
    signals: { first: [{ signal: "[NEXT]", target: "second" }] },
    permissions: { "*": "allow" },
  });
}
