/**
 * Clean statements: from the rows of the source, those that add up, under the names of the statements, each with the
 * first and last day of its year. A zero is kept only if the sums prove it; else it may mean "not given".
 */
import { readPairs } from "../tables.ts";
import { toCanonical } from "./clean-snapshot.ts";
import { addMonths, toDay, toDayNumber } from "./days.ts";

/** One year of one company. */
export interface PackStatementYear {
  readonly symbol: string;
  readonly fiscalYear: number;
  /** Days since 1970. */
  readonly start: number;
  readonly end: number;
  /** By `income.revenue`, `balance.totalAssets` …; an unknown value is absent. */
  readonly values: ReadonlyMap<string, number>;
}

/** The years that were kept, and the number of dropped rows by reason. */
export interface CleanStatements {
  readonly years: readonly PackStatementYear[];
  readonly dropped: Readonly<Record<string, number>>;
}

type Row = ReadonlyMap<string, unknown>;
interface Dated {
  readonly row: Row;
  readonly symbol: string;
  readonly end: number;
}

/**
 * Values that are a sum of parts: if the sum is exact, a part that is 0 is known to be 0. Expenses are not among them:
 * the source adds interest or research to another line and writes 0.
 */
const SUMS: readonly Readonly<{ total: string; plus: readonly string[]; minus: readonly string[] }>[] = [
  {
    total: "Total Current Assets",
    plus: [
      "Cash and Cash Equivalents",
      "Short-Term Investments",
      "Net Receivables",
      "Inventory",
      "Other Current Assets",
    ],
    minus: [],
  },
  {
    total: "Total Assets",
    plus: [
      "Total Current Assets",
      "Long-Term Investments",
      "Fixed Assets",
      "Goodwill",
      "Intangible Assets",
      "Other Assets",
      "Deferred Asset Charges",
    ],
    minus: [],
  },
  {
    total: "Total Current Liabilities",
    plus: ["Accounts Payable", "Short-Term Debt / Current Portion of Long-Term Debt", "Other Current Liabilities"],
    minus: [],
  },
  {
    total: "Total Liabilities",
    plus: [
      "Total Current Liabilities",
      "Long-Term Debt",
      "Other Liabilities",
      "Deferred Liability Charges",
      "Minority Interest",
      "Misc. Stocks",
    ],
    minus: [],
  },
  {
    total: "Total Equity",
    plus: ["Common Stocks", "Capital Surplus", "Retained Earnings", "Treasury Stock", "Other Equity"],
    minus: [],
  },
  {
    total: "Net Cash Flow-Operating",
    plus: [
      "Net Income",
      "Depreciation",
      "Net Income Adjustments",
      "Accounts Receivable",
      "Changes in Inventories",
      "Other Operating Activities",
      "Liabilities",
    ],
    minus: [],
  },
  {
    total: "Net Cash Flows-Investing",
    plus: ["Capital Expenditures", "Investments", "Other Investing Activities"],
    minus: [],
  },
  {
    total: "Net Cash Flow",
    plus: [
      "Net Cash Flow-Operating",
      "Net Cash Flows-Investing",
      "Net Cash Flows-Financing",
      "Effect of Exchange Rate",
    ],
    minus: [],
  },
  { total: "Gross Profit", plus: ["Total Revenue"], minus: ["Cost of Revenue"] },
];

/**
 * The name of each kept column. Left out: percentages (stored without their sign, in whole percent), estimated shares
 * (net income divided by EPS), and what has no name of its own in the statements.
 */
const NAMES = readPairs("pack-statement-columns");

/** The names that a year's values can have. */
export const STATEMENT_NAMES: readonly string[] = [...NAMES.keys(), "income.eps"];

/** A company whose rows are another company's. */
const FOREIGN_ROWS: ReadonlySet<string> = new Set(["PG"]);

/** Companies that have changed their symbol since, under the one they have on the snapshot's day. */
const RENAMED = readPairs("pack-renamed");
const YEARS = { first: 2012, last: 2016 } as const;

/** Cleans the text of the source's module. */
export function cleanStatements(text: string): CleanStatements {
  const dropped = { another_company: 0, does_not_add_up: 0, outside_fiscal_2012_to_2016: 0 };
  const bySymbol = Map.groupBy(parseRows(text), ({ symbol }) => symbol);
  const years: PackStatementYear[] = [];
  for (const [symbol, unordered] of [...bySymbol].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const rows = unordered.toSorted((a, b) => a.end - b.end);
    if (FOREIGN_ROWS.has(symbol)) {
      dropped.another_company += rows.length;
      continue;
    }
    const good = rows.filter(({ row }) => addsUp(row));
    dropped.does_not_add_up += rows.length - good.length;
    const offset = yearOffset(rows);
    const trusted = trustedEps(good);
    for (const dated of good) {
      const fiscalYear = yearOf(dated.end) + offset;
      if (fiscalYear < YEARS.first || fiscalYear > YEARS.last) dropped.outside_fiscal_2012_to_2016 += 1;
      else years.push(toYear(dated, { fiscalYear, start: startOf(dated, rows), eps: trusted.get(dated) }));
    }
  }
  return { years, dropped };
}

/** The module is data in the shape of JSON: one row a line. */
function parseRows(text: string): readonly Dated[] {
  const head = text.slice(text.indexOf("["), text.indexOf("].map("));
  const names: unknown = JSON.parse(`${head.trimEnd().slice(0, -1)}]`);
  if (!Array.isArray(names)) throw new TypeError("the statements have no list of columns");
  return text
    .split("\n")
    .filter((line) => line.startsWith("  [") && line.includes('"'))
    .map((line) => {
      const values: unknown = JSON.parse(line.trim().replace(/,$/, ""));
      if (!Array.isArray(values)) throw new TypeError("a row of the statements is not a list");
      const row = new Map(names.map((name: unknown, index): [string, unknown] => [String(name), values[index]]));
      const end = toDayNumber(String(row.get("Period Ending")));
      if (Number.isNaN(end)) throw new TypeError(`not a day: ${String(row.get("Period Ending"))}`);
      return { row, symbol: toSymbol(String(row.get("Ticker Symbol"))), end };
    });
}

const toSymbol = (symbol: string): string => RENAMED.get(symbol) ?? toCanonical(symbol);

const amount = (row: Row, name: string): number => {
  const value = row.get(name);
  return typeof value === "number" ? value : Number.NaN;
};

const isExact = (row: Row, { total, plus, minus }: (typeof SUMS)[number]): boolean => {
  const sum = (names: readonly string[]) => names.reduce((result, name) => result + amount(row, name), 0);
  return sum(plus) - sum(minus) === amount(row, total);
};

/** Gross profit, balance sheet and cash flow add up to the dollar. */
function addsUp(row: Row): boolean {
  const both = amount(row, "Total Liabilities & Equity");
  return (
    amount(row, "Total Revenue") - amount(row, "Cost of Revenue") === amount(row, "Gross Profit") &&
    amount(row, "Total Assets") === both &&
    amount(row, "Total Liabilities") + amount(row, "Total Equity") === both &&
    SUMS.some((sum) => sum.total === "Net Cash Flow" && isExact(row, sum))
  );
}

function toYear(
  { row, symbol, end }: Dated,
  { fiscalYear, start, eps }: { fiscalYear: number; start: number; eps: number | undefined },
): PackStatementYear {
  const proven = new Set(SUMS.filter((sum) => isExact(row, sum)).flatMap((sum) => [...sum.plus, ...sum.minus]));
  const values = new Map<string, number>();
  for (const [name, column] of NAMES) {
    const value = amount(row, column);
    const isTotal = SUMS.some(({ total }) => total === column);
    if (!Number.isNaN(value) && (value !== 0 || (proven.has(column) && !isTotal))) values.set(name, value);
  }
  if (eps !== undefined) values.set("income.eps", eps);
  return { symbol, fiscalYear, start, end, values };
}

/** The calendar year a year ends in; one that ends in the first week of January belongs to the year before. */
const yearOf = (end: number): number => Number(toDay(end - 7).slice(0, 4));

/**
 * Returns 0 if the company names a year after the calendar year it ends in, -1 if after the one before. The majority of
 * its rows decides.
 */
function yearOffset(rows: readonly Dated[]): number {
  const differences = rows.map(({ row, end }) => amount(row, "For Year") - yearOf(end));
  const count = (wanted: number) => differences.filter((difference) => difference === wanted).length;
  return count(-1) > count(0) ? -1 : 0;
}

/**
 * EPS of the source is at times one quarter's. It is kept only in a run of three or more years whose implied number of
 * shares changes by at most 12 % a year; a split therefore ends a run.
 */
function trustedEps(rows: readonly Dated[]): ReadonlyMap<Dated, number> {
  const runs: Dated[][] = [];
  let before = Number.NaN;
  for (const dated of rows) {
    const shares = amount(dated.row, "Estimated Shares Outstanding");
    const known = shares > 0 && Number.isFinite(amount(dated.row, "Earnings Per Share"));
    if (known && Math.abs(shares / before - 1) <= 0.12) runs.at(-1)?.push(dated);
    else if (known) runs.push([dated]);
    before = known ? shares : Number.NaN;
  }
  const kept = runs.filter((run) => run.length >= 3).flat();
  return new Map(kept.map((dated) => [dated, amount(dated.row, "Earnings Per Share")]));
}

/** The day after the year before ended. If that is not known: a year of months, or of 52 or 53 weeks. */
function startOf({ end }: Dated, rows: readonly Dated[]): number {
  const before = rows.find((other) => end - other.end >= 350 && end - other.end <= 380);
  if (before !== undefined) return before.end + 1;
  const isMonthEnd = (day: number) => toDay(day + 1).endsWith("-01");
  if (rows.every((other) => isMonthEnd(other.end))) return addMonths(end + 1, -12);
  const near = (candidate: number) => rows.filter((other) => isNear(candidate, other.end)).length;
  return near(end - 364) >= near(end - 371) ? end - 363 : end - 370;
}

/** A year of weeks ends within one week of the year, always the same. */
function isNear(candidate: number, end: number): boolean {
  const years = Math.round((end - candidate) / 365.25);
  return Math.abs(addMonths(candidate, 12 * years) - end) <= 6;
}
