/**
 * Cboe: delayed quotes, daily history and the minutes of the latest day of American stocks, funds and indices.
 *
 * It is not documented and must be named by the user. A price of 0 means that there is none; times of trades have no
 * zone and are New York's, the time of the answer is UTC.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../port/listing.ts";
import type { Capabilities, MarketRow, Quote } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import type { FetchAnswer } from "../http/body.ts";
import { type SourceCandle, toBars } from "../candles.ts";
import { easternDay, fromEastern } from "../eastern.ts";
import type { HttpSource, HttpAnswer, HttpRequest, ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { isUsExchange, type LiveSource, toSourced } from "../live-source.ts";
import { DayText, Num, parseAnswer, Text } from "../rows.ts";
import { changeFrom, notListed, toDayBars, toDayClose } from "./day-bars.ts";
import { Amount, Price } from "../figures.ts";
import { parseChain } from "./cboe-options.ts";
import { INTERVAL_S, joinCandles } from "./intraday.ts";
import { joinNotes, judgeStatus, type OpenSourceOptions, refuse, toUnofficial } from "../open-source.ts";
import { toSeconds } from "../economy/periods.ts";
import { toPriceChange } from "../../port/returns.ts";

const ROOT = "/api/global/delayed_quotes";
const DELAY_S = 900;
const STOCK = /^[A-Z]{1,6}(?:-[A-Z]{1,2})?$/;
const INDEX = /^\^[A-Z0-9]{1,8}$/;
const ZONED = /(?:Z|[+-]\d{2}:\d{2})$/;

/** Indices that have another name here; the others are called alike. */
const INDEX_NAMES: ReadonlyMap<string, string> = new Map([["^GSPC", "^SPX"]]);

const OVERVIEW: readonly (readonly [symbol: string, name: string])[] = [
  ["^GSPC", "S&P 500"],
  ["^DJI", "Dow Jones Industrial Average"],
  ["^NDX", "Nasdaq 100"],
  ["^RUT", "Russell 2000"],
  ["^VIX", "CBOE Volatility Index"],
];

const QuoteBody = z.looseObject({
  timestamp: Text,
  data: z.looseObject({
    symbol: Text,
    current_price: Price,
    price_change: Num,
    price_change_percent: Num,
    open: Price,
    high: Price,
    low: Price,
    close: Price,
    prev_day_close: Price,
    volume: Amount,
    last_trade_time: Text,
  }),
});
type QuoteBody = z.infer<typeof QuoteBody>;

const HistoryBody = z.looseObject({
  symbol: Text,
  data: z.array(z.looseObject({ date: DayText, open: Price, high: Price, low: Price, close: Price, volume: Amount })),
});

const MinutesBody = z.looseObject({
  timestamp: Text,
  data: z.array(
    z.looseObject({
      datetime: Text,
      price: z.looseObject({ open: Price, high: Price, low: Price, close: Price }),
      volume: z.looseObject({ stock_volume: Amount }).optional(),
    }),
  ),
});
type MinutesBody = z.infer<typeof MinutesBody>;

/** The source of delayed prices. */
export function cboeSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("cboe", options, { judge });
  return {
    name: "cboe",
    stats: (now) => http.stats(now),
    quote: async ({ listing }, scope) => {
      const { answer, quote, asOf } = await askQuote(http, listing, scope);
      return sourced(quote, answer, { asOf });
    },
    ...history(http),
    intraday: async ({ listing, interval }, scope) => {
      const answer = await http.ask({ path: `${ROOT}/charts/intraday/${toName(listing)}.json` }, scope);
      const minutes = toMinutes(parseAnswer("Cboe", MinutesBody, answer.text));
      const openOf = (seconds: number) => (fromEastern(`${easternDay(seconds * 1_000)} 09:30:00`) ?? 0) / 1_000;
      const candles = joinCandles(minutes, { seconds: INTERVAL_S[interval], openOf });
      const { bars } = toBars(candles, { hasVolume: false });
      const last = bars.t.at(-1);
      if (last === undefined) throw new MarketError("no_data", `Cboe has no minutes of ${listing.symbol} today`);
      const note = joinNotes("the latest day only", interval === "1min" ? undefined : "joined from bars of one minute");
      return sourced(bars, answer, { asOf: last * 1_000, note });
    },
    overview: async (_query, scope) => askOverview(http, scope),
    options: async ({ listing }, scope) => {
      const name = toName(listing);
      const answer = await http.ask({ path: `${ROOT}/options/${name}.json` }, scope);
      const { chain, symbol, timestamp } = parseChain(answer.text);
      checkSymbol(symbol, name);
      return sourced(chain, answer, { asOf: fromUtc(timestamp) });
    },
  };
}

function history(http: HttpSource): Pick<Capabilities, "bars" | "change"> {
  const note = "the source does not say how its prices are adjusted; the current day is not among them";
  const ask = async (listing: Listing, scope: Scope) => {
    const answer = await http.ask({ path: `${ROOT}/charts/historical/${toName(listing)}.json` }, scope);
    const { data } = parseAnswer("Cboe", HistoryBody, answer.text);
    const candles = data.map(({ date, open, high, low, close, volume }): SourceCandle => {
      return { t: date === undefined ? undefined : toSeconds(date), o: open, h: high, l: low, c: close, v: volume };
    });
    if (new Set(candles.map(({ t }) => t)).size >= 2) return { answer, candles };
    throw new MarketError("no_data", `Cboe has no history of ${listing.symbol}`, { symbol: listing.symbol });
  };
  return {
    bars: async (query, scope) => {
      const { listing, adjust } = query;
      if (adjust !== undefined && adjust !== "split") {
        throw new MarketError("no_data", "Cboe does not offer a choice of how prices are adjusted");
      }
      const { answer, candles } = await ask(listing, scope);
      const { bars, last, note: left } = toDayBars(candles, { source: "Cboe", listing, query });
      return sourced(bars, answer, { asOf: toDayClose(last, listing), note: joinNotes(note, left) });
    },
    change: async ({ listing }, scope) => {
      const { answer, candles } = await ask(listing, scope);
      const { bars, last } = toDayBars(candles, { source: "Cboe", listing, query: {} });
      return sourced(toPriceChange(bars), answer, { asOf: toDayClose(last, listing), note });
    },
  };
}

type Dated = Readonly<{ asOf: number | undefined; note?: string | undefined }>;

function sourced<T>(data: T, answer: HttpAnswer, { asOf, note }: Dated) {
  return toUnofficial(toSourced(data, answer, { source: "cboe", kind: "delayed", delay_s: DELAY_S, asOf, note }));
}

async function askQuote(http: HttpSource, listing: Listing, scope: Scope) {
  const name = toName(listing);
  const answer = await http.ask({ path: `${ROOT}/quotes/${name}.json` }, scope);
  const body = parseAnswer("Cboe", QuoteBody, answer.text);
  checkSymbol(body.data.symbol, name);
  const price = body.data.current_price ?? body.data.close;
  if (price === undefined) throw new MarketError("no_data", `Cboe has no price of ${listing.symbol} now`);
  return { answer, quote: toQuote(body, price, listing), asOf: toTradeTime(body) };
}

function toQuote({ data }: QuoteBody, price: number, { type }: Listing): Quote {
  const { open, high: dayHigh, low: dayLow, prev_day_close: previousClose } = data;
  const volume = type === "index" ? undefined : data.volume;
  const told = { change: data.price_change, changePercent: data.price_change_percent };
  const change =
    told.change === undefined || told.changePercent === undefined ? changeFrom(price, previousClose) : told;
  return { price, ...omitUndefined({ open, dayHigh, dayLow, previousClose, volume, ...change }) };
}

/** When the price was made: at the last trade, or at midnight of a day that has only a date, then when it was sent. */
function toTradeTime({ timestamp, data }: QuoteBody): number | undefined {
  const sent = fromUtc(timestamp);
  const trade = data.last_trade_time ?? "";
  if (trade.includes("T00:00:00") || trade.length < 19) return sent;
  return toMoment(trade, fromEastern) ?? sent;
}

/** Minutes are New York's, unless that would put them after the moment at which they were sent. */
function toMinutes({ timestamp, data }: MinutesBody): readonly SourceCandle[] {
  const sent = fromUtc(timestamp);
  const times = data.map(({ datetime }) => toMoment(datetime ?? "", fromEastern) ?? 0);
  const isUtc = sent !== undefined && times.some((ms) => ms > sent + 60_000);
  return data.map(({ datetime = "", price: { open, high, low, close }, volume }): SourceCandle => {
    const ms = toMoment(datetime, isUtc ? fromUtc : fromEastern);
    const t = ms === undefined ? undefined : ms / 1_000;
    return { t, o: open, h: high, l: low, c: close, v: volume?.stock_volume };
  });
}

function toMoment(text: string, fromWall: (text: string) => number | undefined): number | undefined {
  if (!ZONED.test(text.slice(0, 40))) return fromWall(text);
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

/** `YYYY-MM-DD HH:MM:SS` in UTC. */
function fromUtc(text: string | undefined): number | undefined {
  const ms = Date.parse(`${(text ?? "").slice(0, 19).replace(" ", "T")}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/** All indices that answer; those that fail are named. */
async function askOverview(http: HttpSource, scope: Scope) {
  const rows: MarketRow[] = [];
  const missing: string[] = [];
  let first: Readonly<{ answer: HttpAnswer; asOf: number | undefined }> | undefined;
  let failure: MarketError | undefined;
  for (const [symbol, name] of OVERVIEW) {
    const listing: Listing = { symbol, name, exchange: "INDEX", type: "index", currency: "USD" };
    try {
      const { answer, quote, asOf } = await askQuote(http, listing, scope);
      first ??= { answer, asOf };
      rows.push({ listing, price: quote.price, ...omitUndefined({ changePercent: quote.changePercent }) });
    } catch (error) {
      if (!(error instanceof MarketError)) throw error;
      failure ??= error;
      missing.push(symbol);
    }
  }
  if (first === undefined) throw failure ?? new MarketError("no_data", "Cboe has no index now");
  const note = missing.length === 0 ? undefined : `without ${missing.join(", ")}`;
  return sourced({ indices: rows }, first.answer, { asOf: first.asOf, note });
}

/** `BRK.B` for `BRK-B`, `_SPX` for `^GSPC`. */
function toName(listing: Listing): string {
  const { symbol, type, exchange, currency } = listing;
  const index = INDEX_NAMES.get(symbol) ?? symbol;
  if (type === "index" && INDEX.test(index) && currency === "USD") return `_${index.slice(1)}`;
  const isListed = (type === "stock" || type === "etf") && isUsExchange(exchange) && currency === "USD";
  if (isListed && STOCK.test(symbol)) return symbol.replace("-", ".");
  throw notListed("Cboe", listing);
}

function checkSymbol(answered: string | undefined, name: string): void {
  const bare = (text: string) => text.replaceAll(/[_^]/g, "").toUpperCase();
  if (answered !== undefined && bare(answered) !== bare(name)) {
    throw new MarketError("upstream", `Cboe answered for another symbol than ${name}`);
  }
}

function judge(answer: FetchAnswer, request: HttpRequest, now: number): ReplyVerdict {
  const { status, text } = answer;
  // The file store refuses access to a file that does not exist.
  const isMissing = status === 404 || (status === 403 && text.includes("<Code>AccessDenied</Code>"));
  if (!isMissing) return judgeStatus("Cboe", answer, now);
  const name = request.path.split("/").at(-1)?.replace(".json", "") ?? "";
  return refuse(new MarketError("no_data", `Cboe does not have ${name}`));
}
