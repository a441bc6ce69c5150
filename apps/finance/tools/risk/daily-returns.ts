/**
 * Daily returns: the newest returns of a listing for figures of risk, or no data that says how many there are.
 */
import type { Period } from "@baton/assistant";
import { type Bars, sliceBars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance } from "../../market/port/provenance.ts";
import { MIN_RETURNS, toReturns } from "../../math/risk/returns.ts";
import { daysPerYear } from "../../math/risk/risk.ts";
import { type Candle, loadDaily, periodOf, toCandles } from "../shared/daily.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { identify, type ListingIdentity } from "../frame/require-listing.ts";

export const RISK_TTL_MS = 60 * 60_000;

/** Returns with all that figures of risk are computed from. */
export interface LoadedReturns {
  readonly basis: ReturnsBasis;
  readonly values: Float64Array;
  readonly closes: Float64Array;
  /** Days of the closes, in UTC seconds. */
  readonly t: Float64Array;
  readonly bars: Bars;
  readonly provenance: Provenance;
}

/** The part about returns that every result from them has. */
export interface ReturnsBasis extends ListingIdentity {
  readonly window: Period;
  /** Number of daily returns; fewer than asked for if the series is short. */
  readonly returns: number;
  readonly days_per_year: number;
  /** The bars that the returns are of, for a chart. */
  readonly bars: readonly Candle[];
}

/** The newest `days` daily returns of a listing. */
export async function loadReturns(asked: MarketContext, listing: Listing, days: number): Promise<LoadedReturns> {
  const { data: bars, provenance } = await loadDaily(asked, { listing, limit: days + 1 });
  const found = toReturns(bars, days);
  if (!found.enough) throw tooFewReturns(listing.symbol, found.count);
  const { values, closes, t } = found;
  const window = periodOf({ t });
  const of = { ...identify(listing), currency: bars.currency };
  const first = Math.max(0, bars.t.length - t.length);
  const shown = toCandles(sliceBars(bars, first));
  const basis = { ...of, window, returns: values.length, days_per_year: daysPerYear(listing.type), bars: shown };
  return { basis, values, closes, t, bars, provenance };
}

function tooFewReturns(symbol: string, count: number): MarketError {
  const message = `there are ${count} daily returns of ${symbol}; figures of risk need at least ${MIN_RETURNS}`;
  return new MarketError("no_data", message, { symbol, available: `${count} daily returns` });
}

/** The figures of a day that every result from returns has. */
export const citeDaily = (
  data: Readonly<{ mean_daily_return_percent: number; daily_volatility_percent: number }>,
  period: Period,
) =>
  [
    {
      path: "data.mean_daily_return_percent",
      value: data.mean_daily_return_percent,
      unit: "percent",
      metric: "mean daily return",
      period,
    },
    {
      path: "data.daily_volatility_percent",
      value: data.daily_volatility_percent,
      unit: "percent",
      metric: "daily volatility",
      period,
    },
  ] as const;

/** Number and window of the returns that a result is computed from. */
export const toShared = ({
  returns,
  window,
  days_per_year,
}: Pick<ReturnsBasis, "returns" | "window" | "days_per_year">) => [
  `${returns} daily returns ${window.start} to ${window.end}, ${days_per_year} days a year`,
];
