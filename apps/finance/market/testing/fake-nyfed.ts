/**
 * Fake New York Fed: reference rates on loopback, newest first, with a rate of another type among the latest.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { chance, fromDayNumber, isWeekday, toDayNumber } from "./fake-prices.ts";

/** Settings of the fake bank. */
export interface FakeNyFedOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
}

export type FakeNyFed = FakeServer;

const LAST = /^\/api\/rates\/(?:secured\/(sofr)|unsecured\/(effr))\/last\/(\d{1,3})\.json$/;
const SEARCH = /^\/api\/rates\/(?:secured\/(sofr)|unsecured\/(effr))\/search\.json$/;
const SOFR_SINCE = "2018-04-02";

/** Starts one: `await using nyfed = await FakeNyFed.start()`. */
export const FakeNyFed = {
  start: ({ now = () => Date.now() }: FakeNyFedOptions = {}): Promise<FakeNyFed> =>
    FakeServer.start((seen) => toReply(seen, new Date(now()).toISOString().slice(0, 10))),
  /** The rate in percent of `SOFR` or `EFFR` on a day. */
  rateOf,
};

function toReply({ path, query }: Seen, today: string): Reply {
  const last = LAST.exec(path);
  const search = SEARCH.exec(path);
  const type = (last?.[1] ?? last?.[2] ?? search?.[1] ?? search?.[2] ?? "").toUpperCase();
  // The rate of a day is published in the morning of the next business day.
  const newest = fromDayNumber(toDayNumber(today) - 1);
  if (last !== null) return toBody(daysUpTo(newest, Number(last[3])).map((day) => toRow(type, day)));
  if (search !== null) {
    const [from = "", to = ""] = [query.get("startDate"), query.get("endDate")];
    const days = daysUpTo(newest, 4_000).filter((day) => day >= from && day <= to && day >= SOFR_SINCE);
    return toBody(days.map((day) => toRow(type, day)));
  }
  if (path !== "/api/rates/all/latest.json") return { status: 404, body: '{"error":"Not Found"}' };
  const [day = newest] = daysUpTo(newest, 1);
  const averages = { effectiveDate: day, type: "SOFRAI", average30day: 4.3, average90day: 4.31, index: 1.2 };
  return toBody([toRow("EFFR", day), averages, toRow("SOFR", day)]);
}

const toBody = (refRates: readonly unknown[]): Reply => ({ body: JSON.stringify({ refRates }) });

function toRow(type: string, day: string) {
  const rest = { percentPercentile1: 4.2, percentPercentile99: 4.5, volumeInBillions: 2_000, revisionIndicator: "" };
  return { effectiveDate: day, type, percentRate: rateOf(type, day), ...rest };
}

function rateOf(type: string, day: string): number {
  return Math.round(430 + 10 * chance(`${type}${day}`)) / 100;
}

function daysUpTo(day: string, count: number): readonly string[] {
  const days: string[] = [];
  for (let number = toDayNumber(day); days.length < count; number--) {
    if (isWeekday(fromDayNumber(number))) days.push(fromDayNumber(number));
  }
  return days;
}
