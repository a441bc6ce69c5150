/**
 * Price tools: what something costs, what it cost on which day, and by how much that changed.
 */
import { given } from "@baton/core";
import { z } from "zod";
import { Symbol } from "./arguments.ts";
import { cite, dayOf, priceUnit, volumeUnit } from "./figures.ts";
import { defineMarketTool } from "./market-tool.ts";
import { identify, requireListing, SECURITIES, type Identity } from "./require-listing.ts";

const QUOTE_TTL_MS = 30_000;

interface StockPrice extends Identity {
  readonly price: number;
  readonly change?: number;
  readonly change_percent?: number;
  readonly previous_close?: number;
  readonly volume?: number;
}

/** The price now. */
export const getStockPrice = defineMarketTool<{ symbol: string }, StockPrice>({
  name: "getStockPrice",
  category: "price",
  description:
    "Current price of one stock, ETF or index, with the change since the previous close. Use it if only the price " +
    "is asked for; getStockQuote has ranges and market cap, getCryptoPrice has coins.",
  phrases: ["stock price", "share price now", "how much is a share", "giá cổ phiếu", "giá hiện tại", "bao nhiêu tiền"],
  input: z.strictObject({ symbol: Symbol }),
  ttlMs: QUOTE_TTL_MS,
  run: async ({ symbol }, { market, context }) => {
    const listing = requireListing(market, symbol, SECURITIES);
    const { data, provenance } = await market.quote({ listing }, context.scope);
    const { price, change, changePercent: change_percent, previousClose: previous_close, volume } = data;
    const rest = given({ change, change_percent, previous_close, volume });
    return { data: { ...identify(listing), price, ...rest }, provenance };
  },
  figures: (data, provenance) => {
    const period = dayOf(provenance);
    const unit = priceUnit(data);
    return cite(data, [
      { path: "data.price", value: data.price, unit, metric: "price", period },
      { path: "data.change_percent", value: data.change_percent, unit: "percent", metric: "change", period },
      { path: "data.change", value: data.change, unit, metric: "change", period },
      { path: "data.previous_close", value: data.previous_close, unit, metric: "previous close" },
      { path: "data.volume", value: data.volume, unit: volumeUnit(data), metric: "volume", period },
    ]);
  },
});
