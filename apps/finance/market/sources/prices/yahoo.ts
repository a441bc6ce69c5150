/**
 * Yahoo: prices, bars and dividends from the service behind its charts, for personal use only.
 *
 * It is not documented and must be named by the user. Columns are parallel arrays with nulls for times without trade;
 * it wants to be asked by a browser and not too fast.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined, parseJson } from "@baton/core/util";
import type { Listing } from "../../port/listing.ts";
import type { Dividend, Interval, Quote } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import type { Adjust } from "../../port/provenance.ts";
import type { FetchAnswer } from "../http/body.ts";
import { toBars } from "../candles.ts";
import type { HttpSource, HttpAnswer, ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { isUsExchange, type LiveSource, toSourced } from "../live-source.ts";
import { parseAnswer } from "../rows.ts";
import type { Parameters } from "../http/source-url.ts";
import { toExcerpt } from "../http/source-url.ts";
import { changeFrom, isVietnamese, notListed, toDayBars, toDayClose, toSpan } from "./day-bars.ts";
import { INTERVAL_S, joinCandles } from "./intraday.ts";
import { BROWSER_AGENT, joinNotes, judgeStatus, type OpenSourceOptions, refuse, toUnofficial } from "../open-source.ts";
import { addDays, toSeconds, utcDay } from "../economy/periods.ts";
import { toPriceChange, CHANGE_DAYS } from "../../port/returns.ts";
import { type YahooChart, ChartBody, ErrorBody, toDailyCandles, toLocalDay, toTimedCandles } from "./yahoo-chart.ts";

const DELAY_S = 900;
const SYMBOL = /^\^?[A-Z0-9]{1,12}(?:[.-][A-Z0-9]{1,4})?$/;

/** Bars within the day: what they are called here, and how far back they are asked for, within what it keeps. */
const INTRADAY: Readonly<Record<Interval, Readonly<{ interval: string; range: string; joined?: true }>>> = {
  "1min": { interval: "1m", range: "5d" },
  "5min": { interval: "5m", range: "1mo" },
  "15min": { interval: "15m", range: "1mo" },
  "30min": { interval: "30m", range: "1mo" },
  "1hour": { interval: "1h", range: "3mo" },
  "4hour": { interval: "1h", range: "6mo", joined: true },
};

/** The source of charts. */
export function yahooSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("yahoo", options, {
    headers: { "user-agent": BROWSER_AGENT },
    judge: (answer, _request, now) => judge(answer, now),
  });
  const ask = (listing: Listing, query: Parameters, scope: Scope) => askChart(http, { listing, query }, scope);
  return {
    name: "yahoo",
    stats: (now) => http.stats(now),
    quote: async ({ listing }, scope) => {
      const found = await ask(listing, { interval: "1d", range: "1d" }, scope);
      return sourced(toQuote(found.chart, listing), found, {});
    },
    bars: async (query, scope) => {
      const { listing, adjust = "split" } = query;
      const { start, end } = toSpan(query, scope.clock.now());
      const found = await ask(listing, toWindow(start, end), scope);
      const candles = toDailyCandles(found.chart, adjust);
      const { bars, last, note } = toDayBars(candles, { source: "Yahoo", listing, query });
      return sourced(bars, found, { adjust, note, closedAt: toDayClose(last, listing) });
    },
    change: async ({ listing }, scope) => {
      const today = utcDay(scope.clock.now());
      const found = await ask(listing, toWindow(addDays(today, -CHANGE_DAYS), addDays(today, 1)), scope);
      const candles = toDailyCandles(found.chart, "split");
      const { bars } = toDayBars(candles, { source: "Yahoo", listing, query: {} });
      return sourced(toPriceChange(bars), found, { adjust: "split" });
    },
    intraday: async ({ listing, interval }, scope) => {
      const { joined, ...query } = INTRADAY[interval];
      const found = await ask(listing, query, scope);
      const timed = toTimedCandles(found.chart);
      const openOf = toOpenings(
        timed.map(({ t }) => t),
        found.chart,
      );
      const candles = joined === true ? joinCandles(timed, { seconds: INTERVAL_S[interval], openOf }) : timed;
      const { bars } = toBars(candles, { hasVolume: listing.type !== "index" });
      if (bars.t.length === 0)
        throw new MarketError("no_data", `Yahoo has no prices within the day of ${listing.symbol}`);
      return sourced(bars, found, { note: joined === true ? "joined from bars of one hour" : undefined });
    },
    dividends: async ({ listing, from }, scope) => {
      const query = { ...toWindow(from, addDays(utcDay(scope.clock.now()), 1)), events: "div|split" };
      const found = await ask(listing, query, scope);
      return sourced(toDividends(found.chart, listing, from), found, {
        note: "by the day from which a share is without it",
      });
    },
  };
}

type Found = Readonly<{ answer: HttpAnswer; chart: YahooChart }>;

async function askChart(
  http: HttpSource,
  { listing, query }: Readonly<{ listing: Listing; query: Parameters }>,
  scope: Scope,
): Promise<Found> {
  const symbol = toSymbol(listing);
  const answer = await http.ask({ path: `/v8/finance/chart/${encodeURIComponent(symbol)}`, query }, scope);
  const [chart] = parseAnswer("Yahoo", ChartBody, answer.text).chart.result ?? [];
  if (chart === undefined)
    throw new MarketError("no_data", `Yahoo has nothing of ${symbol}`, { symbol: listing.symbol });
  const { symbol: answered, currency } = chart.meta;
  if (answered !== undefined && answered.toUpperCase() !== symbol) {
    throw new MarketError("upstream", `Yahoo answered for another symbol than ${symbol}`);
  }
  // An index has points; its currency is that of its country, or none.
  if (listing.type !== "index" && currency !== undefined && currency !== listing.currency) {
    const message = `Yahoo has ${symbol} in ${currency}, but it is known as listed in ${listing.currency}`;
    throw new MarketError("upstream", message, { symbol: listing.symbol });
  }
  return { answer, chart };
}

type Extra = Readonly<{ adjust?: Adjust; note?: string | undefined; closedAt?: number | undefined }>;

function sourced<T>(data: T, { answer, chart }: Found, { adjust, note, closedAt = Infinity }: Extra) {
  const tradedAt = (chart.meta.regularMarketTime ?? Infinity) * 1_000;
  const asOf = Math.min(tradedAt, closedAt, answer.fetchedAt);
  const notes = joinNotes("for personal use only", note);
  return toUnofficial(
    toSourced(data, answer, { source: "yahoo", kind: "delayed", delay_s: DELAY_S, asOf, adjust, note: notes }),
  );
}

const toWindow = (start: string, end: string): Parameters => ({
  interval: "1d",
  period1: toSeconds(start),
  period2: toSeconds(addDays(end, 1)),
});

function toQuote({ meta }: YahooChart, { symbol }: Listing): Quote {
  const { regularMarketPrice: price, fiftyTwoWeekLow: yearLow, fiftyTwoWeekHigh: yearHigh } = meta;
  if (price === undefined) throw new MarketError("no_data", `Yahoo has no price of ${symbol}`, { symbol });
  const { regularMarketDayLow: dayLow, regularMarketDayHigh: dayHigh, regularMarketVolume: volume } = meta;
  // With a range of one day, the close before the chart is the close of the day before.
  const previousClose = meta.previousClose ?? meta.chartPreviousClose;
  const change = changeFrom(price, previousClose);
  return { price, ...omitUndefined({ previousClose, ...change, dayLow, dayHigh, yearLow, yearHigh, volume }) };
}

function toDividends(chart: YahooChart, { currency }: Listing, from: string): readonly Dividend[] {
  return Object.values(chart.events?.dividends ?? {})
    .flatMap(({ amount, date }): readonly Dividend[] =>
      amount === undefined || date === undefined ? [] : [{ day: toLocalDay(chart, date), amount, currency }],
    )
    .filter(({ day }) => day >= from)
    .toSorted((one, other) => (one.day > other.day ? -1 : 1));
}

/** A session opens with the first bar of its day there. */
function toOpenings(times: readonly (number | undefined)[], chart: YahooChart): (seconds: number) => number {
  const first = new Map<string, number>();
  for (const t of times) {
    if (t === undefined) continue;
    const day = toLocalDay(chart, t);
    first.set(day, Math.min(first.get(day) ?? Infinity, t));
  }
  return (seconds) => first.get(toLocalDay(chart, seconds)) ?? seconds;
}

/** American listings are called alike; an index of Vietnam has the ending of its market. */
function toSymbol(listing: Listing): string {
  const { symbol, type, exchange } = listing;
  const isVietnam = isVietnamese(listing);
  const isKnown = isVietnam || isUsExchange(exchange) || (type === "index" && exchange === "INDEX");
  const name = isVietnam && type === "index" && !symbol.endsWith(".VN") ? `${symbol}.VN` : symbol;
  if (type !== "crypto" && isKnown && SYMBOL.test(name)) return name;
  throw notListed("Yahoo", listing);
}

function judge(answer: FetchAnswer, now: number): ReplyVerdict {
  const complaint = answer.status === 429 ? undefined : ErrorBody.safeParse(parseJson(answer.text)).data?.chart.error;
  if (complaint === undefined || complaint === null) return judgeStatus("Yahoo", answer, now);
  const said = toExcerpt([complaint.code, complaint.description].filter(Boolean).join(": "));
  const isMissing = answer.status === 404 || complaint.code === "Not Found";
  // It also refuses a window before the first day, or one that is longer than it keeps.
  const isWindow = answer.status === 400 || answer.status === 422;
  return refuse(new MarketError(isMissing || isWindow ? "no_data" : "upstream", `Yahoo has no such chart: ${said}`));
}
