/**
 * Yahoo chart: the shape of a chart, and its parallel arrays made into candles. Arrays of different lengths are an
 * error, because one value missing in the middle would shift all that follow.
 */
import { z } from "zod";
import { MarketError } from "../../port/market-error.ts";
import { toDay } from "../../pack/days.ts";
import type { Adjust } from "../../port/provenance.ts";
import type { SourceCandle } from "../candles.ts";
import { Text } from "../rows.ts";
import { Amount, Price, RequiredSeconds, Seconds } from "../figures.ts";

const Prices = z.array(Price).default([]);

const CHART = z.looseObject({
  meta: z.looseObject({
    currency: Text,
    symbol: Text,
    regularMarketPrice: Price,
    regularMarketTime: Seconds,
    regularMarketDayHigh: Price,
    regularMarketDayLow: Price,
    regularMarketVolume: Amount,
    chartPreviousClose: Price,
    previousClose: Price,
    fiftyTwoWeekHigh: Price,
    fiftyTwoWeekLow: Price,
    gmtoffset: Seconds,
  }),
  timestamp: z.array(RequiredSeconds).default([]),
  events: z
    .looseObject({ dividends: z.record(z.string(), z.looseObject({ amount: Price, date: Seconds })).optional() })
    .optional(),
  indicators: z.looseObject({
    quote: z.array(
      z.looseObject({ open: Prices, high: Prices, low: Prices, close: Prices, volume: z.array(Amount).default([]) }),
    ),
    adjclose: z.array(z.looseObject({ adjclose: Prices })).optional(),
  }),
});

/** One chart. */
export type YahooChart = z.infer<typeof CHART>;

/** Schema of an answer. */
export const ChartBody = z.looseObject({ chart: z.looseObject({ result: z.array(CHART).nullable() }) });

/** A complaint in place of a chart. */
export const ErrorBody = z.looseObject({
  chart: z.looseObject({ error: z.looseObject({ code: Text, description: Text }).nullable().optional() }),
});

const DAY_S = 86_400;

/** The day at the exchange, for a time in seconds. */
export const toLocalDay = ({ meta }: YahooChart, seconds: number): string =>
  toDay(Math.floor((seconds + (meta.gmtoffset ?? 0)) / DAY_S));

/** Bars by their time. */
export function toTimedCandles(chart: YahooChart): readonly SourceCandle[] {
  const { timestamp: t, indicators } = chart;
  const [quote] = indicators.quote;
  if (quote === undefined) return [];
  const { open, high, low, close, volume } = quote;
  // Without any trade in the window there are no columns at all.
  if (t.length === 0) return [];
  if ([open, high, low, close, volume].some((column) => column.length !== t.length)) throw unequal();
  return t.map((seconds, at) => ({
    t: seconds,
    o: open[at],
    h: high[at],
    l: low[at],
    c: close[at],
    v: volume[at],
  }));
}

/** Bars by their day, which is dated by the opening of the session; adjusted for splits, and for dividends if asked. */
export function toDailyCandles(chart: YahooChart, adjust: Adjust): readonly SourceCandle[] {
  if (adjust === "none") throw new MarketError("no_data", "Yahoo has prices adjusted for splits only");
  const candles = toTimedCandles(chart).map((candle) => {
    const local = (candle.t ?? 0) + (chart.meta.gmtoffset ?? 0);
    return { ...candle, t: Math.floor(local / DAY_S) * DAY_S };
  });
  return adjust === "split" ? candles : withDividends(candles, chart);
}

function withDividends(candles: readonly SourceCandle[], { indicators }: YahooChart): readonly SourceCandle[] {
  const adjusted = indicators.adjclose?.[0]?.adjclose ?? [];
  if (adjusted.length !== candles.length) throw unequal();
  return candles.map(({ t, o, h, l, c, v }, at) => {
    const close = adjusted[at];
    const factor = close === undefined || c === undefined || c === 0 ? undefined : close / c;
    const scaled = (value: number | undefined) =>
      value === undefined || factor === undefined ? undefined : value * factor;
    return { t, o: scaled(o), h: scaled(h), l: scaled(l), c: close, v };
  });
}

const unequal = () => new MarketError("upstream", "Yahoo answered with columns of different lengths");
