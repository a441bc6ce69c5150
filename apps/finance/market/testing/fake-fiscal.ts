/**
 * Fake FiscalData: the debt by business day on loopback; every value is a string, and a missing one is "null".
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { fromDayNumber, isWeekday, toDayNumber } from "./fake-prices.ts";

/** Settings of the fake service. */
export interface FakeFiscalOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
  /** The day without a value. */
  readonly missing?: string;
}

export type FakeFiscal = FakeServer;

const PATH = "/services/api/fiscal_service/v2/accounting/od/debt_to_penny";
const SINCE = "1993-04-01";

/** Starts one: `await using fiscal = await FakeFiscal.start()`. */
export const FakeFiscal = {
  start: ({ now = () => Date.now(), missing = "" }: FakeFiscalOptions = {}): Promise<FakeFiscal> =>
    FakeServer.start((seen) => toReply(seen, { today: new Date(now()).toISOString().slice(0, 10), missing })),
  /** The debt in dollars on a day. */
  debtOf,
};

function toReply({ path, query }: Seen, { today, missing }: Readonly<{ today: string; missing: string }>): Reply {
  if (path !== PATH) return { status: 404, body: '{"error":"Not Found"}' };
  const filter = query.get("filter") ?? "";
  const from = /record_date:gte:(\d{4}-\d{2}-\d{2})/.exec(filter)?.[1] ?? SINCE;
  const to = /record_date:lte:(\d{4}-\d{2}-\d{2})/.exec(filter)?.[1] ?? today;
  const size = Number(query.get("page[size]") ?? 100);
  const all = daysOf(from < SINCE ? SINCE : from, to < today ? to : today);
  const days = query.get("sort") === "-record_date" ? all.toReversed() : all;
  const data = days.slice(0, size).map((day) => ({
    record_date: day,
    tot_pub_debt_out_amt: day === missing ? "null" : debtOf(day).toFixed(2),
  }));
  const meta = {
    count: data.length,
    labels: { record_date: "Record Date", tot_pub_debt_out_amt: "Total Public Debt Outstanding" },
    dataTypes: { record_date: "DATE", tot_pub_debt_out_amt: "CURRENCY" },
    "total-count": days.length,
    "total-pages": Math.ceil(days.length / size),
  };
  return { body: JSON.stringify({ data, meta, links: { self: "&page[number]=1" } }) };
}

const daysOf = (from: string, to: string): readonly string[] =>
  Array.from({ length: Math.max(0, toDayNumber(to) - toDayNumber(from) + 1) }, (_, index) =>
    fromDayNumber(toDayNumber(from) + index),
  ).filter(isWeekday);

function debtOf(day: string): number {
  return 36_000_000_000_000 + toDayNumber(day) * 1_000_000_000.25;
}
