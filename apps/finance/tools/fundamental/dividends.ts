/**
 * Dividends: what a company pays its shareholders.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { identify, type ListingIdentity, SECURITIES } from "../frame/require-listing.ts";
import { addDays } from "../shared/calendar-day.ts";
import { citeFields } from "../shared/figures.ts";
import { tidy } from "../shared/number.ts";

/** Most a result shows. */
const MAX_DIVIDENDS = 400;

/** Dividends per share. */
export const dividendsTool = defineListingTool({
  name: "getDividends",
  category: "fundamental",
  asks: "dividends",
  description:
    "Dividends per share of one stock or fund by ex-dividend day, newest first, with payment day, yield and their sum.",
  chart: { type: "showStockFinancials", about: "symbol" },
  of: SECURITIES,
  input: {
    lookback_days: z
      .int()
      .min(1)
      .max(36_500)
      .default(365)
      .describe("How many days back from today, 1 to 36500; default 365"),
  },
  ttlMs: 24 * 60 * 60_000,
  run: async (listing, { lookback_days }, { market, context: { scope } }) => {
    const end = market.today();
    const start = addDays(end, -lookback_days);
    const { data, provenance } = await market.dividends({ listing, from: start }, scope);
    const dividends = data
      .filter(({ day }) => day >= start)
      .map(({ day, amount, currency, paymentDay, recordDay, yieldPercent }) => ({
        day,
        amount,
        currency,
        ...omitUndefined({ payment_day: paymentDay, record_day: recordDay, yield_percent: yieldPercent }),
      }))
      .toSorted((a, b) => (a.day < b.day ? 1 : -1))
      .slice(0, MAX_DIVIDENDS);
    if (dividends.length === 0) throw noneOf(listing, `dividends since ${start}`);
    const paid = dividends.filter(({ day }) => day <= end);
    const currencies = new Set(paid.map(({ currency }) => currency));
    const total = currencies.size === 1 ? tidy(paid.reduce((sum, { amount }) => sum + amount, 0)) : undefined;
    return {
      data: { ...identify(listing), period: { start, end }, ...omitUndefined({ total }), dividends },
      provenance,
    };
  },
  figures: ({ symbol, period, dividends, ...data }) => [
    ...citeFields(
      { symbol, currency: dividends[0]?.currency ?? "", period },
      ["data", data],
      [["total", "money/share", "dividends per share, total"]],
    ),
    ...dividends.flatMap((row, at) =>
      citeFields(
        { symbol, currency: row.currency, period: { end: row.day } },
        [`data.dividends[${at}]`, row],
        [
          ["amount", "money/share", "dividend per share"],
          ["yield_percent", "percent", "dividend yield"],
        ],
      ),
    ),
  ],
});

const noneOf = ({ symbol, name }: ListingIdentity, what: string) =>
  new MarketError("no_data", `there are no ${what} of ${symbol} (${name})`, { symbol });
