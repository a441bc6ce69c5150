/**
 * Price calls: prices of stocks and coins, now, over a day and over years.
 *
 * A price with a time in the past is a history. Performance over the usual spans is getPriceChange; over a window of the
 * calendar it is read from the history.
 */
import type { Json } from "@baton/core";
import { type Ask, call, type ChosenCall, unless } from "../ask.ts";
import { readIntervalMinutes, readLimit } from "../numbers/parameters.ts";
import { startOf, startOfSpan } from "../numbers/periods.ts";

type Listed = Ask["listings"][number];

const isCoin = ({ type }: Listed): boolean => type === "crypto";

/** One call for each thing that is asked about. */
export function each(ask: Ask, choose: (listing: Listed) => readonly ChosenCall[]): readonly ChosenCall[] {
  return ask.listings.flatMap(choose);
}

/** The price now, or then. */
export const priceCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, (listing) => {
    if (isPast(ask)) return historyOf(ask, listing);
    return [call(isCoin(listing) ? "getCryptoPrice" : "getStockPrice", { symbol: listing.symbol })];
  });

/** The price with ranges, volume and market cap. */
export const quoteCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, ({ symbol, ...rest }) => [
    call(isCoin({ symbol, ...rest }) ? "getCryptoQuote" : "getStockQuote", { symbol }),
  ]);

/** Past prices. */
export const historyCalls = (ask: Ask): readonly ChosenCall[] => each(ask, (listing) => historyOf(ask, listing));

/** By how much prices changed. */
export const changeCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, (listing) => {
    const { periods, reading } = ask;
    if (isCoin(listing)) {
      return isPast(ask) ? historyOf(ask, listing) : [call("getCryptoQuote", { symbol: listing.symbol })];
    }
    if (periods.window !== undefined && !isToDate(ask)) return historyOf(ask, listing);
    const isToday = reading.cues.has("today") && periods.rolling === undefined && periods.window === undefined;
    return [
      call(isToday && periods.spans.length === 0 ? "getStockPrice" : "getPriceChange", { symbol: listing.symbol }),
    ];
  });

/** Prices within days. */
export const intradayCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, (listing) => {
    const minutes = readIntervalMinutes(ask);
    if (isCoin(listing)) return [call("getCryptoHistorical", { symbol: listing.symbol, ...coinArgs(ask) })];
    const interval = minutes === undefined ? undefined : nearest(STOCK_INTERVALS, minutes);
    return [call("getIntradayPrices", { symbol: listing.symbol, interval: unless("5min", interval) })];
  });

const STOCK_INTERVALS: ReadonlyMap<number, string> = new Map([
  [1, "1min"],
  [5, "5min"],
  [15, "15min"],
  [30, "30min"],
  [60, "1hour"],
  [240, "4hour"],
]);
const COIN_INTERVALS: ReadonlyMap<number, string> = new Map([
  [1, "1m"],
  [5, "5m"],
  [15, "15m"],
  [30, "30m"],
  [60, "1h"],
  [240, "4h"],
  [1440, "1d"],
  [10_080, "1w"],
]);

function nearest(intervals: ReadonlyMap<number, string>, minutes: number): string {
  const [first, ...rest] = [...intervals.keys()];
  const best = rest.reduce(
    (one, other) => (Math.abs(other - minutes) < Math.abs(one - minutes) ? other : one),
    first ?? 1,
  );
  return intervals.get(best) ?? "";
}

/** Whether a time before today is named. */
function isPast({ periods }: Ask): boolean {
  return periods.window !== undefined || periods.rolling !== undefined;
}

/** "This year", "this month": the usual spans up to today. */
function isToDate({ periods: { window }, today }: Ask): boolean {
  if (window === undefined || window.to !== undefined) return false;
  return (
    window.from === startOf("year", today) ||
    window.from === startOf("month", today) ||
    window.from === startOf("week", today)
  );
}

function historyOf(ask: Ask, listing: Listed): readonly ChosenCall[] {
  const { symbol } = listing;
  if (isCoin(listing)) return [call("getCryptoHistorical", { symbol, ...coinArgs(ask) })];
  return [call("getHistoricalPrice", { symbol, ...windowOf(ask) })];
}

/** The first and last day that are asked for; of a chart, "1 year" is the last. */
export function windowOf({
  periods: { window, rolling, spans },
  topics,
  today,
}: Ask): Readonly<{ from?: string; to?: string }> {
  if (window !== undefined) return window;
  const isPlain = topics.size === 1;
  const shown = topics.has("history")
    ? spans.find(({ unit, count }) => unit !== "day" || (isPlain && count > 1))
    : undefined;
  const span = rolling ?? shown;
  return span === undefined ? {} : { from: startOfSpan(span, today) };
}

const MAX_COIN_BARS = 1_000;
const LONG_DAYS = 8;

/** Bars of a coin: by what is said, else hours for a week and days for more. */
function coinArgs(ask: Ask): { readonly [name: string]: Json | undefined } {
  const { today, reading } = ask;
  const said = readIntervalMinutes(ask);
  const from = windowOf(ask).from;
  const days = from === undefined ? undefined : (Date.parse(today) - Date.parse(from)) / 86_400_000;
  const isDaily = reading.tokens.some(
    ({ key }, at) =>
      key === "daily" ||
      (key === "ngay" && ["theo", "tung", "nen", "khung"].includes(reading.tokens[at - 1]?.key ?? "")),
  );
  const isWeekly = reading.tokens.some(({ key }) => key === "weekly");
  const standard = isWeekly ? 10_080 : isDaily || (days !== undefined && days > LONG_DAYS) ? 1440 : 60;
  const minutes = said ?? standard;
  const bars =
    days === undefined ? readLimit(ask) : Math.min(MAX_COIN_BARS, Math.max(1, Math.round((days * 1440) / minutes)));
  return { interval: unless("1h", nearest(COIN_INTERVALS, minutes)), limit: unless(200, bars) };
}
