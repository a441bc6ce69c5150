/**
 * Prices: what a model's tokens cost, from one dated table that users may override.
 *
 * `prices.json` holds list prices in US dollars a million tokens; models on the user's own machine cost nothing; for
 * a model the table does not know there is no price, rather than a guess.
 */
import type { Prompt } from "@baton/core";
import type { Usage } from "@baton/core/ports";
import { findFigure } from "../choice/model-table.ts";
import { BUILTIN_MODELS } from "../choice/builtin-models.ts";
import table from "./prices.json" with { type: "json" };

/** US dollars a million tokens. */
export interface Rates {
  readonly input: number;
  /** Of input from the provider's cache; if absent, the price of other input. */
  readonly cachedInput?: number;
  /** Of input that is written into the provider's cache, and of input that is kept there for long; if absent, as above. */
  readonly cacheWrite?: number;
  readonly cacheWriteLong?: number;
  readonly output: number;
}

/** The price of one model. */
export interface Price extends Rates {
  /** For the whole of a call that reads more than so many tokens. */
  readonly long?: Rates & { readonly aboveTokens: number };
}

/** The day the table was checked. */
export const PRICES_DATE: string = table.date;

const PRICES: ReadonlyMap<string, Price> = new Map(Object.entries<Price>(table.usdPerMillionTokens));
const FREE: ReadonlySet<string> = new Set(["ollama", "code", ...BUILTIN_MODELS]);

/** A model's price; undefined if it is not known. */
export function priceOf(model: string, overrides?: ReadonlyMap<string, Price>): Price | undefined {
  const own = overrides?.get(model);
  if (own !== undefined) return own;
  const provider = model.split("/", 1)[0] ?? "";
  if (FREE.has(provider)) return { input: 0, output: 0 };
  return findFigure(PRICES, model);
}

/** Computes the cost of a usage in US dollars; undefined if the model's price is unknown. */
export function costUsd(model: string, usage: Usage, overrides?: ReadonlyMap<string, Price>): number | undefined {
  const price = priceOf(model, overrides);
  return price === undefined ? undefined : toUsd(price, usage);
}

/** Computes the cost of a usage at this price, in US dollars. */
export function toUsd(price: Price, usage: Usage, promptCache: Prompt["promptCache"] = "auto"): number {
  const { long } = price;
  const rates = long !== undefined && usage.inputTokens > long.aboveTokens ? long : price;
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens);
  const written = Math.min(usage.cacheWriteTokens ?? 0, usage.inputTokens - cached);
  const writing = (promptCache === "long" ? rates.cacheWriteLong : undefined) ?? rates.cacheWrite ?? rates.input;
  const plain = (usage.inputTokens - cached - written) * rates.input;
  const input = plain + cached * (rates.cachedInput ?? rates.input) + written * writing;
  return (input + usage.outputTokens * rates.output) / 1_000_000;
}
