/**
 * Fake Treasury: files of yield curves by year on loopback, as the real ones are: newest day first, a maturity that
 * was inserted in 2025, blanks before it, N/A, and real yields with their names in capitals.
 */
import { FakeServer, type Reply, type Seen } from "./fake-server.ts";
import { chance, fromDayNumber, isWeekday, toDayNumber } from "./fake-prices.ts";

/** Settings of the fake department. */
export interface FakeTreasuryOptions {
  /** Ms since 1970; the machine's clock if not given. */
  readonly now?: () => number;
}

export type FakeTreasury = FakeServer;

const CSV = { "content-type": "text/csv; charset=UTF-8" };
const FILE = /^\/resource-center\/data-chart-center\/interest-rates\/daily-treasury-rates\.csv\/(\d{4})\/all$/;
const OLD = ["1 Mo", "2 Mo", "3 Mo", "4 Mo", "6 Mo", "1 Yr", "2 Yr", "3 Yr", "5 Yr", "7 Yr", "10 Yr", "20 Yr", "30 Yr"];
const NEW = ["1 Mo", "1.5 Month", ...OLD.slice(1)];
const REAL = ["5 YR", "7 YR", "10 YR", "20 YR", "30 YR"];
/** The first day with the new maturity. */
const INSERTED = "2025-02-18";
/** A day on which a maturity has no quotes. */
const THIN = "2025-06-17";

/** Starts one: `await using treasury = await FakeTreasury.start()`. */
export const FakeTreasury = {
  start: ({ now = () => Date.now() }: FakeTreasuryOptions = {}): Promise<FakeTreasury> =>
    FakeServer.start((seen) => toReply(seen, new Date(now()).toISOString().slice(0, 10))),
  /** The yield in percent of a column on a day. */
  yieldOf,
};

function toReply({ path, query }: Seen, today: string): Reply {
  const year = FILE.exec(path)?.[1];
  const type = query.get("type");
  const isCurve = type === "daily_treasury_yield_curve" || type === "daily_treasury_real_yield_curve";
  if (year === undefined || !isCurve || query.get("field_tdr_date_value") !== year || query.get("_format") !== "csv") {
    return { status: 404, body: "<html>Page not found</html>", headers: { "content-type": "text/html" } };
  }
  const columns = type === "daily_treasury_real_yield_curve" ? REAL : Number(year) >= 2025 ? NEW : OLD;
  const head = ["Date", ...columns.map((column) => `"${column}"`)].join(",");
  const lines = daysOf(year, today).map((day) =>
    [toUsDate(day), ...columns.map((column) => toField(column, day))].join(","),
  );
  return { body: [head, ...lines, ""].join("\n"), headers: CSV };
}

/** Newest first. */
function daysOf(year: string, today: string): readonly string[] {
  const last = `${year}-12-31` < today ? `${year}-12-31` : today;
  const first = toDayNumber(`${year}-01-02`);
  return Array.from({ length: Math.max(0, toDayNumber(last) - first + 1) }, (_, index) => fromDayNumber(first + index))
    .filter(isWeekday)
    .toReversed();
}

const toUsDate = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`;

function toField(column: string, day: string): string {
  if (column === "1.5 Month" && day < INSERTED) return "";
  return column === "20 Yr" && day === THIN ? "N/A" : yieldOf(column, day).toFixed(2);
}

function yieldOf(column: string, day: string): number {
  const isReal = REAL.includes(column);
  const years = Number.parseFloat(column) / (column.includes("Mo") ? 12 : 1);
  return Math.round((isReal ? 1 : 4) * 100 + years * 2 + 20 * chance(`${column}${day}`)) / 100;
}
