/**
 * Choose model: decides which model an agent gets, and says why.
 *
 * A pure function of what is known: an override, the agent, the crew, the environment, the models of a local Ollama. A
 * crew with no provider at all still runs, by its program, its script or rules, and says so.
 */
import { BatonError } from "@baton/core";
import type { ModelRef } from "@baton/core/ports";
import { type Environment, findKey, KEY_VARIABLES } from "./provider-keys.ts";
import type { LocalModels } from "./local-models.ts";
import { BUILTIN_MODELS } from "./builtin-models.ts";

/** The inputs of the choice. */
export interface ChooseModelOptions {
  /** The model that the user asked for now; it overrides all others. */
  readonly override?: ModelRef;
  readonly agent?: ModelRef;
  readonly crew?: ModelRef;
  readonly env: Environment;
  /** Models of an Ollama that answers; `findLocalModels` asks it. */
  readonly local?: LocalModels | undefined;
  /** Whether the crew brings a program `offline`. */
  readonly hasProgram?: boolean;
  /** Whether the crew brings a script. */
  readonly hasScript: boolean;
}

/** A model and the reason for it. */
export interface ChosenModel {
  readonly ref: ModelRef;
  readonly why: string;
}

/** Providers that offer embeddings. */
export const EMBEDDING_PROVIDERS: readonly string[] = ["openai", "google", "ollama", "openai-compatible"];

/** Words that may come before the slash of a model's name, or be the whole name. */
export const MODEL_PROVIDERS: readonly string[] = [...KEY_VARIABLES.keys(), ...BUILTIN_MODELS, "auto"];

type Tier = "small" | "large";
type Tiers = { readonly [key in Tier]: string };

/** The models of `auto/small` and `auto/large`, by the provider whose key is set; in this order. */
const DEFAULT_MODELS: ReadonlyMap<string, Tiers> = new Map([
  ["openai", { small: "openai/gpt-5-mini", large: "openai/gpt-6-sol" }],
  ["anthropic", { small: "anthropic/claude-haiku-5-5", large: "anthropic/claude-sonnet-5-5" }],
  ["google", { small: "google/gemini-3.5-flash-lite", large: "google/gemini-3.6-flash" }],
]);

/** Chooses a model; throws if a name such as `auto/x` does not exist. */
export function chooseModel(options: ChooseModelOptions): ChosenModel {
  const { asked, tier } = toAsked(options);
  if (tier === undefined) return { ref: asked.ref, why: asked.why };
  const { ref, why } = decide(tier, options) ?? toUnprovided(options);
  return { ref, why: asked.before + why };
}

/** Whether the choice depends on the models of a local Ollama. */
export function needsLocalModels(options: ChooseModelOptions): boolean {
  const { tier } = toAsked(options);
  return tier !== undefined && decide(tier, options) === undefined;
}

interface Asked extends ChosenModel {
  /** The start of the reason if the name means a tier. */
  readonly before: string;
}

function toAsked(options: ChooseModelOptions): { readonly asked: Asked; readonly tier: Tier | undefined } {
  const asked = findAsked(options);
  return { asked, tier: toTier(asked.ref.name) };
}

function findAsked({ override, agent, crew, env }: ChooseModelOptions): Asked {
  if (override !== undefined) {
    const why = "asked for when the run was started";
    return { ref: override, why, before: `${override.name} was ${why}, and ` };
  }
  const named = toNamed(env);
  for (const [who, ref] of Object.entries({ agent, crew })) {
    if (ref === undefined) continue;
    const unused = named === undefined || named === ref.name ? "" : `, which goes before BATON_MODEL (${named})`;
    return { ref, why: `the ${who} names it${unused}`, before: `the ${who} names ${ref.name}, and ` };
  }
  if (named !== undefined) return { ref: { name: named }, why: SET, before: `BATON_MODEL is ${named}, and ` };
  return { ref: { name: "auto/large" }, why: "", before: "" };
}

const SET = "BATON_MODEL is set";
const toNamed = ({ BATON_MODEL: name }: Environment): string | undefined => (name === "" ? undefined : name);

/** The tier that a name means; undefined if it is the name of a model. */
function toTier(name: string): Tier | undefined {
  if (!name.startsWith("auto/")) return undefined;
  const tier = name.slice("auto/".length);
  if (tier === "small" || tier === "large") return tier;
  throw new BatonError("invalid", `"${name}" is not a model; write auto/small or auto/large`);
}

/** The model of a tier, if it is known without asking a local Ollama. */
function decide(tier: Tier, { env, local }: ChooseModelOptions): ChosenModel | undefined {
  const named = toNamed(env);
  if (named !== undefined && toTier(named) === undefined) return fromNamed(tier, named);
  for (const [provider, models] of DEFAULT_MODELS) {
    const variable = findKey(provider, env)?.variable;
    if (variable !== undefined) return { ref: { name: models[tier] }, why: `${variable} is set` };
  }
  if (local === undefined) return undefined;
  return {
    ref: { name: `ollama/${local[tier]}` },
    why: `no provider's key is set, and Ollama answers at ${local.url}`,
  };
}

/** An override names one provider: small work gets a small model of the same provider. */
function fromNamed(tier: Tier, named: string): ChosenModel {
  const models = DEFAULT_MODELS.get(named.slice(0, Math.max(named.indexOf("/"), 0)));
  if (tier === "large" || models === undefined) return { ref: { name: named }, why: SET };
  return { ref: { name: models.small }, why: `BATON_MODEL is ${named}` };
}

function toUnprovided({ hasProgram = false, hasScript }: ChooseModelOptions): ChosenModel {
  const why = "no provider's key is set";
  if (hasProgram) return { ref: { name: "code/offline" }, why: `${why}, and the crew brings a program for that` };
  if (hasScript) return { ref: { name: "script" }, why: `${why}, and the crew brings a script` };
  return { ref: { name: "offline" }, why };
}
