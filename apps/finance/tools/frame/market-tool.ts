/**
 * Market tool: a tool whose result is data with its provenance, whose numbers are declared as figures, and whose
 * failures are typed.
 */
import {
  type AssistantMeter,
  type ResultCache,
  type FactReader,
  type Figure,
  type ToolCacheOptions,
  withCache,
  withFacts,
} from "@baton/assistant";
import { type CallContext, defineTool, type Json, type Tool } from "@baton/core";
import { z } from "zod";
import { isStandIn } from "../../market/chain/fallback.ts";
import type { MarketData } from "../../market/port/market-data.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { isPassing, type NoData, toOutcome } from "./outcome.ts";
import { toJson } from "../shared/to-json.ts";

/** The ten categories of the catalogue, and what lies beyond them. */
export type ToolCategory =
  | "price"
  | "technical"
  | "fundamental"
  | "news"
  | "discovery"
  | "crypto"
  | "market"
  | "risk"
  | "memory"
  | "meta"
  | "beyond";

/** Declaration of a tool in the catalogue, besides its description for models. */
export interface CatalogueEntry {
  readonly tool: Tool;
  readonly category: ToolCategory;
  /** One of the 43 of the reference. */
  readonly isCore: boolean;
  /** Words and phrases people use for what it does, English and Vietnamese; they feed the tool search. */
  readonly phrases: readonly string[];
}

/** Second argument of a market tool's `run`. */
export type MarketContext = Readonly<{ market: MarketData; context: CallContext }>;

/** A market tool as it is written. `D` is JSON: snake_case names, numbers finite, absent instead of null. */
export interface MarketToolDefinition<I, D> {
  readonly name: string;
  readonly category: ToolCategory;
  readonly description: string;
  readonly phrases: readonly string[];
  readonly input: z.ZodType<I>;
  /** Time for which an answer may be used again; 0 if it is never kept. */
  readonly ttlMs: number;
  /** Effect of a call: `read` by default. */
  readonly effect?: "read" | "idempotent";
  readonly timeoutMs?: number;
  readonly run: (input: I, market: MarketContext) => Promise<Sourced<D>>;
  /** Every number of `data` that a person could cite; paths begin with `data.`. */
  readonly figures: (data: D, provenance: Provenance) => readonly Figure[];
  /** Returns the words in `data`, such as headlines, a line each: the model reads them as quoted data. */
  readonly describe?: (data: D) => readonly string[];
}

/** Dependencies of market tools, beside the market. */
export interface ToolDeps {
  /** Where answers are kept. */
  readonly cache: ResultCache;
  readonly meter?: AssistantMeter;
}

/** A market tool that waits for its market. */
export type MarketTool = (market: MarketData, deps: ToolDeps) => CatalogueEntry;

const TIMEOUT_MS = 20_000;

/** Defines a tool over market data: `{data, provenance}`, a typed result without data, or a typed error. */
export function defineMarketTool<I, D extends object>(definition: MarketToolDefinition<I, D>): MarketTool {
  const { name, description, category, phrases, input, ttlMs, effect = "read", timeoutMs = TIMEOUT_MS } = definition;
  return (market, { cache, meter }) => {
    const answer = async (args: I, context: CallContext) => {
      const { data, provenance } = await definition.run(args, { market, context });
      return toJson({ data, provenance });
    };
    const tool = defineTool<I>({
      name,
      description,
      effect,
      timeoutMs,
      input,
      run: (args, context) => toOutcome({ tool: name, context }, () => answer(args, context)),
    });
    const kept =
      ttlMs > 0 ? withCache(tool, { ttlMs, mode: market.mode, cache, ...KEEPING, ...(meter && { meter }) }) : tool;
    return { tool: withFacts(kept, toReader(definition)), category, isCore: category !== "beyond", phrases };
  };
}

/** Equal symbols have one key; an old answer comes before another source's while a source is down. */
const KEEPING: Pick<ToolCacheOptions, "keyOf" | "toStale" | "allowsStale" | "isStandIn"> = {
  keyOf: (args) => {
    const { symbol } = fieldsOf(args);
    return typeof symbol === "string" ? { ...fieldsOf(args), symbol: symbol.trim().toUpperCase() } : args;
  },
  toStale: (output) => ({
    ...fieldsOf(output),
    provenance: { ...fieldsOf(fieldsOf(output)["provenance"]), stale: true },
  }),
  allowsStale: isPassing,
  isStandIn: (output) => {
    const { note } = fieldsOf(fieldsOf(output)["provenance"]);
    return typeof note === "string" && isStandIn({ note });
  },
};

type Fields = { readonly [name: string]: Json };

function fieldsOf(value: Json | undefined): Fields {
  return isFields(value) ? value : {};
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A result as it comes back from JSON: with data, or without. */
type Output<D> = Partial<Sourced<D>> & Partial<NoData>;

function toReader<I, D extends object>({ figures, describe }: MarketToolDefinition<I, D>): FactReader<Output<D>> {
  return {
    figuresOf: ({ data, provenance }) =>
      data === undefined || provenance === undefined
        ? undefined
        : { figures: figures(data, provenance), origin: provenance },
    describe: ({ data, provenance, available, enable }) => {
      if (data === undefined) return toLines({ "there is": available, "to get it, set": enable });
      return [...toIdentityLine(data), ...(describe?.(data) ?? []), ...toLines({ note: provenance?.note })];
    },
  };
}

function toLines(parts: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.entries(parts).flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${text}`]));
}

const Identified = z.object({ symbol: z.string(), name: z.string(), exchange: z.string(), currency: z.string() });

/** Returns the line that names the listing of a result. */
function toIdentityLine(data: object): readonly string[] {
  const { data: found } = Identified.safeParse(data);
  return found === undefined ? [] : [`${found.symbol}: ${found.name}, ${found.exchange}, ${found.currency}`];
}
