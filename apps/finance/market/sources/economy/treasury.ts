/**
 * Treasury: the par yield curve of US government bonds and the curve of real yields, from the department's CSV files.
 *
 * Columns are read by their names, because new maturities are inserted between old ones; blank and N/A are absent.
 */
import type { Scope } from "@baton/core/ports";
import type { Day, Rate } from "../../port/market-data.ts";
import { MarketError } from "../../port/market-error.ts";
import { parseDelimited } from "../../pack/delimited.ts";
import { easternDay, fromEastern, toDay } from "../eastern.ts";
import type { HttpSource, HttpAnswer } from "../http/http-source.ts";
import { openHost } from "../hosts.ts";
import { type LiveSource, toSourced } from "../live-source.ts";
import { joinNotes, judgeStatus, type OpenSourceOptions } from "../open-source.ts";
import type { DayWindow } from "./periods.ts";

/** The department's name of each curve, and the first year that has it. */
const CURVES: ReadonlyMap<string, Readonly<{ type: string; since: number }>> = new Map([
  ["treasury_curve", { type: "daily_treasury_yield_curve", since: 1990 }],
  ["real_curve", { type: "daily_treasury_real_yield_curve", since: 2003 }],
]);

const PATH = "/resource-center/data-chart-center/interest-rates/daily-treasury-rates.csv";
const MAX_YEARS = 10;
const MATURITY = /^(\d{1,2}(?:\.\d)?) ?(mo|month|months|yr|year|years)$/;
const US_DATE = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;
const PERCENT = /^-?\d{1,3}(?:\.\d{1,6})?$/;

/** The source of the curves; a rate is named by its maturity: `1.5M`, `10Y`. */
export function treasurySource(options: OpenSourceOptions = {}): LiveSource {
  const http = openHost("treasury", options, {
    // A year without any day yet has no file.
    judge: (answer, _request, now) =>
      answer.status === 404 ? { kind: "ok" } : judgeStatus("The Treasury", answer, now),
  });
  return {
    name: "treasury",
    stats: (now) => http.stats(now),
    rates: async ({ series, from, to }, scope) => {
      const curve = CURVES.get(series);
      if (curve === undefined) throw noSeries(series);
      const years = toYears({ from, to, since: curve.since }, scope.clock.now());
      const read = (year: number) => readYear(http, { year, type: curve.type }, scope);
      const { rates, origin } = await readYears(years, read);
      const within = rates.filter(({ day }) => (from === undefined || day >= from) && (to === undefined || day <= to));
      const newest = within.at(-1)?.day;
      if (newest === undefined || origin === undefined) throw noDays(series, { from, to });
      const data = from === undefined ? within.filter(({ day }) => day === newest) : within;
      const note = joinNotes(
        series === "real_curve" ? "par real yields (TIPS), in percent" : "par yields, in percent",
        years.isCut ? `the newest ${MAX_YEARS} years of the window` : undefined,
      );
      return toSourced(data, origin, { source: "treasury", kind: "live", asOf: toQuoteTime(newest), note });
    },
  };
}

type Years = Readonly<{ newestFirst: readonly number[]; isCut: boolean; wantsNewestOnly: boolean }>;
type Wanted = DayWindow & Readonly<{ since: number }>;

/** The years to ask for: all of the window, or the last one and, should it be empty, the one before. */
function toYears({ from, to, since }: Wanted, now: number): Years {
  const last = Number((to ?? easternDay(now)).slice(0, 4));
  const end = Math.min(last, Number(easternDay(now).slice(0, 4)));
  const start = Math.max(from === undefined ? end - 1 : Number(from.slice(0, 4)), since);
  const all = Array.from({ length: Math.max(0, end - start + 1) }, (_, index) => end - index);
  return {
    newestFirst: all.slice(0, MAX_YEARS),
    isCut: all.length > MAX_YEARS,
    wantsNewestOnly: from === undefined && to === undefined,
  };
}

type Read = Readonly<{ rates: readonly Rate[]; origin: HttpAnswer }>;

/** Oldest first. */
async function readYears({ newestFirst, wantsNewestOnly }: Years, read: (year: number) => Promise<Read>) {
  const parts: Read[] = [];
  for (const year of newestFirst) {
    const part = await read(year);
    if (part.rates.length > 0) parts.unshift(part);
    if (wantsNewestOnly && parts.length > 0) break;
  }
  return { rates: parts.flatMap(({ rates }) => rates), origin: parts.at(-1)?.origin };
}

async function readYear(http: HttpSource, file: Readonly<{ year: number; type: string }>, scope: Scope): Promise<Read> {
  const query = { type: file.type, field_tdr_date_value: file.year, page: "", _format: "csv" };
  const path = `${PATH}/${file.year}/all`;
  const origin = await http.ask({ path, query, accepts: ["csv", "text"] }, scope);
  return { rates: origin.status === 404 ? [] : parseCurve(origin.text), origin };
}

/** Oldest day first, short maturities before long ones. */
export function parseCurve(text: string): readonly Rate[] {
  const rows = parseRows(text);
  const maturities = [...(rows[0]?.keys() ?? [])]
    .flatMap(toMaturity)
    .toSorted((one, other) => one.months - other.months);
  const rates = rows.flatMap((row) => {
    const day = fromUsDate(row.get("date") ?? "");
    if (day === undefined) return [];
    return maturities.flatMap(({ column, name }): readonly Rate[] => {
      const field = (row.get(column) ?? "").trim();
      return PERCENT.test(field) ? [{ day, name, percent: Number(field) }] : [];
    });
  });
  if (rows.length > 0 && rates.length === 0) throw unexpected();
  return rates.toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)));
}

function parseRows(text: string): readonly ReadonlyMap<string, string>[] {
  const [head = ""] = text.split("\n", 1);
  if (!head.toLowerCase().includes("date")) throw unexpected();
  try {
    return parseDelimited(text, ",");
  } catch {
    throw unexpected();
  }
}

/** `1.5 Month` is 1.5M and `10 YR` is 10Y; a column that is not a maturity is skipped. */
function toMaturity(column: string): readonly Readonly<{ column: string; name: string; months: number }>[] {
  const match = MATURITY.exec(column);
  if (match === null) return [];
  const [, count = "", unit = ""] = match;
  const isMonths = unit.startsWith("mo");
  return [{ column, name: `${count}${isMonths ? "M" : "Y"}`, months: Number(count) * (isMonths ? 1 : 12) }];
}

/** `MM/DD/YYYY` as a day; undefined if there is no such day. */
function fromUsDate(text: string): Day | undefined {
  const [, month = "", day = "", year = ""] = US_DATE.exec(text.trim()) ?? [];
  return toDay(`${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`);
}

/** The curve is made of quotes at about 15:30 in New York. */
const toQuoteTime = (day: Day): number | undefined => fromEastern(`${day} 15:30:00`);

const unexpected = () => new MarketError("upstream", "The Treasury answered in an unexpected shape");

function noSeries(series: string): MarketError {
  const available = [...CURVES.keys()].join(", ");
  return new MarketError("no_data", `the Treasury has no rates called ${JSON.stringify(series.slice(0, 60))}`, {
    available,
    isOutside: true,
  });
}

function noDays(series: string, { from, to }: DayWindow): MarketError {
  const window = from === undefined ? `up to ${to ?? "now"}` : `from ${from} to ${to ?? "now"}`;
  return new MarketError("no_data", `the Treasury has no ${series} ${window}`);
}
