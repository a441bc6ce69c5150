/**
 * Movers: the tools of the day's lists.
 */
import { z } from "zod";
import type { MarketData, MarketRow } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { limitOf } from "../frame/arguments.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { type ShownRow, toRowFigures, toShownRow } from "../shared/market-rows.ts";

/** A list of a day. */
export type MoverList = Parameters<MarketData["movers"]>[0]["list"];

const MIN_PRICE = 1;

/** A list of a day; penny stocks move by chance and are left out. */
export async function loadMovers(
  { market, context }: MarketContext,
  { list, limit }: Readonly<{ list: MoverList; limit: number }>,
): Promise<Sourced<readonly ShownRow[]>> {
  const { data, provenance } = await market.movers({ list, limit }, context.scope);
  const rows: readonly MarketRow[] = data.filter(({ price }) => price >= MIN_PRICE).slice(0, limit);
  if (rows.length === 0) throw new MarketError("no_data", `the list of ${list} is empty`);
  return { data: rows.map(toShownRow), provenance };
}

/** Defines a tool of one list. */
const defineMovers = (
  name: string,
  list: MoverList,
  { title, description }: Readonly<Record<"title" | "description", string>>,
) =>
  defineMarketTool({
    name,
    description,
    category: "discovery",
    chart: { type: "showTrendingStocks", about: "call", title },
    input: z.strictObject({ limit: limitOf(20, 100) }),
    ttlMs: 60_000,
    run: async ({ limit }, asked) => {
      const { data: rows, provenance } = await loadMovers(asked, { list, limit });
      return { data: { count: rows.length, rows }, provenance };
    },
    figures: ({ rows }, provenance) => toRowFigures("data.rows", rows, { provenance }),
  });

/** Lists the stocks that rose most. */
export const gainersTool = defineMovers("getGainers", "gainers", {
  title: "Biggest gainers",
  description: "US stocks that rose most in percent on the latest day, at prices of at least 1 dollar.",
});

/** Lists the stocks that fell most. */
export const losersTool = defineMovers("getLosers", "losers", {
  title: "Biggest losers",
  description: "US stocks that fell most in percent on the latest day, at prices of at least 1 dollar.",
});

/** Lists the stocks that traded most. */
export const mostActiveTool = defineMovers("getMostActive", "active", {
  title: "Most active",
  description: "US stocks that traded most on the latest day, with price and change.",
});
