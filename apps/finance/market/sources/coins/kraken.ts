/**
 * Kraken: spot prices of coins in US dollars, without a key.
 *
 * It reports errors with status 200, has names of its own for some coins, and calls a pair otherwise than it was asked.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined, parseJson } from "@baton/core/util";
import { z } from "zod";
import type { Listing } from "../../port/listing.ts";
import type { CoinInterval, CoinQuote } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import type { FetchAnswer } from "../http/body.ts";
import { type SourceCandle, toBars } from "../candles.ts";
import type { HttpSource, HttpAnswer, ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { parseAnswer } from "../rows.ts";
import { toExcerpt } from "../http/source-url.ts";
import { toCoinTicker } from "./coin-name.ts";
import { Amount, Price, RequiredPrice, Seconds } from "../figures.ts";
import { joinNotes, judgeStatus, type OpenSourceOptions, refuse } from "../open-source.ts";

const QUOTE = "USD";
const MAX_BARS = 720;
const DAY_S = 86_400;

/** Coins that have another name here. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["BTC", "XBT"],
  ["DOGE", "XDG"],
]);

const MINUTES: Readonly<Record<CoinInterval, number>> = {
  "1m": 1,
  "5m": 5,
  "15m": 15,
  "30m": 30,
  "1h": 60,
  "4h": 240,
  "1d": 1_440,
  "1w": 10_080,
};

/** The first of a pair of figures is of today, the second of the last 24 hours. */
const TwoPrices = z.tuple([Price, Price]).rest(z.unknown());
const Ticker = z.looseObject({
  c: z.tuple([RequiredPrice]).rest(z.unknown()),
  v: z.tuple([Amount, Amount]).rest(z.unknown()),
  p: TwoPrices,
  l: TwoPrices,
  h: TwoPrices,
});
const CandleRow = z.tuple([Seconds, Price, Price, Price, Price, z.unknown(), Amount]).rest(z.unknown());
const Result = z.looseObject({ result: z.record(z.string(), z.unknown()) });
const ErrorBody = z.looseObject({ error: z.array(z.string()) });

const LIMIT_WORDS = ["rate limit", "too many requests", "throttled", "temporary lockout"];

/** The source of coins in dollars. */
export function krakenSource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("kraken", options, { judge: (answer, _request, now) => judge(answer, now) });
  return {
    name: "kraken",
    stats: (now) => http.stats(now),
    coinPrice: async ({ listing }, scope) => {
      const { answer, ticker } = await askTicker(http, listing, scope);
      return sourced({ price: ticker.c[0], quoteCurrency: QUOTE }, { answer, listing });
    },
    coinQuote: async ({ listing }, scope) => {
      const { answer, ticker } = await askTicker(http, listing, scope);
      const open = await askOpen(http, listing, scope);
      return sourced(toQuote(ticker, open), { answer, listing });
    },
    coinBars: async ({ listing, interval, limit }, scope) => {
      const { answer, candles } = await askCandles(http, { listing, minutes: MINUTES[interval] }, scope);
      const { bars } = toBars(candles, { limit, hasVolume: true });
      if (bars.t.length === 0) throw new MarketError("no_data", `Kraken has no candles of ${listing.symbol}`);
      const more = limit > MAX_BARS ? `Kraken gives the newest ${MAX_BARS} candles only` : undefined;
      return sourced({ ...bars, currency: QUOTE }, { answer, listing, more });
    },
  };
}

async function askTicker(http: HttpSource, listing: Listing, scope: Scope) {
  const pair = toPair(listing);
  const answer = await http.ask({ path: "/0/public/Ticker", query: { pair } }, scope);
  return { answer, ticker: readPair(answer.text, pair, Ticker) };
}

type Asked = Readonly<{ listing: Listing; minutes: number; since?: number }>;

async function askCandles(http: HttpSource, { listing, minutes, since }: Asked, scope: Scope) {
  const pair = toPair(listing);
  const answer = await http.ask({ path: "/0/public/OHLC", query: { pair, interval: minutes, since } }, scope);
  const rows = readPair(answer.text, pair, z.array(CandleRow));
  const candles = rows.map(([t, o, h, l, c, , v]): SourceCandle => ({ t, o, h, l, c, v }));
  return { answer, candles };
}

/** Returns the price of 24 hours ago: the ticker has only the opening of the UTC day. A quote stands without it. */
async function askOpen(http: HttpSource, listing: Listing, scope: Scope): Promise<number | undefined> {
  const at = scope.clock.now() / 1_000 - DAY_S;
  const minutes = 15;
  const seconds = minutes * 60;
  try {
    const { candles } = await askCandles(http, { listing, minutes, since: Math.floor(at) - 2 * seconds }, scope);
    return candles.find(({ t = 0 }) => t <= at && at < t + seconds)?.o;
  } catch (error) {
    if (error instanceof MarketError) return undefined;
    throw error;
  }
}

function toQuote({ c: [price], v, p, h, l }: z.infer<typeof Ticker>, open: number | undefined): CoinQuote {
  const [, volume] = v;
  const [, average] = p;
  const change = open === undefined ? undefined : Number((price - open).toPrecision(12));
  const changePercent = open === undefined || open <= 0 ? undefined : (price / open - 1) * 100;
  const quoteVolume = volume === undefined || average === undefined ? undefined : volume * average;
  const rest = omitUndefined({ change, changePercent, high: h[1], low: l[1], open, volume, quoteVolume });
  return { price, quoteCurrency: QUOTE, ...rest };
}

/** The value under the asked pair, which the answer may call `XXBTZUSD` if `XBTUSD` was asked for. */
function readPair<T>(text: string, pair: string, schema: z.ZodType<T>): T {
  const { result } = parseAnswer("Kraken", Result, text);
  const names = Object.keys(result).filter((name) => name !== "last");
  const name = names.find((candidate) => isPair(candidate, pair));
  if (name === undefined) {
    const what = names.length === 0 ? "without a pair" : `for another pair than ${pair}`;
    throw new MarketError("upstream", `Kraken answered ${what}`);
  }
  const parsed = schema.safeParse(result[name]);
  if (!parsed.success) throw new MarketError("upstream", "Kraken answered in an unexpected shape");
  return parsed.data;
}

/** Old coins have an X before their name, and currencies of states a Z. */
function isPair(name: string, pair: string): boolean {
  const base = pair.slice(0, -QUOTE.length);
  return [pair, `X${base}Z${QUOTE}`, `${base}Z${QUOTE}`, `X${base}${QUOTE}`].includes(name);
}

function toPair(listing: Listing): string {
  const ticker = toCoinTicker("Kraken", listing);
  return `${NAMES.get(ticker) ?? ticker}${QUOTE}`;
}

type Context = Readonly<{ answer: HttpAnswer; listing: Listing; more?: string | undefined }>;

function sourced<T>(data: T, { answer, listing, more }: Context) {
  const note = joinNotes(`the pair ${toCoinTicker("Kraken", listing)}/${QUOTE} on Kraken`, more);
  return toSourced(data, answer, { source: "kraken", kind: "live", note });
}

function judge(answer: FetchAnswer, now: number): ReplyVerdict {
  const verdict = judgeStatus("Kraken", answer, now);
  if (verdict.kind !== "ok") return verdict;
  const { error = [] } = ErrorBody.safeParse(parseJson(answer.text)).data ?? {};
  // What begins with W is a warning beside a result.
  const said = error.find((text) => !text.startsWith("W"));
  if (said === undefined) return verdict;
  const words = said.toLowerCase();
  if (LIMIT_WORDS.some((word) => words.includes(word))) {
    return { kind: "throttled", message: `Kraken asks to slow down: ${toExcerpt(said)}` };
  }
  const isUnknown = words.includes("unknown asset");
  if (isUnknown) return refuse(new MarketError("no_data", "Kraken does not trade this coin against the US dollar"));
  return refuse(new MarketError("upstream", `Kraken answered with an error: ${toExcerpt(said)}`));
}
