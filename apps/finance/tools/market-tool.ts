/**
 * Market tool: a tool whose result is data with its provenance, whose numbers are declared as figures, and whose
 * failures are typed.
 */
import type { Figure } from "@baton/assistant";
import { type CallContext, defineTool, type Json, type Tool } from "@baton/core";
import type { z } from "zod";
import type { MarketData } from "../data/market-data.ts";
import type { Provenance, Sourced } from "../data/provenance.ts";
import { toOutcome } from "./outcome.ts";
import { toPlain } from "./plain.ts";
import { trusted } from "./trusted.ts";

export type { Ambiguous, NoData } from "./outcome.ts";

/** The ten categories of the catalogue, and what lies beyond them. */
export type Category =
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

/** What every tool of the catalogue says of itself beside what a model is told. */
export interface CatalogueEntry {
  readonly tool: Tool;
  readonly category: Category;
  /** One of the 43 of the reference. */
  readonly isCore: boolean;
  /** Words and phrases people use for what it does, English and Vietnamese; they feed the tool search. */
  readonly phrases: readonly string[];
}

/** What a market tool's `run` is given. */
export type MarketContext = Readonly<{ market: MarketData; context: CallContext }>;

/** A market tool as it is written. `D` is JSON: snake_case names, numbers finite, absent instead of null. */
export interface MarketToolDefinition<I, D> {
  readonly name: string;
  readonly category: Category;
  readonly description: string;
  readonly phrases: readonly string[];
  readonly input: z.ZodType<I>;
  /** How long an answer may be used again. */
  readonly ttlMs: number;
  readonly timeoutMs?: number;
  readonly run: (input: I, market: MarketContext) => Promise<Sourced<D>>;
  /** Every number of `data` that a person could cite; paths begin with `data.`. */
  readonly figures: (data: D, provenance: Provenance) => readonly Figure[];
  /** What of `data` is words and not numbers, such as headlines, a line each: the model reads it as quoted data. */
  readonly describe?: (data: D) => readonly string[];
}

/** What a wrapper of market tools is told about one: how long its answers last, and which figures they hold. */
export interface Wrapping {
  readonly ttlMs: number;
  /** A part of every cache key: the kind of data behind the tool. */
  readonly mode: string;
  /** None for a result without data. */
  readonly toFigures: (output: Json) => readonly Figure[];
  /** The words of a result, a line each; none for a result without data. */
  readonly toWords: (output: Json) => readonly string[];
}

/** What market tools are made with, beside the market. */
export interface ToolDeps {
  /** Puts cache and facts around a tool. */
  readonly wrap: (tool: Tool, wrapping: Wrapping) => Tool;
}

/** A market tool that waits for its market. */
export type MarketTool = (market: MarketData, deps: ToolDeps) => CatalogueEntry;

const TIMEOUT_MS = 20_000;

/** Defines a tool over market data: `{data, provenance}`, a typed result without data, or a typed error. */
export function defineMarketTool<I, D extends object>(definition: MarketToolDefinition<I, D>): MarketTool {
  const { name, description, category, phrases, input, ttlMs, timeoutMs = TIMEOUT_MS } = definition;
  return (market, { wrap }) => {
    const tool = defineTool<I>({
      name,
      description,
      effect: "read",
      timeoutMs,
      input,
      run: (args, context) => toOutcome({ tool: name, context }, () => answer(args, context)),
    });
    const answer = async (args: I, context: CallContext) => {
      const { data, provenance } = await definition.run(args, { market, context });
      return toPlain({ data, provenance });
    };
    const read = ({ data, provenance }: Partial<Sourced<D>>) =>
      data === undefined || provenance === undefined ? [] : definition.figures(data, provenance);
    const toFigures = (output: Json) => trusted(read, output, "this tool's own run gave it");
    const speak = ({ data }: Partial<Sourced<D>>) => (data === undefined ? [] : (definition.describe?.(data) ?? []));
    const toWords = (output: Json) => trusted(speak, output, "this tool's own run gave it");
    const wrapped = wrap(tool, { ttlMs, mode: market.mode, toFigures, toWords });
    return { tool: wrapped, category, isCore: category !== "beyond", phrases };
  };
}
