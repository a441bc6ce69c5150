/**
 * List models: what a person who chooses a model wants to know of each.
 *
 * Tells no key, no address, and not where either comes from.
 */
import type { LocalModels } from "./local-models.ts";
import { priceOf } from "../money/prices.ts";
import { PROVIDERS } from "../providers/provider.ts";
import { BUILTIN_MODELS } from "./builtin-models.ts";
import { chooseModel } from "./choose-model.ts";
import { contextTokensOf } from "./context-window.ts";
import { modelFactsOf } from "./model-facts.ts";
import { type Environment, findKey } from "./provider-keys.ts";

/** A model that may be chosen. */
export interface ListedModel {
  /** Its name, as a run is started with it. */
  readonly id: string;
  readonly provider: string;
  /** Its name for people. */
  readonly label: string;
  /** Whether the crews use it if nothing else is chosen. */
  readonly default: boolean;
  readonly available: boolean;
  /** Why it is not available. */
  readonly reason?: string;
  /** The most tokens it reads, and the most it writes, if they are known. */
  readonly window?: number;
  readonly maxOutput?: number;
  /** US dollars a million tokens, if they are known. */
  readonly price?: Readonly<Record<"input" | "output" | "cached" | "cacheWrite", number>>;
  readonly reasoning: boolean;
  readonly images: boolean;
}

/** Facts about the server that models are listed for. */
export interface ListModelsOptions {
  readonly env: Environment;
  /** Models of an Ollama that answers. */
  readonly local?: LocalModels | undefined;
  /** Names of the models that the crews use if nothing else is chosen. */
  readonly inUse?: ReadonlySet<string>;
}

/** Lists models by their names; one that does not exist is listed as not available. */
export function listModels(names: readonly string[], options: ListModelsOptions): readonly ListedModel[] {
  return names.map((id) => toListed(id, options));
}

function toListed(id: string, options: ListModelsOptions): ListedModel {
  const name = resolveName(id, options);
  const slash = name.indexOf("/");
  const provider = slash === -1 ? name : name.slice(0, slash);
  const model = name.slice(slash + 1);
  const reason = findProblem(provider, model, options);
  const { reasoning, maxOutput, images } = modelFactsOf(name);
  const window = contextTokensOf(name);
  const price = toPrice(name);
  return {
    id,
    provider,
    label: id === name ? model : `${id.slice(id.indexOf("/") + 1)} (${model})`,
    default: options.inUse?.has(name) === true,
    available: reason === undefined,
    ...(reason === undefined ? {} : { reason }),
    ...(window === undefined ? {} : { window }),
    ...(maxOutput === undefined ? {} : { maxOutput }),
    ...(price === undefined ? {} : { price }),
    reasoning: reasoning !== undefined,
    images,
  };
}

/** The model that `auto/small` or `auto/large` means here; any other name as it is. */
function resolveName(id: string, { env, local }: ListModelsOptions): string {
  if (id !== "auto/small" && id !== "auto/large") return id;
  return chooseModel({ override: { name: id }, env, local, hasScript: false }).ref.name;
}

function findProblem(name: string, model: string, { env }: ListModelsOptions): string | undefined {
  if (BUILTIN_MODELS.has(name) || name === "code") return undefined;
  const provider = PROVIDERS.get(name);
  if (provider === undefined || model === "") return "there is no such model";
  if (provider.needsKey && findKey(name, env) === undefined) return `the server has no key for ${name}`;
  return provider.needsUrl && !env[provider.urlVariable] ? `the server has no address for ${name}` : undefined;
}

function toPrice(name: string): ListedModel["price"] {
  const price = priceOf(name);
  if (price === undefined) return undefined;
  const { input, output, cachedInput: cached = input, cacheWrite = input } = price;
  return { input, output, cached, cacheWrite };
}
