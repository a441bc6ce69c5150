/**
 * Price change: by how many percent a price changed over usual spans.
 */
import type { Period } from "@baton/assistant";
import type { Listing } from "../../market/port/listing.ts";
import type { Day, PriceChange, PriceSpan } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { identify, type ListingIdentity, SECURITIES } from "../frame/require-listing.ts";
import { cite, dayOf } from "../shared/figures.ts";
import { finite } from "../shared/number.ts";
import { lastTradingDay, toSpanPeriod } from "./span-period.ts";

/** The change over one span. */
export type SpanChange = Readonly<{ span: PriceSpan; period: Period; change_percent: number }>;

const SPANS: readonly PriceSpan[] = ["1D", "5D", "1M", "3M", "6M", "YTD", "1Y", "3Y", "5Y", "10Y"];

/** The changes of a listing over every span that is known. */
export async function loadChanges(asked: MarketContext, listing: Listing): Promise<Sourced<readonly SpanChange[]>> {
  const { market, context } = asked;
  const { data, provenance } = await market.change({ listing }, context.scope);
  // a source of today's prices names no day
  const end = lastTradingDay(provenance.fetched_at === undefined ? dayOf(provenance).end : market.today());
  return { data: toSpanChanges(data, end), provenance };
}

/** The changes up to a day, by span. */
export function toSpanChanges(change: PriceChange, end: Day): readonly SpanChange[] {
  return SPANS.flatMap((span) => {
    const change_percent = finite(change[span]);
    return change_percent === undefined ? [] : [{ span, period: toSpanPeriod(span, end), change_percent }];
  });
}

/** The changes as figures. */
export const citeChanges = (of: ListingIdentity, changes: readonly SpanChange[]) =>
  cite(
    of,
    changes.map(({ span, period, change_percent }, at) => ({
      path: `data.changes[${at}].change_percent`,
      value: change_percent,
      unit: "percent" as const,
      metric: `price change ${span}`,
      period,
    })),
  );

/** By how much the price changed, by span. */
export const priceChangeTool = defineListingTool({
  name: "getPriceChange",
  category: "price",
  description:
    "Price change of a stock, fund or index in percent over 1 and 5 days, 1, 3 and 6 months, this year, 1, 3, 5 and 10 years.",
  chart: { type: "showStockPrice", about: "symbol" },
  of: SECURITIES,
  input: {},
  ttlMs: 5 * 60_000,
  run: async (listing, _args, asked) => {
    const { data: changes, provenance } = await loadChanges(asked, listing);
    if (changes.length > 0) return { data: { ...identify(listing), changes }, provenance };
    throw new MarketError("no_data", `no price change of ${listing.symbol} is known`, { symbol: listing.symbol });
  },
  figures: (data) => citeChanges(data, data.changes),
  digest: () => ({ shared: ["price change, without dividends"] }),
});
