/**
 * Fake FMP prices: quotes, profiles, changes and bars, newest first as the real service sends them.
 */
import type { Asked, Rows } from "./fake-fmp-asked.ts";
import { barOf, barsOf, cents, chance, fromDayNumber, lastWeekday, toDayNumber } from "../fake-prices.ts";

const DAY_MS = 86_400_000;
const YEARS_BACK = 5;
const SPANS: readonly (readonly [name: string, days: number])[] = [
  ["1D", 1],
  ["5D", 7],
  ["1M", 30],
  ["3M", 91],
  ["6M", 182],
  ["1Y", 365],
  ["3Y", 1_096],
  ["5Y", 1_826],
  ["10Y", 3_652],
];

/** Returns the rows of an endpoint of prices; undefined for any other. */
export function toPriceRows(asked: Asked): Rows | undefined {
  const { path, symbol, query } = asked;
  switch (path) {
    case "/quote":
      return [toQuote(asked, symbol)];
    case "/batch-quote":
      return (query.get("symbols") ?? "").split(",").map((each) => toQuote(asked, each));
    case "/quote-short":
      return [toShort(asked, symbol)];
    case "/batch-quote-short":
      return (query.get("symbols") ?? "").split(",").map((each) => toShort(asked, each));
    case "/profile":
      return [toProfile(asked)];
    case "/stock-price-change":
      return [toChange(asked)];
    case "/historical-price-eod/light":
      return daily(asked).map(({ day, close, volume }) => ({ symbol, date: day, price: close, volume }));
    case "/historical-price-eod/full":
      return daily(asked).map((bar) => ({ ...toFull(bar), symbol }));
    case "/historical-price-eod/non-split-adjusted":
    case "/historical-price-eod/dividend-adjusted":
      return daily(asked).map((bar) => ({ ...toAdjusted(bar, path.endsWith("dividend-adjusted") ? 0.5 : 2), symbol }));
    default:
      return path.startsWith("/historical-chart/") ? toIntraday(asked) : undefined;
  }
}

function daily({ symbol, query, today }: Asked) {
  const oldest = fromDayNumber(toDayNumber(today) - YEARS_BACK * 365);
  const from = query.get("from") ?? oldest;
  const to = query.get("to") ?? today;
  return barsOf(symbol, from < oldest ? oldest : from, to > today ? today : to).toReversed();
}

function toFull({ day, open, high, low, close, volume }: ReturnType<typeof barOf>) {
  const change = cents(close - open);
  return { date: day, open, high, low, close, volume, change, changePercent: (change / open) * 100, vwap: close };
}

function toAdjusted({ day, open, high, low, close, volume }: ReturnType<typeof barOf>, factor: number) {
  return {
    date: day,
    adjOpen: open * factor,
    adjHigh: high * factor,
    adjLow: low * factor,
    adjClose: close * factor,
    volume,
  };
}

/** A quote of the last weekday, at the close in New York (winter time). */
function toQuote({ today }: Asked, symbol: string) {
  const day = lastWeekday(today);
  const bar = barOf(symbol, day);
  const previousClose = barOf(symbol, lastWeekday(fromDayNumber(toDayNumber(day) - 1))).close;
  const year = barsOf(symbol, fromDayNumber(toDayNumber(day) - 365), day);
  const mean = (count: number) => year.slice(-count).reduce((sum, { close }) => sum + close, 0) / count;
  return {
    symbol,
    name: `${symbol} Inc.`,
    price: bar.close,
    changePercentage: ((bar.close - previousClose) / previousClose) * 100,
    change: cents(bar.close - previousClose),
    volume: bar.volume,
    dayLow: bar.low,
    dayHigh: bar.high,
    yearHigh: Math.max(...year.map(({ high }) => high)),
    yearLow: Math.min(...year.map(({ low }) => low)),
    marketCap: symbol.startsWith("^") ? null : Math.round(bar.close * 1e9),
    priceAvg50: mean(50),
    priceAvg200: mean(200),
    exchange: symbol.startsWith("^") ? "INDEX" : "NASDAQ",
    open: bar.open,
    previousClose,
    timestamp: toDayNumber(day) * 86_400 + 21 * 3_600,
  };
}

function toShort(asked: Asked, symbol: string) {
  const { price, change, volume } = toQuote(asked, symbol);
  return { symbol, price, change, volume };
}

function toProfile(asked: Asked) {
  const { symbol } = asked;
  const { price, marketCap, change, changePercentage, volume, yearLow, yearHigh } = toQuote(asked, symbol);
  return {
    symbol,
    price,
    marketCap,
    beta: 0.5 + chance(`${symbol}b`),
    lastDividend: 1.05,
    range: `${yearLow}-${yearHigh}`,
    change,
    changePercentage,
    volume,
    averageVolume: 5_500_000.25,
    companyName: `${symbol} Inc.`,
    currency: symbol.endsWith(".VN") ? "VND" : "USD",
    cik: "0000320193",
    isin: "",
    cusip: null,
    exchangeFullName: "NASDAQ Global Select",
    exchange: "NASDAQ",
    industry: "Consumer Electronics",
    website: "https://example.com",
    description: "A company.",
    ceo: "",
    sector: "Technology",
    country: "US",
    fullTimeEmployees: "166000",
    ipoDate: "1980-12-12",
    isEtf: false,
    isActivelyTrading: true,
    isAdr: false,
    isFund: false,
  };
}

function toChange({ symbol, today }: Asked) {
  const now = barOf(symbol, lastWeekday(today)).close;
  const since = (day: string) => {
    const then = barOf(symbol, lastWeekday(day)).close;
    return ((now - then) / then) * 100;
  };
  const spans = SPANS.map(([name, days]) => [name, since(fromDayNumber(toDayNumber(today) - days))] as const);
  return { symbol, ...Object.fromEntries(spans), ytd: since(`${Number(today.slice(0, 4)) - 1}-12-31`), max: 1_000 };
}

/** Two days of bars in New York's time, newest first. */
function toIntraday({ path, symbol, today }: Asked): Rows | undefined {
  const minutes = new Map([
    ["1min", 1],
    ["5min", 5],
    ["15min", 15],
    ["30min", 30],
    ["1hour", 60],
    ["4hour", 240],
  ]).get(path.split("/").at(-1) ?? "");
  if (minutes === undefined) return undefined;
  const last = lastWeekday(today);
  const days = [lastWeekday(fromDayNumber(toDayNumber(last) - 1)), last];
  const rows = days.flatMap((day) => {
    const { close } = barOf(symbol, day);
    return Array.from({ length: Math.ceil(390 / minutes) }, (_, index) => {
      const at = toDayNumber(day) * DAY_MS + (570 + index * minutes) * 60_000;
      const date = new Date(at).toISOString().slice(0, 19).replace("T", " ");
      return { date, open: close, low: cents(close * 0.999), high: cents(close * 1.001), close, volume: 1_000.5 };
    });
  });
  return rows.toReversed();
}
