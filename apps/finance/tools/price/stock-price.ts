/**
 * Stock price: what something costs now.
 */
import { omitUndefined } from "@baton/core/util";
import { defineListingTool, type NoArguments } from "../frame/listing-tool.ts";
import { identify, type ListingIdentity, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { cite, dayOf, priceUnit, volumeUnit } from "../shared/figures.ts";
import { loadQuote, QUOTE_TTL_MS } from "./quote.ts";

interface StockPrice extends ListingIdentity {
  readonly price: number;
  readonly change?: number;
  readonly change_percent?: number;
  readonly previous_close?: number;
  readonly volume?: number;
}

/** The price now. */
export const stockPriceTool = defineListingTool<NoArguments, StockPrice>({
  name: "getStockPrice",
  category: "price",
  description: "Newest price of one stock, fund, index or coin, with the change of the day.",
  says: `last traded price; what is it trading at; worth of one share; giá mới nhất của mã; đang giao dịch ở giá nào;
    stock price; share price now; how much is a share; giá cổ phiếu; giá hiện tại; bao nhiêu tiền;
    what is the stock at; how expensive is a share; stock worth today; trading at what level;
    cổ phiếu đang giá bao nhiêu; thị giá`,
  chart: { type: "showStockPrice", about: "symbol" },
  of: SECURITIES_AND_COINS,
  input: {},
  ttlMs: QUOTE_TTL_MS,
  run: async (listing, _args, asked) => {
    const { data, provenance } = await loadQuote(asked, listing, "price");
    const { price, change, changePercent: change_percent, previousClose: previous_close, volume, currency } = data;
    const rest = omitUndefined({ change, change_percent, previous_close, volume });
    return { data: { ...identify(listing), currency, price, ...rest }, provenance };
  },
  figures: (data, provenance) => {
    const period = dayOf(provenance);
    const unit = priceUnit(data);
    return cite(data, [
      { path: "data.price", value: data.price, unit, metric: "price", period },
      { path: "data.change_percent", value: data.change_percent, unit: "percent", metric: "change of the day", period },
      { path: "data.change", value: data.change, unit, metric: "change of the day", period },
      { path: "data.previous_close", value: data.previous_close, unit, metric: "previous close", period },
      { path: "data.volume", value: data.volume, unit: volumeUnit(data), metric: "volume", period },
    ]);
  },
});
