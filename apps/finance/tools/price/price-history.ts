/**
 * Price history tools: prices by day and within days.
 */
import type { Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { type Bars, sliceBars } from "../../market/port/bars.ts";
import { type Interval, INTERVALS } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { Day, isOrdered, limitOf, ORDERED, Symbol } from "../frame/arguments.ts";
import { loadDaily, MAX_POINTS, periodOf, toCandles, toDay } from "../shared/daily.ts";
import { cite, type CitedNumber, priceUnit, volumeUnit } from "../shared/figures.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { difference, percentChange } from "../shared/number.ts";
import { identify, type ListingIdentity, requireListing, SECURITIES } from "../frame/require-listing.ts";

/** One bar; the day or the moment it begins. */
interface Row {
  readonly date?: string;
  readonly time?: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** Prices over a window, newest first, and what they say together. */
export interface History extends ListingIdentity {
  readonly period: Period;
  readonly count: number;
  /** The number of bars in the window, if not all are shown. */
  readonly of?: number;
  readonly first_close: number;
  readonly last_close: number;
  readonly change?: number;
  readonly change_percent?: number;
  readonly high: number;
  readonly low: number;
  /** Newest first. */
  readonly prices: readonly Row[];
}

/** A close is a figure in so many of the newest rows; older ones are in the data. */
const MAX_CITED_ROWS = 250;

/** The history of bars that are not empty. */
export function toHistory(
  listing: ListingIdentity,
  bars: Bars,
  toTime: (t: number) => Pick<Row, "date" | "time">,
): History {
  const candles = toCandles(bars);
  const closes = candles.map(({ c }) => c);
  const first_close = closes[0] ?? NaN;
  const last_close = closes.at(-1) ?? NaN;
  const prices = candles.map(({ t, o: open, h: high, l: low, c: close, v: volume }) => ({
    ...toTime(t),
    open,
    high,
    low,
    close,
    volume,
  }));
  return {
    ...identify(listing),
    period: periodOf(bars),
    count: candles.length,
    first_close,
    last_close,
    change: difference(last_close, first_close),
    ...omitUndefined({ change_percent: percentChange(first_close, last_close) }),
    high: candles.reduce((most, { h }) => Math.max(most, h), -Infinity),
    low: candles.reduce((least, { l }) => Math.min(least, l), Infinity),
    prices: prices.toReversed(),
  };
}

/** The figures of a history: what it says together, then its rows. */
export function toCited(data: History): readonly CitedNumber[] {
  const { period } = data;
  const unit = priceUnit(data);
  const summary: readonly CitedNumber[] = [
    { path: "data.last_close", value: data.last_close, unit, metric: "close", period: { end: period.end } },
    { path: "data.change_percent", value: data.change_percent, unit: "percent", metric: "price change", period },
    { path: "data.change", value: data.change, unit, metric: "price change", period },
    { path: "data.high", value: data.high, unit, metric: "highest price", period },
    { path: "data.low", value: data.low, unit, metric: "lowest price", period },
    { path: "data.first_close", value: data.first_close, unit, metric: "close", period: { end: period.start ?? "" } },
  ];
  return [...summary, ...data.prices.slice(0, MAX_CITED_ROWS).flatMap((row, at) => toRowFigures(data, row, at))];
}

/** All of the newest row; of the others the close. */
function toRowFigures(of: ListingIdentity, { date, time, ...row }: Row, at: number): readonly CitedNumber[] {
  const unit = priceUnit(of);
  const moment = date ?? time ?? "";
  const period: Period = { end: moment.slice(0, 10), ...(date === undefined ? { label: moment } : {}) };
  const close: CitedNumber = { path: `data.prices[${at}].close`, value: row.close, unit, metric: "close", period };
  if (at > 0) return [close];
  return [
    close,
    ...(["open", "high", "low"] as const).map((metric) => ({
      path: `data.prices[${at}].${metric}`,
      value: row[metric],
      unit,
      metric,
      period,
    })),
    { path: `data.prices[${at}].volume`, value: row.volume, unit: volumeUnit(of), metric: "volume", period },
  ];
}

interface HistoricalInput {
  readonly symbol: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly limit: number;
  readonly adjust: boolean;
}

const toDate = (t: number) => ({ date: toDay(t) });

/** Prices by day. */
export const getHistoricalPrice = defineMarketTool<HistoricalInput, History>({
  name: "getHistoricalPrice",
  category: "price",
  description:
    "Daily open, high, low, close and volume of one stock, ETF or index, newest first, with the change over the " +
    "window. Use it for past prices and price charts; getIntradayPrices has bars within a day, getCryptoHistorical " +
    "has coins.",
  says: `open high low close by day; prices between two dates; how did the price develop; giá những tháng trước;
    giá theo ngày trong quá khứ; past prices by day; closing price on a date; price history chart; lịch sử giá;
    giá đóng cửa ngày; biểu đồ giá; price on a certain day in the past; old prices; price table of last week;
    bảng giá các phiên trước; giá năm ngoái`,
  isCommon: true,
  chart: { type: "showStockPrice", about: "symbol" },
  input: z
    .strictObject({
      symbol: Symbol,
      from: Day.optional().describe("First day, YYYY-MM-DD"),
      to: Day.optional().describe("Last day, YYYY-MM-DD"),
      limit: limitOf(250, 5_000).describe("How many of the newest days of the window at most; default 250"),
      adjust: z.boolean().default(true).describe("Adjust prices for splits"),
    })
    .refine(isOrdered, ORDERED),
  ttlMs: 15 * 60_000,
  run: async ({ symbol, from, to, limit, adjust }, asked) => {
    const listing = requireListing(asked.market, symbol, SECURITIES);
    const window = from === undefined ? { limit, ...omitUndefined({ to }) } : { from, ...omitUndefined({ to }) };
    const answer = await loadDaily(asked, { listing, adjust: adjust ? "split" : "none", ...window });
    const total = answer.data.t.length;
    const data = toHistory(listing, sliceBars(answer.data, Math.max(0, total - limit)), toDate);
    return { data: { ...data, ...(total > limit ? { of: total } : {}) }, provenance: answer.provenance };
  },
  figures: (data) => cite(data, toCited(data)),
});

/** Prices within days. */
export const getIntradayPrices = defineMarketTool<{ symbol: string; interval: Interval }, History>({
  name: "getIntradayPrices",
  category: "price",
  description:
    "Prices of one stock, ETF or index within the latest days, by bars of 1, 5, 15 or 30 minutes, 1 or 4 hours, " +
    "newest first. Use it for what happened during a day; getHistoricalPrice has daily bars.",
  says: `price hour by hour during the session; tick chart of today; biểu đồ theo phút; giá theo giờ hôm nay;
    intraday prices; minute bars; hourly candles today; giá trong phiên; nến 5 phút; diễn biến trong ngày;
    today's moves minute by minute; morning session; 15min 30min bars; giá sáng nay chiều nay`,
  chart: { type: "showStockPrice", about: "symbol" },
  input: z.strictObject({
    symbol: Symbol,
    interval: z.enum(INTERVALS).default("5min").describe("Length of a bar; default 5min"),
  }),
  ttlMs: 60_000,
  run: async ({ symbol, interval }, { market, context }) => {
    const listing = requireListing(market, symbol, SECURITIES);
    const { data: bars, provenance } = await market.intraday({ listing, interval }, context.scope);
    if (bars.t.length === 0) throw noIntraday(listing.symbol, interval);
    const total = bars.t.length;
    const history = toHistory(listing, sliceBars(bars, Math.max(0, total - MAX_POINTS)), toTime);
    return { data: { ...history, interval, ...(total > MAX_POINTS ? { of: total } : {}) }, provenance };
  },
  figures: (data) => cite(data, toCited(data)),
});

/** The moment of a bar. */
export const toTime = (t: number) => ({ time: new Date(t * 1_000).toISOString().replace(".000Z", "Z") });

const noIntraday = (symbol: string, interval: Interval) =>
  new MarketError("no_data", `there are no ${interval} bars of ${symbol}`, { symbol });
