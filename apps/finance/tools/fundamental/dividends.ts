/**
 * Dividends: what a company pays its shareholders.
 */
import type { Figure } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Day } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { defineListingTool } from "../frame/listing-tool.ts";
import { identify, type ListingIdentity, SECURITIES } from "../frame/require-listing.ts";
import { addDays } from "../shared/calendar-day.ts";
import { cite } from "../shared/figures.ts";
import { tidy } from "../shared/number.ts";

interface ShownDividend {
  /** The first day on which a buyer no longer gets it. */
  readonly day: Day;
  readonly amount: number;
  readonly currency: string;
  readonly payment_day?: Day;
  readonly record_day?: Day;
  readonly yield_percent?: number;
}

interface Dividends extends ListingIdentity {
  readonly period: Readonly<{ start: Day; end: Day }>;
  /** Of the days up to `period.end`, if all are in one currency. */
  readonly total?: number;
  /** Newest first; those after `period.end` are announced. */
  readonly dividends: readonly ShownDividend[];
}

/** Most a result shows. */
const MAX_DIVIDENDS = 400;

/** Dividends per share. */
export const dividendsTool = defineListingTool({
  name: "getDividends",
  category: "fundamental",
  asks: "dividends",
  description:
    "Dividends per share of one stock or fund by ex-dividend day, newest first, with payment day, yield and their sum.",
  says: `dividend history; dividends per share; ex-dividend date; how much dividend does it pay; dividend yield;
    lịch sử cổ tức; cổ tức mỗi cổ phiếu; ngày giao dịch không hưởng quyền; công ty trả cổ tức bao nhiêu;
    payouts to shareholders; dividend history and ex-date; chia cổ tức; tiền cổ tức`,
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
  run: async (listing, { lookback_days }, { market, context: { scope } }): Promise<Sourced<Dividends>> => {
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
    const total = toTotal(dividends.filter(({ day }) => day <= end));
    return {
      data: { ...identify(listing), period: { start, end }, ...omitUndefined({ total }), dividends },
      provenance,
    };
  },
  figures: toDividendFigures,
});

function toTotal(dividends: readonly ShownDividend[]): number | undefined {
  const [first] = dividends;
  if (first === undefined || dividends.some(({ currency }) => currency !== first.currency)) return undefined;
  return tidy(dividends.reduce((sum, { amount }) => sum + amount, 0));
}

function toDividendFigures({ symbol, period, total, dividends }: Dividends): readonly Figure[] {
  const currency = dividends[0]?.currency ?? "";
  const sum = { path: "data.total", value: total, unit: "money/share", metric: "dividends per share, total" } as const;
  return [
    ...cite({ symbol, currency }, [{ ...sum, period }]),
    ...dividends.flatMap((row, at) =>
      cite({ symbol, currency: row.currency }, [
        {
          path: `data.dividends[${at}].amount`,
          value: row.amount,
          unit: "money/share",
          metric: "dividend per share",
          period: { end: row.day },
        },
        {
          path: `data.dividends[${at}].yield_percent`,
          value: row.yield_percent,
          unit: "percent",
          metric: "dividend yield",
          period: { end: row.day },
        },
      ]),
    ),
  ];
}

const noneOf = ({ symbol, name }: ListingIdentity, what: string) =>
  new MarketError("no_data", `there are no ${what} of ${symbol} (${name})`, { symbol });
