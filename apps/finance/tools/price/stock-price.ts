/**
 * Stock price: what something costs now.
 */
import { omitUndefined } from "@baton/core/util";
import { defineListingTool } from "../frame/listing-tool.ts";
import { identify, SECURITIES_AND_COINS } from "../frame/require-listing.ts";
import { citeFields, dayOf } from "../shared/figures.ts";
import { loadQuote, QUOTE_TTL_MS } from "./quote.ts";

/** The price now. */
export const stockPriceTool = defineListingTool({
  name: "getStockPrice",
  category: "price",
  description: "Newest price of one stock, fund, index or coin, with the change of the day.",
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
  figures: (data, provenance) =>
    citeFields(
      { ...data, period: dayOf(provenance) },
      ["data", data],
      [
        ["price", "price", "price"],
        ["change_percent", "percent", "change of the day"],
        ["change", "price", "change of the day"],
        ["previous_close", "price", "previous close"],
        ["volume", "volume", "volume"],
      ],
    ),
});
