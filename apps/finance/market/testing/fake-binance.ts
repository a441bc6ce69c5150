/**
 * Fake Binance: spot market data on loopback, in the shapes and with the faults of the real one.
 *
 * It trades every pair with USDT, counts weights, answers 429 beyond the limit and 418 after three ignored 429s.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { barOf, chance, fromDayNumber } from "./fake-prices.ts";
import { toFaultReply } from "./fault-symbols.ts";

/** Settings of the fake exchange. */
export interface FakeBinanceOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** Weight after which it answers 429; 6,000 if not given. There is no minute: it only grows. */
  readonly weightLimit?: number;
  /** Weight that others have used already. */
  readonly usedWeight?: number;
  readonly elsewhere?: string;
}

export type FakeBinance = FakeServer;

type Asked = Readonly<{ seen: Seen; pair: string; now: number; weightLimit: number }>;

const DAY_MS = 86_400_000;
const QUOTE = "USDT";
const MAX_IGNORED = 3;
const COINS = ["BTC", "ETH", "SOL", "XRP", "DOGE", "ADA", "BNB", "LTC"];
const INTERVALS_MS: ReadonlyMap<string, number> = new Map([
  ["1m", 60_000],
  ["5m", 300_000],
  ["15m", 900_000],
  ["30m", 1_800_000],
  ["1h", 3_600_000],
  ["4h", 14_400_000],
  ["1d", DAY_MS],
  ["1w", 7 * DAY_MS],
]);

const error = (status: number, code: number, msg: string): Reply => ({ status, body: JSON.stringify({ code, msg }) });

/** Starts one: `await using binance = await FakeBinance.start()`. */
export const FakeBinance = {
  start: (options: FakeBinanceOptions = {}): Promise<FakeBinance> => {
    const { weightLimit = 6_000, now = () => Date.now(), elsewhere } = options;
    let used = options.usedWeight ?? 0;
    let ignored = 0;
    const answer = (seen: Seen): Reply => {
      used += weightOf(seen);
      const headers = { "x-mbx-used-weight": `${used}`, "x-mbx-used-weight-1m": `${used}` };
      if (used > weightLimit) {
        ignored++;
        const status = ignored > MAX_IGNORED ? 418 : 429;
        const reply = error(status, -1003, "Too much request weight used; please use WebSocket Streams.");
        return { ...reply, headers: { ...headers, "retry-after": status === 418 ? "120" : "7" } };
      }
      const pair = seen.query.get("symbol") ?? "";
      const symbol = pair.endsWith(QUOTE) ? pair.slice(0, -QUOTE.length) : pair;
      const reply =
        toFaultReply(symbol, elsewhere) ?? toFault(symbol) ?? toReply({ seen, pair, now: now(), weightLimit });
      return { ...reply, headers: { ...headers, ...reply.headers } };
    };
    return FakeServer.start(answer);
  },
};

function weightOf({ path, query }: Seen): number {
  const isOne = query.has("symbol");
  switch (path) {
    case "/api/v3/ticker/24hr":
      return isOne ? 2 : 80;
    case "/api/v3/ticker/price":
    case "/api/v3/ticker/bookTicker":
      return isOne ? 2 : 4;
    case "/api/v3/exchangeInfo":
      return 20;
    case "/api/v3/trades":
      return 25;
    case "/api/v3/depth":
      return 5;
    default:
      return 2;
  }
}

function toFault(symbol: string): Reply | undefined {
  switch (symbol) {
    case "ZZ401":
    case "ZZ403":
      return { status: 403, body: "<html>Forbidden</html>", headers: { "content-type": "text/html" } };
    case "ZZ418":
      return {
        ...error(418, -1003, "Way too much request weight used; IP banned."),
        headers: { "retry-after": "120" },
      };
    case "ZZ429":
      return { ...error(429, -1003, "Too many requests."), headers: { "retry-after": "30" } };
    case "ZZ451":
      return error(451, 0, "Service unavailable from a restricted location.");
    case "ZZCODE":
      return error(400, -1120, "Invalid interval.");
    case "ZZHALT":
      return error(400, -1220, "The symbol's status does not match.");
    case "ZZEMPTY":
      return error(400, -1121, "Invalid symbol.");
    default:
      return undefined;
  }
}

function toReply(asked: Asked): Reply {
  const { seen, pair, now, weightLimit } = asked;
  const { path, query } = seen;
  if (query.has("symbol") && !pair.endsWith(QUOTE)) return error(400, -1121, "Invalid symbol.");
  const body = toBody(asked);
  if (body !== undefined) return { body: JSON.stringify(body) };
  if (path === "/api/v3/ping") return { body: "{}" };
  if (path === "/api/v3/time") return { body: JSON.stringify({ serverTime: now }) };
  if (path !== "/api/v3/exchangeInfo") return { status: 404, body: "" };
  const limit = { rateLimitType: "REQUEST_WEIGHT", interval: "MINUTE", intervalNum: 1, limit: weightLimit };
  const symbols = COINS.map((coin) => ({
    symbol: `${coin}${QUOTE}`,
    status: "TRADING",
    baseAsset: coin,
    quoteAsset: QUOTE,
  }));
  return {
    body: JSON.stringify({ timezone: "UTC", serverTime: now, rateLimits: [limit], exchangeFilters: [], symbols }),
  };
}

function toBody({ seen: { path, query }, pair, now }: Asked): unknown {
  const price = priceOf(pair, now);
  switch (path) {
    case "/api/v3/ticker/24hr":
      return query.has("symbol") ? toTicker(pair, now) : toTickers(now);
    case "/api/v3/ticker/price":
      return { symbol: pair, price: toText(price, pair) };
    case "/api/v3/ticker/bookTicker":
      return { symbol: pair, bidPrice: toText(price), bidQty: "1", askPrice: toText(price * 1.0001), askQty: "2" };
    case "/api/v3/klines":
      return toKlines(pair, query, now);
    case "/api/v3/depth":
      return { lastUpdateId: 1, bids: [[toText(price), "1"]], asks: [[toText(price * 1.0001), "2"]] };
    case "/api/v3/avgPrice":
      return { mins: 5, price: toText(price), closeTime: now };
    case "/api/v3/trades":
      return [{ id: 1, price: toText(price), qty: "1", quoteQty: toText(price), time: now, isBuyerMaker: true }];
    default:
      return undefined;
  }
}

/** The pair ZZNULL has no figures. */
const toText = (value: number, pair = ""): string | null => (pair.startsWith("ZZNULL") ? null : value.toFixed(8));

const priceOf = (pair: string, now: number): number => barOf(pair, fromDayNumber(Math.floor(now / DAY_MS))).close;

function toTicker(pair: string, now: number) {
  const last = priceOf(pair, now);
  const open = priceOf(pair, now - DAY_MS);
  const volume = 1_000 + 9_000 * chance(`${pair}v`);
  const text = (value: number) => toText(value, pair);
  return {
    symbol: pair,
    priceChange: text(last - open),
    priceChangePercent: ((100 * (last - open)) / open).toFixed(3),
    weightedAvgPrice: text((last + open) / 2),
    prevClosePrice: text(open),
    lastPrice: text(last),
    lastQty: "0.5",
    openPrice: text(open),
    highPrice: text(Math.max(last, open) * 1.01),
    lowPrice: text(Math.min(last, open) * 0.99),
    volume: text(volume),
    quoteVolume: text(volume * last),
    openTime: now - DAY_MS,
    closeTime: now,
    firstId: 1,
    lastId: 100,
    count: 100,
  };
}

/** All pairs, with one of another quote and one that is no longer traded. */
function toTickers(now: number) {
  const dead = { ...toTicker(`OLD${QUOTE}`, now), lastPrice: "0.00000000", count: 0, closeTime: now - 30 * DAY_MS };
  return [...COINS.map((coin) => toTicker(`${coin}${QUOTE}`, now)), { ...toTicker("ETHBTC", now) }, dead];
}

/** Oldest first, up to now. */
function toKlines(pair: string, query: ReadonlyMap<string, string>, now: number): unknown {
  const intervalMs = INTERVALS_MS.get(query.get("interval") ?? "") ?? DAY_MS;
  const limit = Math.min(1_000, Number(query.get("limit") ?? 500));
  const last = Math.floor(now / intervalMs) * intervalMs;
  return Array.from({ length: limit }, (_, index) => {
    const at = last - (limit - 1 - index) * intervalMs;
    const { open, high, low, close } = barOf(pair, fromDayNumber(Math.floor(at / DAY_MS)));
    const prices = [open, high, low, close].map((value) => toText(value, pair));
    return [at, ...prices, "12.5", at + intervalMs - 1, toText(12.5 * close), 42, "6", toText(6 * close), "0"];
  });
}
