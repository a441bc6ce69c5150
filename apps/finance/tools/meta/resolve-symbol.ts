/**
 * Resolve symbol: from names, tickers or aliases to the listings they mean.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { resolveNames, type ResolvedName } from "../../market/directory/resolve-names.ts";
import type { Listing, Narrowing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";
import { toSafeText } from "../shared/untrusted.ts";

const Query = z.string().trim().min(1).max(200);
/** So much of a query is repeated. */
const MAX_SHOWN = 80;
const MAX_LISTED = 8;

interface Meaning {
  readonly query: string;
  readonly kind: ResolvedName["kind"];
  /** The meant one; the candidates, the likeliest first; or the nearest names. */
  readonly listings: readonly ListingIdentity[];
  readonly note?: string;
}

type Found = (ListingIdentity & Readonly<{ query: string }>) | Readonly<{ results: readonly Meaning[] }>;

type Input = Readonly<{
  query?: string | undefined;
  queries?: readonly string[] | undefined;
  type: NonNullable<Narrowing["type"]>;
  market?: string | undefined;
}>;

/** The listings that texts mean. */
export const resolveSymbolTool = defineMarketTool<Input, Found>({
  name: "resolveSymbol",
  category: "beyond",
  description: "Tickers for names, in any language or misspelt, with exchange and currency; candidates if unclear.",
  isCommon: true,
  input: z
    .strictObject({
      queries: z.array(Query).min(1).max(10).optional().describe("Names, tickers or aliases"),
      query: Query.optional().describe("Instead of one"),
      type: z.enum(["any", "stock", "etf", "index", "crypto"]).default("any").describe("Default any"),
      market: z.string().trim().min(1).max(20).optional().describe("US, VN or an exchange such as NASDAQ or HOSE"),
    })
    .refine(({ query, queries }) => query !== undefined || queries !== undefined, {
      error: "is required",
      path: ["query"],
    }),
  ttlMs: 24 * 60 * 60_000,
  run: async (input, asked) => {
    const texts = [...(input.queries ?? []), ...(input.query === undefined ? [] : [input.query])];
    const known = texts.map((text) => resolveOne(text, input, asked));
    const isNew = known.some(({ kind, note }) => kind === "unknown" && note === undefined);
    if (isNew) await asked.market.prepare?.(asked.context.scope);
    const found = isNew ? texts.map((text) => resolveOne(text, input, asked)) : known;
    const [first, ...others] = found;
    const provenance = { kind: "snapshot" as const, source: "directory", as_of: `${asked.market.today()}T00:00:00Z` };
    if (first === undefined || others.length > 0) return { data: { results: found }, provenance };
    const [listing] = first.listings;
    if (first.kind === "unknown" || listing === undefined) throw unknown(first);
    if (first.kind === "candidates") throw several(first);
    return { data: { query: first.query, ...listing }, provenance };
  },
  figures: () => [],
  digest: (data) => ({ notes: "results" in data ? data.results.map(toLine) : [] }),
});

function resolveOne(text: string, { type, market: place }: Input, { market }: MarketContext): Meaning {
  const query = toSafeText(text, MAX_SHOWN);
  const isNarrow = type !== "any" || place !== undefined;
  const directory = isNarrow
    ? { lookUp: (said: string) => market.directory.lookUp(said, { type, ...omitUndefined({ market: place }) }) }
    : market.directory;
  const [found] = resolveNames(directory, [{ said: text }]);
  const listings = (found?.listings ?? []).slice(0, MAX_LISTED).map(identify);
  return { query, kind: found?.kind ?? "unknown", listings, ...omitUndefined({ note: found?.note }) };
}

const toName = ({ symbol, name, exchange, currency }: Listing): string =>
  `${symbol} = ${name}, ${exchange}, ${currency}`;

function toLine({ query, kind, listings, note }: Meaning): string {
  const names = listings.map(toName).join(" · ");
  const said =
    kind === "resolved"
      ? names
      : kind === "candidates"
        ? `candidates: ${names}`
        : `not known; nearest: ${names || "none"}`;
  return `"${query}": ${[note, said].filter((part) => part !== undefined).join("; ")}`;
}

function several({ query, listings }: Meaning): MarketError {
  const message = `"${query}" can mean ${listings.map(toName).join(" · ")}; choose one, or ask the user`;
  return new MarketError("ambiguous", message, { candidates: listings });
}

function unknown({ query, listings, note }: Meaning): MarketError {
  const hint = listings.length === 0 ? "" : `; the nearest are ${listings.map(toName).join(" · ")}`;
  const message = note ?? `no symbol or name "${query}" is known${hint}`;
  return new MarketError("no_data", message, { symbol: query, candidates: listings });
}
