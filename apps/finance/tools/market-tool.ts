/**
 * Market tool: a tool whose result is data with its provenance, whose numbers are declared as figures, and whose
 * failures are typed.
 */
import type { Figure } from "@baton/assistant";
import type { CallContext, Tool } from "@baton/core";
import type { z } from "zod";
import type { Listing } from "../data/listing.ts";
import type { MarketData } from "../data/market-data.ts";
import type { Provenance, Sourced } from "../data/provenance.ts";

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
}

/** What a tool answers if there is no data: never a guess. */
export interface NoData {
  readonly no_data: true;
  readonly message: string;
  readonly symbol?: string;
  readonly available?: string;
  readonly enable?: string;
  readonly candidates?: readonly Listing[];
}

/** What a tool answers if a symbol can mean several things. */
export interface Ambiguous {
  readonly ambiguous: true;
  readonly message: string;
  readonly candidates: readonly Listing[];
}
