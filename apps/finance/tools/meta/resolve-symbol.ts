/**
 * Symbol tool: from a name, ticker or alias to the listing it means.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing, Narrowing, Resolution } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";
import { toSafeText } from "../shared/untrusted.ts";

interface Resolved extends ListingIdentity {
  readonly query: string;
  readonly found_by: Extract<Resolution, { kind: "one" }>["by"];
}

type Input = Readonly<{ query: string; type: NonNullable<Narrowing["type"]>; market?: string | undefined }>;

/** So much of a query is repeated. */
const MAX_SHOWN = 200;

/** The listing that a text means. */
export const resolveSymbol = defineMarketTool<Input, Resolved>({
  name: "resolveSymbol",
  category: "beyond",
  description:
    "Finds the ticker of a company, fund, index or coin by its name, alias or misspelt ticker, in English or " +
    "Vietnamese, with exchange, type and currency; several candidates if the text cannot decide. Use it before other " +
    "tools if you are not sure of a symbol.",
  says: `what is the ticker symbol of; stock symbol for a brand; is this listed and where;
    mã giao dịch của doanh nghiệp là gì; công ty này mã gì; ticker of a company; symbol lookup;
    which stock code; find company by name; mã cổ phiếu của công ty; tìm mã chứng khoán;
    under which symbol does a brand trade; which company is this ticker; có mã là gì; hãng này mã nào;
    mã cổ phiếu của hãng là gì`,
  isCommon: true,
  input: z.strictObject({
    query: z.string().trim().min(1).max(200).describe("Name, ticker or alias"),
    type: z.enum(["any", "stock", "etf", "index", "crypto"]).default("any").describe("Narrows the search; default any"),
    market: z.string().trim().min(1).max(20).optional().describe("US, VN or an exchange such as NASDAQ or HOSE"),
  }),
  ttlMs: 24 * 60 * 60_000,
  run: async ({ query, type, market: place }, { market }) => {
    const found = market.directory.resolve(query, { type, ...omitUndefined({ market: place }) });
    const shown = toSafeText(query, MAX_SHOWN);
    if (found.kind === "ambiguous") throw ambiguous(shown, found.candidates);
    if (found.kind === "none") throw unknown(shown, found.nearest);
    const { listing, by: found_by } = found;
    const provenance = {
      kind: listing.exchange === "FICTIONAL" ? ("synthetic" as const) : ("snapshot" as const),
      source: "directory",
      as_of: `${market.today()}T00:00:00Z`,
    };
    return { data: { query: shown, ...identify(listing), found_by }, provenance };
  },
  figures: () => [],
  describe: ({ query, symbol, found_by }) => (found_by === "typo" ? [`${symbol} is a guess for "${query}"`] : []),
});

const toName = ({ symbol, name, exchange }: Listing): string => `${symbol} (${name}, ${exchange})`;

function ambiguous(query: string, candidates: readonly Listing[]): MarketError {
  const message = `"${query}" can mean ${candidates.map(toName).join(", ")}; choose one, or ask the user`;
  return new MarketError("ambiguous", message, { candidates });
}

function unknown(query: string, nearest: readonly Listing[]): MarketError {
  const hint = nearest.length === 0 ? "" : `; the nearest are ${nearest.map(toName).join(", ")}`;
  return new MarketError("no_data", `no symbol or name "${query}" is known${hint}`, {
    symbol: query,
    candidates: nearest,
  });
}
