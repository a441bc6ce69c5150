/**
 * VNDirect: prices of Vietnam's exchanges from the service behind its charts.
 *
 * It is not documented and must be named by the user. Stocks are in thousands of dong, indices in points; a time
 * without trade, such as a holiday, is an answer of empty arrays.
 */
import type { Scope } from "@baton/core/ports";
import { z } from "zod";
import type { Listing } from "../../port/listing.ts";
import type { Interval } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { type SourceCandle, toBars } from "../candles.ts";
import type { HttpSource, HttpAnswer } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { parseAnswer, Text } from "../rows.ts";
import { toExcerpt } from "../http/source-url.ts";
import { isVietnamese, notListed, toDayBars, toDayClose, toDayQuote, toSpan } from "./day-bars.ts";
import { Amount, Price, RequiredSeconds } from "../figures.ts";
import { INTERVAL_S, joinCandles } from "./intraday.ts";
import { BROWSER_AGENT, joinNotes, type OpenSourceOptions, toUnofficial } from "../open-source.ts";
import { addDays, toSeconds, utcDay } from "../economy/periods.ts";
import { toPriceChange, CHANGE_DAYS } from "../../port/returns.ts";

const STOCK = /^([A-Z0-9]{3,9})\.VN$/;
const INDEX = /^\^([A-Z0-9]{2,12})$/;
/** Indices that have another name here. */
const INDEX_NAMES: ReadonlyMap<string, string> = new Map([
  ["HNXINDEX", "HNX"],
  ["UPCOMINDEX", "UPCOM"],
]);
const DAY_S = 86_400;
const HOUR_S = 3_600;
/** Vietnam has no summer time. */
const OFFSET_S = 7 * HOUR_S;
/** The longest that was measured. */
const DELAY_S = 120;
/** More days than the holidays of Tết. */
const RECENT_DAYS = 21;
const INTRADAY_DAYS = 14;

const RESOLUTIONS: Readonly<Record<Interval, string>> = {
  "1min": "1",
  "5min": "5",
  "15min": "15",
  "30min": "30",
  "1hour": "60",
  "4hour": "60",
};

const Prices = z.array(Price).default([]);
const HistoryBody = z.looseObject({
  s: z.string(),
  errmsg: Text,
  t: z.array(RequiredSeconds).default([]),
  o: Prices,
  h: Prices,
  l: Prices,
  c: Prices,
  v: z.array(Amount).default([]),
});

type Asked = Readonly<{ listing: Listing; resolution: string; from: number; to: number }>;
type Found = Readonly<{ answer: HttpAnswer; candles: readonly SourceCandle[] }>;

/** The source of prices in Vietnam. */
export function vndirectSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("vndirect", options, { headers: { "user-agent": BROWSER_AGENT } });
  const askDays = async (listing: Listing, span: Readonly<{ start: string; end: string }>, scope: Scope) => {
    const window = { from: toSeconds(span.start) - OFFSET_S, to: toSeconds(addDays(span.end, 1)) };
    const found = await askHistory(http, { listing, resolution: "D", ...window }, scope);
    return { ...found, candles: found.candles.map(toDayCandle) };
  };
  const recent = (days: number, now: number) => ({ start: addDays(utcDay(now), -days), end: addDays(utcDay(now), 1) });
  return {
    name: "vndirect",
    stats: (now) => http.stats(now),
    quote: async ({ listing }, scope) => {
      const { answer, candles } = await askDays(listing, recent(RECENT_DAYS, scope.clock.now()), scope);
      const { bars, last } = toDayBars(candles, { source: "VNDirect", listing, query: {} });
      return sourced(toDayQuote(bars), answer, { asOf: toDayClose(last, listing) });
    },
    bars: async (query, scope) => {
      const { listing, adjust } = query;
      if (adjust === "none") throw new MarketError("no_data", "VNDirect has adjusted prices only");
      const { answer, candles } = await askDays(listing, toSpan(query, scope.clock.now()), scope);
      const { bars, last, note } = toDayBars(candles, { source: "VNDirect", listing, query });
      const notes = joinNotes("the source does not say how its prices are adjusted", note);
      return sourced(bars, answer, { asOf: toDayClose(last, listing), note: notes });
    },
    change: async ({ listing }, scope) => {
      const { answer, candles } = await askDays(listing, recent(CHANGE_DAYS, scope.clock.now()), scope);
      const { bars, last } = toDayBars(candles, { source: "VNDirect", listing, query: {} });
      return sourced(toPriceChange(bars), answer, { asOf: toDayClose(last, listing) });
    },
    intraday: async ({ listing, interval }, scope) => {
      const to = Math.ceil(scope.clock.now() / 1_000);
      const asked = { listing, resolution: RESOLUTIONS[interval], from: to - INTRADAY_DAYS * DAY_S, to };
      const { answer, candles } = await askHistory(http, asked, scope);
      const joined =
        interval === "4hour" ? joinCandles(candles, { seconds: INTERVAL_S[interval], openOf: toOpening }) : candles;
      const { bars } = toBars(joined, { hasVolume: listing.type !== "index" });
      const end = bars.t.at(-1);
      if (end === undefined)
        throw new MarketError("no_data", `VNDirect has no recent prices within the day of ${listing.symbol}`);
      return sourced(bars, answer, { asOf: (end + INTERVAL_S[interval]) * 1_000 });
    },
  };
}

async function askHistory(http: HttpSource, { listing, resolution, from, to }: Asked, scope: Scope): Promise<Found> {
  const symbol = toName(listing);
  const answer = await http.ask({ path: "/dchart/history", query: { symbol, resolution, from, to } }, scope);
  const { s: state, errmsg, t, o, h, l, c, v } = parseAnswer("VNDirect", HistoryBody, answer.text);
  if (state === "no_data") throw new MarketError("no_data", `VNDirect has no prices of ${symbol} for this time`);
  if (state !== "ok")
    throw new MarketError("upstream", `VNDirect answered with an error: ${toExcerpt(errmsg ?? state)}`);
  if ([o, h, l, c, v].some((column) => column.length !== t.length)) {
    throw new MarketError("upstream", "VNDirect answered with columns of different lengths");
  }
  const price = listing.type === "index" ? (value: number | undefined) => value : toDong;
  const candles = t.map((seconds, at): SourceCandle => {
    return { t: seconds, o: price(o[at]), h: price(h[at]), l: price(l[at]), c: price(c[at]), v: v[at] };
  });
  return { answer, candles };
}

/** Thousands of dong as dong, without what binary fractions add. */
const toDong = (thousands: number | undefined): number | undefined =>
  thousands === undefined ? undefined : Math.round(thousands * 1_000 * 100) / 100;

/** Dated by its day in Vietnam. */
const toDayCandle = (candle: SourceCandle): SourceCandle => ({
  ...candle,
  t: candle.t === undefined ? undefined : Math.floor((candle.t + OFFSET_S) / DAY_S) * DAY_S,
});

/** Nine o'clock of the day of a time. */
const toOpening = (seconds: number): number => Math.floor((seconds + OFFSET_S) / DAY_S) * DAY_S - OFFSET_S + 9 * HOUR_S;

type Dated = Readonly<{ asOf: number | undefined; note?: string | undefined }>;

/** The price of a day is of its close, or of now while it is being made. */
function sourced<T>(data: T, answer: HttpAnswer, { asOf, note }: Dated) {
  const dated = { source: "vndirect", kind: "delayed", delay_s: DELAY_S, asOf, note } as const;
  return toUnofficial(toSourced(data, answer, dated));
}

/** `VNM` for `VNM.VN`, `VNINDEX` for `^VNINDEX`. */
function toName(listing: Listing): string {
  const { symbol, type, currency } = listing;
  const index = INDEX.exec(symbol)?.[1];
  const isVietnam = isVietnamese(listing) && currency === "VND";
  if (isVietnam && type === "index" && index !== undefined) return INDEX_NAMES.get(index) ?? index;
  const stock = STOCK.exec(symbol)?.[1];
  if (isVietnam && (type === "stock" || type === "etf") && stock !== undefined) return stock;
  throw notListed("VNDirect", listing);
}
