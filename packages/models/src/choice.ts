/**
 * Choice: which model an agent gets, and why.
 *
 * A pure function of what is known: an override, the agent, the crew, the environment. A crew with no provider at all
 * still runs, by its script or by rules, and says so.
 */
import type { ModelRef } from "@baton/core";
import { type Environment, findKey, KEY_VARIABLES } from "./keys.ts";
import { UNPROVIDED } from "./unprovided.ts";

/** What the choice depends on. */
export interface ChoiceOptions {
  /** What the user asked for on the spot; goes before all. */
  readonly override?: ModelRef;
  readonly agent?: ModelRef;
  readonly crew?: ModelRef;
  readonly env: Environment;
  /** Whether the crew brings a script. */
  readonly hasScript: boolean;
}

/** A model and the reason for it. */
export interface Choice {
  readonly ref: ModelRef;
  readonly why: string;
}

/** What may stand before the slash of a model's name, or be the whole of it. */
export const MODEL_PROVIDERS: readonly string[] = [...KEY_VARIABLES.keys(), ...UNPROVIDED];

/** The models that are taken where only a key is there, in this order. */
const DEFAULT_MODELS: readonly (readonly [provider: string, model: string])[] = [
  ["openai", "gpt-5-mini"],
  ["anthropic", "claude-haiku-5-5"],
  ["google", "gemini-3.5-flash-lite"],
];

/** Which model is used. */
export function chooseModel({ override, agent, crew, env, hasScript }: ChoiceOptions): Choice {
  if (override !== undefined) return { ref: override, why: "asked for when the run was started" };
  if (agent !== undefined) return { ref: agent, why: "the agent names it" };
  if (crew !== undefined) return { ref: crew, why: "the crew names it" };
  const named = env["BATON_MODEL"];
  if (named !== undefined && named !== "") return { ref: { name: named }, why: "BATON_MODEL is set" };
  for (const [provider, model] of DEFAULT_MODELS) {
    const variable = findKey(provider, env)?.variable;
    if (variable !== undefined) return { ref: { name: `${provider}/${model}` }, why: `${variable} is set` };
  }
  if (hasScript) return { ref: { name: "script" }, why: "no provider's key is set, and the crew brings a script" };
  return { ref: { name: "offline" }, why: "no provider's key is set" };
}
