/**
 * Fake Yahoo: charts on loopback, with nulls for times without trade, a chart's previous close that is of the day before
 * the range, and status 403 for a client that is not a browser.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { barOf, barsOf, cents, type FakeBar, fromDayNumber, lastWeekday, toDayNumber } from "./fake-prices.ts";

/** Settings of the fake service. */
export interface FakeYahooOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** A day whose figures are null. */
  readonly halted?: string;
}

export type FakeYahoo = FakeServer;

const PATH = /^\/v8\/finance\/chart\/([A-Z0-9.^%-]{1,24})$/;
const AMERICAN = { currency: "USD", gmtoffset: -18_000, zone: "America/New_York", openS: 34_200, exchange: "NasdaqGS" };
const VIETNAMESE = { currency: "VND", gmtoffset: 25_200, zone: "Asia/Ho_Chi_Minh", openS: 32_400, exchange: "HSX" };
const AMERICANS: ReadonlySet<string> = new Set(["AAPL", "MSFT", "NVDA", "SPY", "BRK-B", "^GSPC", "^IXIC"]);
const VIETNAMESES: ReadonlySet<string> = new Set(["VNM.VN", "HPG.VN", "FPT.VN", "^VNINDEX.VN"]);
const RANGES: ReadonlyMap<string, number> = new Map([
  ["1d", 1],
  ["5d", 7],
  ["1mo", 31],
  ["3mo", 92],
  ["6mo", 184],
  ["1y", 366],
]);
const STEPS: ReadonlyMap<string, number> = new Map([
  ["1m", 60],
  ["5m", 300],
  ["15m", 900],
  ["30m", 1_800],
  ["1h", 3_600],
]);
const SESSION_S = 23_400;

/** Starts one: `await using yahoo = await FakeYahoo.start()`. */
export const FakeYahoo = {
  start: ({ now = () => Date.now(), halted = "" }: FakeYahooOptions = {}): Promise<FakeYahoo> =>
    FakeServer.start((seen) => toReply(seen, { now: now(), halted })),
};

type World = Readonly<{ now: number; halted: string }>;
type Place = typeof AMERICAN;

const problem = (status: number, code: string, description: string): Reply => ({
  status,
  body: JSON.stringify({ chart: { result: null, error: { code, description } } }),
});

function toReply({ path, query, headers }: Seen, world: World): Reply {
  if (!(headers["user-agent"] ?? "").startsWith("Mozilla/5.0")) {
    return { status: 403, body: "Forbidden", headers: { "content-type": "text/plain" } };
  }
  const symbol = decodeURIComponent(PATH.exec(path)?.[1] ?? "");
  const place = AMERICANS.has(symbol) ? AMERICAN : VIETNAMESES.has(symbol) ? VIETNAMESE : undefined;
  if (place === undefined) return problem(404, "Not Found", "No data found, symbol may be delisted");
  const today = lastWeekday(new Date(world.now).toISOString().slice(0, 10));
  const range = query.get("range");
  const from =
    range === undefined
      ? dayOf(query.get("period1"))
      : fromDayNumber(toDayNumber(today) - (RANGES.get(range) ?? 1) + 1);
  const to = range === undefined ? fromDayNumber(toDayNumber(dayOf(query.get("period2"))) - 1) : today;
  const bars = barsOf(symbol, from < "2010-01-04" ? "2010-01-04" : from, to < today ? to : today);
  if (bars.length === 0) return problem(400, "Bad Request", "Data doesn't exist for startDate, endDate");
  const step = STEPS.get(query.get("interval") ?? "1d");
  const points =
    step === undefined
      ? bars.map((bar) => toPoint(bar, place, world))
      : bars.flatMap((bar) => toPoints(bar, place, step));
  const result = {
    meta: toMeta({ symbol, place, bars, today }),
    timestamp: points.map(({ at }) => at),
    ...(query.get("events")?.includes("div") === true ? { events: { dividends: toDividends(bars, place) } } : {}),
    indicators: {
      quote: [columnsOf(points)],
      ...(step === undefined
        ? { adjclose: [{ adjclose: points.map(({ close }) => (close === null ? null : cents(close * 0.9))) }] }
        : {}),
    },
  };
  return { body: JSON.stringify({ chart: { result: [result], error: null } }) };
}

const dayOf = (seconds: string | undefined): string =>
  new Date(Number(seconds ?? 0) * 1_000).toISOString().slice(0, 10);

type Point = Readonly<{
  at: number;
  open: number | null;
  high: number | null;
  low: number | null;
  close: number | null;
  volume: number | null;
}>;

/** A day is dated by its opening. */
const openingOf = (day: string, { openS, gmtoffset }: Place): number => toDayNumber(day) * 86_400 + openS - gmtoffset;

function toPoint({ day, open, high, low, close, volume }: FakeBar, place: Place, { halted }: World): Point {
  const at = openingOf(day, place);
  if (day === halted) return { at, open: null, high: null, low: null, close: null, volume: null };
  return { at, open, high, low, close, volume };
}

/** The second slot of each day has no trade. */
function toPoints({ day, close }: FakeBar, place: Place, step: number): readonly Point[] {
  return Array.from({ length: Math.ceil(SESSION_S / step) }, (_, index) => {
    const at = openingOf(day, place) + index * step;
    if (index === 1) return { at, open: null, high: null, low: null, close: null, volume: null };
    const price = cents(close + index / 100);
    return { at, open: price, high: cents(price + 0.05), low: cents(price - 0.05), close: price, volume: 100 };
  });
}

const columnsOf = (points: readonly Point[]) => ({
  open: points.map(({ open }) => open),
  high: points.map(({ high }) => high),
  low: points.map(({ low }) => low),
  close: points.map(({ close }) => close),
  volume: points.map(({ volume }) => volume),
});

/** On the first weekday of each March. */
function toDividends(bars: readonly FakeBar[], place: Place) {
  const paid = bars.filter(({ day }, index) => day.slice(5, 7) === "03" && bars[index - 1]?.day.slice(5, 7) === "02");
  return Object.fromEntries(
    paid.map(({ day }) => [`${openingOf(day, place)}`, { amount: 0.25, date: openingOf(day, place) }]),
  );
}

type Asked = Readonly<{ symbol: string; place: Place; bars: readonly FakeBar[]; today: string }>;

function toMeta({ symbol, place, bars, today }: Asked) {
  const { close, high, low, volume } = barOf(symbol, today);
  const before = lastWeekday(fromDayNumber(toDayNumber(bars[0]?.day ?? today) - 1));
  return {
    currency: place.currency,
    symbol,
    exchangeName: place.exchange,
    fullExchangeName: place.exchange,
    instrumentType: "EQUITY",
    regularMarketPrice: close,
    regularMarketTime: openingOf(today, place) + SESSION_S,
    regularMarketDayHigh: high,
    regularMarketDayLow: low,
    regularMarketVolume: volume,
    chartPreviousClose: barOf(symbol, before).close,
    fiftyTwoWeekHigh: 999,
    fiftyTwoWeekLow: 1,
    longName: symbol,
    gmtoffset: place.gmtoffset,
    exchangeTimezoneName: place.zone,
    dataGranularity: "1d",
    range: "",
    validRanges: [...RANGES.keys()],
  };
}
