/**
 * Daily returns: the newest returns of a listing for figures of risk, or no data that says how many there are.
 */
import type { Period } from "@baton/assistant";
import { sliceBars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { MIN_RETURNS, toReturns } from "../../math/risk/returns.ts";
import { daysPerYear } from "../../math/risk/risk.ts";
import { deviation, mean } from "../../math/risk/statistics.ts";
import { loadDaily, periodOf, toCandles } from "../shared/daily.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { identify } from "../frame/require-listing.ts";
import type { FigureRow } from "../shared/figures.ts";
import { percentOf } from "../shared/number.ts";

/** The newest `days` daily returns of a listing, and the part about them that every result has (`basis`). */
export async function loadReturns(asked: MarketContext, listing: Listing, days: number) {
  const { data: bars, provenance } = await loadDaily(asked, { listing, limit: days + 1 });
  const found = toReturns(bars, days);
  if (!found.enough) throw tooFewReturns(listing.symbol, found.count);
  const { values, closes, t } = found;
  const basis = {
    ...identify(listing),
    currency: bars.currency,
    window: periodOf({ t }),
    returns: values.length,
    days_per_year: daysPerYear(listing.type),
    mean_daily_return_percent: percentOf(mean(values)),
    daily_volatility_percent: percentOf(deviation(values)),
    /** The bars that the returns are of, for a chart. */
    bars: toCandles(sliceBars(bars, Math.max(0, bars.t.length - t.length))),
  };
  return { basis, values, closes, t, bars, provenance };
}

function tooFewReturns(symbol: string, count: number): MarketError {
  const message = `there are ${count} daily returns of ${symbol}; figures of risk need at least ${MIN_RETURNS}`;
  return new MarketError("no_data", message, { symbol, available: `${count} daily returns` });
}

/** The figures of a day that every result from returns has. */
export const DAILY_FIGURES: readonly FigureRow[] = [
  ["mean_daily_return_percent", "percent", "mean daily return"],
  ["daily_volatility_percent", "percent", "daily volatility"],
];

/** Number and window of the returns that a result is computed from. */
export const toShared = (of: Readonly<{ returns: number; window: Period; days_per_year: number }>) => [
  `${of.returns} daily returns ${of.window.start} to ${of.window.end}, ${of.days_per_year} days a year`,
];
