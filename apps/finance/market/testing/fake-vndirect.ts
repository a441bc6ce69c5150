/**
 * Fake VNDirect: prices of Vietnam on loopback, stocks in thousands of dong and indices in points; a holiday is an
 * answer of empty arrays.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { barOf, barsOf, fromDayNumber, toDayNumber } from "./fake-prices.ts";

/** Settings of the fake broker. */
export interface FakeVndirectOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** Days without trade, though they are weekdays. */
  readonly holidays?: readonly string[];
}

export type FakeVndirect = FakeServer;

const STOCKS: ReadonlySet<string> = new Set(["VNM", "HPG", "FPT", "VIC", "ACV"]);
const INDICES: ReadonlySet<string> = new Set(["VNINDEX", "VN30", "HNX", "UPCOM"]);
const SESSION_S = 6 * 3_600;
/** 9:00 in Vietnam. */
const OPEN_S = 2 * 3_600;

/** Starts one: `await using vndirect = await FakeVndirect.start()`. */
export const FakeVndirect = {
  start: ({ now = () => Date.now(), holidays = [] }: FakeVndirectOptions = {}): Promise<FakeVndirect> =>
    FakeServer.start((seen) => toReply(seen, { now: now(), holidays })),
  /** The close of a symbol on a day as it is sent: in thousands of dong, or points. */
  closeOf: (symbol: string, day: string): number => barOf(symbol, day).close,
};

type World = Readonly<{ now: number; holidays: readonly string[] }>;

function toReply({ path, query, headers }: Seen, { now, holidays }: World): Reply {
  if (!(headers["user-agent"] ?? "").startsWith("Mozilla/5.0")) return { status: 403, body: "" };
  if (path !== "/dchart/history") return { status: 404, body: "{}" };
  const symbol = query.get("symbol") ?? "";
  const [from, to] = [Number(query.get("from")), Math.min(Number(query.get("to")), now / 1_000)];
  if (!STOCKS.has(symbol) && !INDICES.has(symbol))
    return { body: '{"s":"no_data","t":[],"o":[],"h":[],"l":[],"c":[],"v":[]}' };
  const resolution = query.get("resolution") ?? "D";
  const days = barsOf(symbol, dayOf(from), dayOf(to)).filter(({ day }) => !holidays.includes(day));
  const rows =
    resolution === "D"
      ? days.map((bar) => ({ t: toDayNumber(bar.day) * 86_400, ...bar }))
      : days.flatMap((bar) => toSlots(bar, Number(resolution)));
  const within = rows.filter(({ t }) => t >= from && t <= to);
  return {
    body: JSON.stringify({
      s: "ok",
      t: within.map(({ t }) => t),
      o: within.map(({ open }) => open),
      h: within.map(({ high }) => high),
      l: within.map(({ low }) => low),
      c: within.map(({ close }) => close),
      v: within.map(({ volume }) => volume),
    }),
  };
}

const dayOf = (seconds: number): string => fromDayNumber(Math.floor(seconds / 86_400));

function toSlots(bar: ReturnType<typeof barOf>, minutes: number) {
  const start = toDayNumber(bar.day) * 86_400 + OPEN_S;
  return Array.from({ length: Math.floor(SESSION_S / (minutes * 60)) }, (_, index) => ({
    ...bar,
    t: start + index * minutes * 60,
  }));
}
