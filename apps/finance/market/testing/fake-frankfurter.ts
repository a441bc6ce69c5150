/**
 * Fake Frankfurter: reference rates of weekdays on loopback, in the shapes of its second version.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { chance, fromDayNumber, isWeekday, lastWeekday, toDayNumber } from "./fake-prices.ts";

/** Settings of the fake service. */
export interface FakeFrankfurterOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
}

export type FakeFrankfurter = FakeServer;

const PAIR = /^\/v2\/rate\/([A-Za-z]{3})\/([A-Za-z]{3})$/;
/** Units of each currency for one dollar. */
const PER_DOLLAR: ReadonlyMap<string, number> = new Map([
  ["USD", 1],
  ["EUR", 0.87],
  ["GBP", 0.75],
  ["JPY", 150],
  ["VND", 26_300],
]);

/** Starts one: `await using fx = await FakeFrankfurter.start()`. */
export const FakeFrankfurter = {
  start: ({ now = () => Date.now() }: FakeFrankfurterOptions = {}): Promise<FakeFrankfurter> =>
    FakeServer.start((seen) => toReply(seen, new Date(now()).toISOString().slice(0, 10))),
  rateOf,
};

function toReply({ path, query }: Seen, today: string): Reply {
  const [, one, other] = PAIR.exec(path) ?? [];
  const base = (one ?? query.get("base") ?? "EUR").toUpperCase();
  const quotes = (other ?? query.get("quotes") ?? "USD").toUpperCase().split(",");
  if (path !== "/v2/rates" && one === undefined) return { status: 404, body: '{"message":"not found"}' };
  const unknown = [base, ...quotes].find((code) => !PER_DOLLAR.has(code));
  if (unknown !== undefined) return { status: 422, body: JSON.stringify({ message: `invalid currency: ${unknown}` }) };
  const row = (day: string, quote: string) => ({ date: day, base, quote, rate: rateOf(base, quote, day) });
  const [only = ""] = quotes;
  if (one !== undefined) return { body: JSON.stringify(row(lastWeekday(today), only)) };
  const days = daysOf(query.get("from") ?? lastWeekday(today), query.get("to") ?? today);
  return { body: JSON.stringify(days.flatMap((day) => quotes.map((quote) => row(day, quote)))) };
}

const daysOf = (from: string, to: string): readonly string[] =>
  Array.from({ length: Math.max(0, toDayNumber(to) - toDayNumber(from) + 1) }, (_, index) =>
    fromDayNumber(toDayNumber(from) + index),
  ).filter(isWeekday);

/** The rate between two currencies on a day. */
function rateOf(base: string, quote: string, day: string): number {
  const [from = 1, to = 1] = [PER_DOLLAR.get(base), PER_DOLLAR.get(quote)];
  return Number(((to / from) * (1 + 0.01 * chance(`${base}${quote}${day}`))).toPrecision(6));
}
