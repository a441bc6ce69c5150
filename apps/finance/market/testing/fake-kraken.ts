/**
 * Fake Kraken: coins in dollars on loopback, with errors at status 200, names of its own for pairs, 720 candles at
 * most, and a limit of calls.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { barOf, fromDayNumber } from "./fake-prices.ts";

/** Settings of the fake exchange. */
export interface FakeKrakenOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** The number of requests it answers before it complains; all if not given. */
  readonly allowed?: number;
}

export type FakeKraken = FakeServer;

const DAY_MS = 86_400_000;
const MAX_CANDLES = 720;
/** Names of pairs in answers: old ones differ. */
const PAIRS: ReadonlyMap<string, string> = new Map([
  ["XBTUSD", "XXBTZUSD"],
  ["XDGUSD", "XDGUSD"],
  ["ETHUSD", "XETHZUSD"],
  ["XRPUSD", "XXRPZUSD"],
  ["LTCUSD", "XLTCZUSD"],
  ["SOLUSD", "SOLUSD"],
  ["ADAUSD", "ADAUSD"],
]);
const INTERVALS: ReadonlySet<number> = new Set([1, 5, 15, 30, 60, 240, 1_440, 10_080]);

const error = (text: string): Reply => ({ body: JSON.stringify({ error: [text] }) });
const result = (value: unknown): Reply => ({ body: JSON.stringify({ error: [], result: value }) });

/** Starts one: `await using kraken = await FakeKraken.start()`. */
export const FakeKraken = {
  start: ({ now = () => Date.now(), allowed = Infinity }: FakeKrakenOptions = {}): Promise<FakeKraken> => {
    let asked = 0;
    return FakeServer.start((seen) => {
      asked++;
      return asked > allowed ? error("EAPI:Rate limit exceeded") : toReply(seen, now());
    });
  },
  priceOf,
};

function toReply({ path, query }: Seen, now: number): Reply {
  const pair = query.get("pair") ?? "";
  const name = PAIRS.get(pair);
  if (path !== "/0/public/Ticker" && path !== "/0/public/OHLC") return error("EGeneral:Unknown method");
  if (pair === "ZZBUSYUSD") return error("EService:Unavailable");
  if (name === undefined) return error("EQuery:Unknown asset pair");
  if (path === "/0/public/Ticker") return result({ [name]: toTicker(pair, now) });
  const minutes = Number(query.get("interval") ?? 1);
  if (!INTERVALS.has(minutes)) return error("EGeneral:Invalid arguments");
  const candles = toCandles(pair, minutes, now).filter(([t]) => Number(t) > Number(query.get("since") ?? 0));
  return result({ [name]: candles, last: Math.floor(now / 1_000) - minutes * 60 });
}

/** The price of a pair in the hour of a time in ms. */
function priceOf(pair: string, ms: number): number {
  const day = Math.floor(ms / DAY_MS);
  const hour = Math.floor((ms - day * DAY_MS) / 3_600_000);
  return Math.round(barOf(pair, fromDayNumber(day)).close * (1 + hour / 100) * 100) / 100;
}

/** Figures of today come first, those of 24 hours second. */
function toTicker(pair: string, now: number) {
  const price = priceOf(pair, now);
  const text = (value: number) => value.toFixed(5);
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  return {
    a: [text(price * 1.001), "1", "1.000"],
    b: [text(price * 0.999), "1", "1.000"],
    c: [text(price), "0.00090000"],
    v: ["100.5", "250.25"],
    p: [text(price * 0.99), text(price * 0.98)],
    t: [1_000, 2_500],
    l: [text(price * 0.97), text(price * 0.95)],
    h: [text(price * 1.01), text(price * 1.04)],
    o: text(priceOf(pair, midnight)),
  };
}

/** Oldest first; the last is still being made. */
function toCandles(pair: string, minutes: number, now: number): readonly (readonly (string | number)[])[] {
  const stepMs = minutes * 60_000;
  const last = Math.floor(now / stepMs) * stepMs;
  return Array.from({ length: MAX_CANDLES }, (_, index) => {
    const at = last - (MAX_CANDLES - 1 - index) * stepMs;
    const open = priceOf(pair, at);
    const text = (value: number) => value.toFixed(1);
    return [
      at / 1_000,
      open.toFixed(2),
      text(open * 1.01),
      text(open * 0.99),
      text(open * 1.002),
      text(open),
      "12.5",
      42,
    ];
  });
}
