/**
 * Binance: spot prices of coins, without a key.
 *
 * A coin's listing is its pair with USD; what is traded here is the pair with USDT, and every answer says so.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined, parseJson } from "@baton/core/util";
import { z } from "zod";
import type { Directory, Listing } from "../../port/listing.ts";
import type { CoinQuote, CoinRow } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { BinanceWeight } from "./binance-weight.ts";
import type { FetchAnswer } from "../http/body.ts";
import { toBars } from "../candles.ts";
import type { FetchLimits } from "../http/guarded-fetch.ts";
import type { HttpSource, HttpAnswer, HttpRequest, ReplyVerdict } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { toRetryAt } from "../http/retry-after.ts";
import { Num, parseAnswer, RequiredNum, Text } from "../rows.ts";
import { toExcerpt } from "../http/source-url.ts";

/** Connection to the service. */
export interface BinanceOptions {
  readonly baseUrl?: string;
  readonly directory?: Pick<Directory, "get">;
  readonly limits?: Partial<FetchLimits>;
}

const QUOTE = "USDT";
const MAX_BARS = 1_000;
const ALL_WEIGHT = 80;
/** Most that this process uses, below the lowest limit that Binance ever had. */
const WEIGHT_PER_MINUTE = 1_000;
const DAY_MS = 86_400_000;

const ErrorBody = z.looseObject({ code: z.number(), msg: z.string().default("") });
const PriceBody = z.looseObject({ symbol: z.string(), price: RequiredNum });
const TickerBody = z.looseObject({
  symbol: z.string(),
  lastPrice: RequiredNum,
  priceChange: Num,
  priceChangePercent: Num,
  openPrice: Num,
  highPrice: Num,
  lowPrice: Num,
  volume: Num,
  quoteVolume: Num,
  closeTime: Num,
  count: Num,
});
type Ticker = z.infer<typeof TickerBody>;
const KlineBody = z.array(
  z.tuple([RequiredNum, RequiredNum, RequiredNum, RequiredNum, RequiredNum, RequiredNum]).rest(z.unknown()),
);

const LimitsBody = z.looseObject({
  rateLimits: z.array(z.looseObject({ rateLimitType: Text, interval: Text, intervalNum: Num, limit: Num })),
});

/** Codes that say that there is no such pair, or that it is not traded. */
const NO_PAIR: ReadonlySet<number> = new Set([-1100, -1121, -1220]);
const TOO_MUCH_WEIGHT = -1003;

/** The source of coins. */
export function binanceSource({ directory, ...options }: BinanceOptions = {}): LiveSource {
  const weight = new BinanceWeight();
  const http = openHost("binance", options, {
    rate: { burst: WEIGHT_PER_MINUTE / 2, perSecond: WEIGHT_PER_MINUTE / 120 },
    judge: (answer, request, now) => {
      weight.note(answer, now);
      return judge(answer, request, now);
    },
  });
  const ask = async (request: HttpRequest, scope: Scope): Promise<HttpAnswer> => {
    const now = scope.clock.now();
    if (weight.isUnsure(now)) weight.learn(await readLimit(http, scope));
    const retryAt = weight.fullUntil(now);
    if (retryAt !== undefined) throw new MarketError("throttled", "Binance's limit is almost reached", { retryAt });
    return http.ask(request, scope);
  };
  return {
    name: "binance",
    stats: (now) => http.stats(now),
    coinPrice: async ({ listing }, scope) => {
      const symbol = toPair(listing);
      const answer = await ask({ path: "/api/v3/ticker/price", query: { symbol }, weight: 2 }, scope);
      const body = parseAnswer("Binance", PriceBody, answer.text);
      checkPair(body.symbol, symbol);
      if (body.price <= 0) throw noPair(listing.symbol);
      return sourced({ price: body.price, quoteCurrency: QUOTE }, { answer, listing });
    },
    coinQuote: async ({ listing }, scope) => {
      const symbol = toPair(listing);
      const answer = await ask({ path: "/api/v3/ticker/24hr", query: { symbol }, weight: 2 }, scope);
      const ticker = parseAnswer("Binance", TickerBody, answer.text);
      checkPair(ticker.symbol, symbol);
      if (ticker.lastPrice <= 0) throw noPair(listing.symbol);
      return sourced(toQuote(ticker), { answer, listing, asOf: ticker.closeTime });
    },
    coinBars: async ({ listing, interval, limit }, scope) => {
      const query = { symbol: toPair(listing), interval, limit: Math.min(limit, MAX_BARS) };
      const answer = await ask({ path: "/api/v3/klines", query, weight: 2 }, scope);
      const rows = parseAnswer("Binance", KlineBody, answer.text);
      const candles = rows.map(([at, o, h, l, c, v]) => ({ t: at / 1_000, o, h, l, c, v }));
      const { bars } = toBars(candles, { limit, hasVolume: true });
      if (bars.t.length === 0) throw noPair(listing.symbol);
      // A bar is dated by its start; the last one is still being made.
      return sourced({ ...bars, currency: QUOTE }, { answer, listing });
    },
    coinMarkets: async ({ limit, sort }, scope) => {
      const answer = await ask({ path: "/api/v3/ticker/24hr", weight: ALL_WEIGHT }, scope);
      const tickers = parseAnswer("Binance", z.array(TickerBody), answer.text);
      const coins = tickers
        .filter((ticker) => isTraded(ticker, answer.fetchedAt))
        .map((ticker) => toCoin(ticker, directory));
      return sourced(coins.toSorted(toOrder(sort)).slice(0, limit), { answer });
    },
  };
}

/** The weight that the service allows in a minute; undefined if it does not say. */
async function readLimit(http: HttpSource, scope: Scope): Promise<number | undefined> {
  const query = { symbol: `BTC${QUOTE}`, showPermissionSets: "false" };
  const { text } = await http.ask({ path: "/api/v3/exchangeInfo", query, weight: 20 }, scope);
  const { rateLimits } = parseAnswer("Binance", LimitsBody, text);
  const isMinute = ({ rateLimitType, interval, intervalNum }: (typeof rateLimits)[number]) =>
    rateLimitType === "REQUEST_WEIGHT" && interval === "MINUTE" && intervalNum === 1;
  return rateLimits.find(isMinute)?.limit;
}

type Context = Readonly<{ answer: HttpAnswer; listing?: Listing; asOf?: number | undefined }>;

function sourced<T>(data: T, { answer, listing, asOf }: Context) {
  const pair = listing === undefined ? `pairs with ${QUOTE}` : `the pair ${toCoinName(listing)}/${QUOTE}`;
  const note = `${pair} on Binance; ${QUOTE} is a coin that follows the US dollar`;
  return toSourced(data, answer, { source: "binance", kind: "live", asOf, note });
}

const toCoinName = ({ symbol }: Listing): string => (symbol.endsWith("USD") ? symbol.slice(0, -3) : symbol);

function toPair(listing: Listing): string {
  if (listing.type === "crypto" && listing.symbol.length > 3 && listing.symbol.endsWith("USD")) {
    return `${toCoinName(listing)}${QUOTE}`;
  }
  throw noPair(listing.symbol);
}

function checkPair(answered: string, asked: string): void {
  if (answered !== asked) throw new MarketError("upstream", `Binance answered for another pair than ${asked}`);
}

function noPair(symbol: string): MarketError {
  return new MarketError("no_data", `Binance does not trade ${symbol}`, { symbol });
}

function toQuote(ticker: Ticker): CoinQuote {
  const { priceChange: change, priceChangePercent: changePercent, highPrice: high, lowPrice: low } = ticker;
  const { openPrice: open, volume, quoteVolume } = ticker;
  const rest = omitUndefined({ change, changePercent, high, low, open, volume, quoteVolume });
  return { price: ticker.lastPrice, quoteCurrency: QUOTE, ...rest };
}

/** Pairs that are no longer traded stay in the list, with old or empty figures. */
function isTraded({ symbol, lastPrice, count, closeTime }: Ticker, now: number): boolean {
  const isOld = closeTime !== undefined && closeTime < now - DAY_MS;
  return symbol.length > QUOTE.length && symbol.endsWith(QUOTE) && lastPrice > 0 && count !== 0 && !isOld;
}

function toCoin(ticker: Ticker, directory: Pick<Directory, "get"> | undefined): CoinRow {
  const name = ticker.symbol.slice(0, -QUOTE.length);
  const symbol = `${name}USD`;
  const known = directory?.get(symbol);
  const listing: Listing = { symbol, name, exchange: "CRYPTO", type: "crypto", currency: "USD" };
  return { listing: known?.type === "crypto" ? known : listing, quote: toQuote(ticker) };
}

function toOrder(sort: "volume" | "gainers" | "losers"): (one: CoinRow, other: CoinRow) => number {
  const by = (key: "quoteVolume" | "changePercent", sign: number) => (one: CoinRow, other: CoinRow) =>
    sign * ((other.quote[key] ?? 0) - (one.quote[key] ?? 0));
  if (sort === "volume") return by("quoteVolume", 1);
  return by("changePercent", sort === "gainers" ? 1 : -1);
}

function judge(answer: FetchAnswer, request: Readonly<{ query?: object }>, now: number): ReplyVerdict {
  const { status, text } = answer;
  const parsed = status === 200 ? undefined : ErrorBody.safeParse(parseJson(text));
  const code = parsed?.data?.code ?? 0;
  if (status === 429 || status === 418 || code === TOO_MUCH_WEIGHT) {
    const message = status === 418 ? "Binance has banned this address for a while" : "Binance asks to slow down";
    return { kind: "throttled", message, retryAt: toRetryAt(answer, now) };
  }
  if (status === 200) return { kind: "ok" };
  const refuse = (message: string): ReplyVerdict => ({ kind: "refused", error: new MarketError("upstream", message) });
  if (NO_PAIR.has(code)) {
    const pair = request.query !== undefined && "symbol" in request.query ? String(request.query.symbol) : "that pair";
    return { kind: "refused", error: new MarketError("no_data", `Binance does not trade ${pair}`) };
  }
  if (status === 451) return refuse("Binance does not serve this region");
  if (status === 403) return refuse("Binance's firewall refused the request");
  return refuse(
    `Binance answered with status ${status}${code === 0 ? "" : ` (${code}: ${toExcerpt(parsed?.data?.msg ?? "")})`}`,
  );
}
