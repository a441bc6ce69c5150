/**
 * Fake Cboe: delayed quotes, history and minutes of American symbols on loopback; a file that does not exist is refused
 * as the real file store does, and before the opening a price is 0.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { barOf, barsOf, cents, fromDayNumber, lastWeekday, toDayNumber } from "./fake-prices.ts";

/** Settings of the fake exchange. */
export interface FakeCboeOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** `pre`: no trade yet today, so that prices of the day are 0. */
  readonly session?: "open" | "pre";
}

export type FakeCboe = FakeServer;

const PATH =
  /^\/api\/global\/delayed_quotes\/(quotes|options|charts\/historical|charts\/intraday)\/([A-Z0-9._]{1,12})\.json$/;
const SYMBOLS: ReadonlySet<string> = new Set("AAPL MSFT NVDA SPY BRK.B _SPX _DJI _NDX _RUT _VIX".split(" "));
/** These have no history but the current day. */
const YOUNG: ReadonlySet<string> = new Set(["_NDX", "_RUT"]);
const SINCE = "2015-01-02";
const OPEN_MINUTE = 571;
const MINUTES = 389;

/** Starts one: `await using cboe = await FakeCboe.start()`. */
export const FakeCboe = {
  start: ({ now = () => Date.now(), session = "open" }: FakeCboeOptions = {}): Promise<FakeCboe> =>
    FakeServer.start((seen) => toReply(seen, { now: now(), session })),
};

type World = Readonly<{ now: number; session: "open" | "pre" }>;

function toReply({ path }: Seen, world: World): Reply {
  const [, kind = "", symbol = ""] = PATH.exec(path) ?? [];
  if (!SYMBOLS.has(symbol)) {
    const body = '<?xml version="1.0" encoding="UTF-8"?><Error><Code>AccessDenied</Code></Error>';
    return { status: 403, body, headers: { "content-type": "application/xml" } };
  }
  const today = lastWeekday(new Date(world.now).toISOString().slice(0, 10));
  const timestamp = new Date(world.now).toISOString().slice(0, 19).replace("T", " ");
  if (kind === "quotes") return { body: JSON.stringify({ timestamp, data: toQuote(symbol, today, world) }) };
  if (kind === "options") return { body: JSON.stringify({ timestamp, data: toOptions(symbol, today, world) }) };
  if (kind === "charts/intraday") return { body: JSON.stringify({ timestamp, data: toMinutes(symbol, today, world) }) };
  return { body: JSON.stringify({ symbol, data: toHistory(symbol, today) }) };
}

/** Calls and puts around the price, of two expiries. */
function toOptions(symbol: string, today: string, world: World) {
  const quote = toQuote(symbol, today, world);
  const middle = Math.round(barOf(symbol, today).close / 5) * 5;
  const options = [30, 60].flatMap((days) => {
    const day = fromDayNumber(toDayNumber(today) + days)
      .slice(2)
      .replaceAll("-", "");
    return [-10, -5, 0, 5, 10].flatMap((away) =>
      ["C", "P"].map((kind) => ({
        option: `${symbol.replace(/[_.]/g, "")}${day}${kind}${String((middle + away) * 1_000).padStart(8, "0")}`,
        bid: 1.5,
        ask: 1.75,
        iv: 0.25,
        open_interest: 120,
        volume: 12,
        delta: kind === "C" ? 0.5 : -0.5,
        last_trade_price: 1.6,
      })),
    );
  });
  return { ...quote, options };
}

/** The day before, then today. */
function toQuote(symbol: string, today: string, { session }: World) {
  const before = barOf(symbol, lastWeekday(fromDayNumber(toDayNumber(today) - 1)));
  const { open, high, low, close, volume } = barOf(symbol, today);
  const isPre = session === "pre";
  return {
    symbol: symbol.startsWith("_") ? `^${symbol.slice(1)}` : symbol,
    security_type: symbol.startsWith("_") ? "index" : "stock",
    exchange_id: 5,
    current_price: isPre ? 0 : close,
    price_change: isPre ? 0 : cents(close - before.close),
    price_change_percent: isPre ? 0 : Math.round((close / before.close - 1) * 1e5) / 1e3,
    bid: isPre ? 0 : cents(close - 0.01),
    bid_size: 100,
    ask: isPre ? 0 : cents(close + 0.01),
    ask_size: 100,
    open: isPre ? 0 : open,
    high: isPre ? 0 : high,
    low: isPre ? 0 : low,
    close: isPre ? before.close : close,
    prev_day_close: before.close,
    volume: symbol.startsWith("_") ? 0 : volume,
    iv30: 25.1,
    iv30_change: -0.2,
    last_trade_time: isPre ? null : `${today}T15:14:59`,
    tick: "up",
    seqno: 123_456,
  };
}

/** Strings, the whole history without today, and an old row without an opening price. */
function toHistory(symbol: string, today: string) {
  const from = YOUNG.has(symbol) ? today : SINCE;
  const to = YOUNG.has(symbol) ? today : fromDayNumber(toDayNumber(today) - 1);
  return barsOf(symbol, from, to).map(({ day, open, high, low, close, volume }, index) => ({
    date: day,
    open: index === 0 && !YOUNG.has(symbol) ? "0.0000" : open.toFixed(4),
    high: high.toFixed(4),
    low: low.toFixed(4),
    close: close.toFixed(4),
    volume,
  }));
}

/** New York's minutes from 9:31; the first has no trade yet. */
function toMinutes(symbol: string, today: string, { session }: World) {
  const { close } = barOf(symbol, today);
  const count = session === "pre" ? 1 : MINUTES;
  return Array.from({ length: count }, (_, index) => {
    const minute = OPEN_MINUTE + index;
    const price = index === 0 ? 0 : cents(close + index / 100);
    const clock = `${String(Math.floor(minute / 60)).padStart(2, "0")}:${String(minute % 60).padStart(2, "0")}:00`;
    return {
      sequence_number: index,
      datetime: `${today}T${clock}`,
      price: {
        open: price,
        high: price === 0 ? 0 : cents(price + 0.02),
        low: price === 0 ? 0 : cents(price - 0.02),
        close: price,
      },
      volume: { stock_volume: 100, calls_volume: 1, puts_volume: 2, total_options_volume: 3 },
    };
  });
}
