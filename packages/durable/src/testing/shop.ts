/**
 * Shop: a scripted crew whose run does all there is: approvals, hooks, effects of each kind, a group, a wait.
 */
import { type CrewDefinition, defineCrew, defineTool, type Effect, scriptModel, type Tool } from "@baton/core";
import { setImmediate } from "node:timers/promises";

/** Input that fits whatever it is. */
export const ANYTHING = {
  jsonSchema: { type: "object" },
  validate: (value: unknown) => ({ ok: true, value }) as const,
};

/** A tool that takes anything, and runs for a moment. */
export function tool(name: string, effect: Effect, fields: Partial<Tool> = {}): Tool {
  return defineTool({
    name,
    description: name,
    effect,
    ...fields,
    input: ANYTHING,
    run: () => setImmediate(`did ${name}`),
  });
}

/** The crew as it is written. */
export const SHOP: CrewDefinition = {
  name: "shop",
  agents: [
    { id: "lead", tools: ["Look", "Pay", "Save"] },
    { id: "one", tools: ["Save"] },
    { id: "two", tools: ["Pay"] },
    { id: "clerk" },
    { id: "end", isTerminal: true },
  ],
  tools: [
    tool("Look", "read"),
    tool("Save", "idempotent", { permission: () => ({ decision: "allow" }) }),
    tool("Pay", "irreversible"),
  ],
  signals: { lead: [{ signal: "[BOTH]", target: "both" }], clerk: [{ signal: "[END]", target: "end" }] },
  behaviors: { clerk: { waitForSignal: true } },
  groups: { both: { agents: ["one", "two"], nextAgent: "clerk" } },
};

export const shop = defineCrew(SHOP);

export const shopModel = scriptModel({
  lead: [{ call: [{ tool: "Pay" }, { tool: "Look" }, { tool: "Save" }, { tool: "Pay" }] }, { say: "Now [BOTH]" }],
  one: [{ call: [{ tool: "Save" }] }, { say: "one is done" }],
  two: [{ call: [{ tool: "Pay" }] }, { say: "two is done" }],
  clerk: [{ say: "Anything else?" }, { say: "Fine [END]" }],
  end: [{ say: "All is paid." }],
});
