/**
 * SEC statements: statements, metrics, earnings and dividends from what companies report as data.
 *
 * Nothing here knows a price or an estimate: what needs one is absent, unless the question gives the price.
 */
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { computeGrowth, computeKeyMetrics, computeRatios } from "../../../metrics/compute-metrics.ts";
import type { Listing } from "../../../port/listing.ts";
import type { Capabilities, Dividend, Earning, PeriodKind, PeriodRow } from "../../../port/market-data.ts";
import { MarketError } from "../../../port/market-error.ts";
import type { Statements } from "../../../metrics/statement-facts.ts";
import { fetchConcept } from "./company-facts.ts";
import { type CompanyBooks, type StatedRow, statedRows } from "./company-statements.ts";
import { CONCEPT_LINES, DIVIDEND_LINES } from "./concept-lines.ts";
import { fromNumber } from "./day-number.ts";
import { FactTable } from "./fact-table.ts";
import type { FiscalQuarter } from "./fiscal-calendar.ts";
import { type LineValue, quarterValue, reportedValue } from "./line-values.ts";
import type { OpenBooks, SecApi } from "../sec-api.ts";
import { toNote } from "./statement-notes.ts";
import type { Submission } from "../submissions.ts";

type Asked = Readonly<{ listing: Listing; period: PeriodKind; limit: number; what: string }>;

const COMPUTE = { key_metrics: computeKeyMetrics, ratios: computeRatios, growth: computeGrowth } as const;
const NO_ESTIMATES = "diluted EPS by GAAP as filed; the SEC has no estimates";
const NO_EX_DAYS =
  "per share as declared in the fiscal quarter that ends on the day; the SEC has no ex-dividend and payment dates";

/** Companies' figures from the SEC. */
export function secStatements(
  harness: SecApi,
): Pick<Capabilities, "statements" | "metrics" | "earnings" | "dividends"> {
  return {
    statements: async ({ listing, statement, period, limit }, scope) => {
      const open = await harness.booksOf(listing, scope);
      const what = `${period} ${statement.replace("_", " ")} statements`;
      const stated = newest(open, statedRows(open.books, statement, period), { listing, period, limit, what });
      return toAnswer(harness, open, { stated, rows: stated.map(({ row }) => row) });
    },
    metrics: async ({ listing, set, period, limit, price }, scope) => {
      const open = await harness.booksOf(listing, scope);
      const income = statedRows(open.books, "income", period);
      const statements: Statements = {
        income: income.map(({ row }) => row),
        balance: statedRows(open.books, "balance", period).map(({ row }) => row),
        cash: statedRows(open.books, "cash_flow", period).map(({ row }) => row),
        // A price of today says nothing about earlier years.
        priceAt: (day) => (day === income[0]?.row.end ? price : undefined),
      };
      const what = `${period} ${set.replace("_", " ")}`;
      const rows = COMPUTE[set](statements).filter(({ values }) => values.size > 0);
      const shown = newest(open, rows, { listing, period, limit, what });
      const ends = new Set(shown.map(({ end }) => end));
      return toAnswer(harness, open, { stated: income.filter(({ row }) => ends.has(row.end)), rows: shown });
    },
    earnings: async ({ listing, limit }, scope) => {
      const open = await harness.booksOf(listing, scope);
      const filings = await findReports(harness, open, scope);
      const earnings = open.books.calendar.quarters.flatMap((quarter) => toEarning(open.books, quarter, filings));
      if (earnings.length === 0) throw toMissing(open, { listing, period: "quarter", limit, what: "quarterly EPS" });
      const shown = earnings.slice(0, limit);
      const derived = shown.flatMap(({ isDerived, earning }) => (isDerived ? [earning.label ?? earning.day] : []));
      const note =
        derived.length === 0 ? NO_ESTIMATES : `${NO_ESTIMATES}; derived from the year: ${derived.join(", ")}`;
      return harness.sourced(
        shown.map(({ earning }) => earning),
        open.origin,
        { note: [note, open.lag].filter((text) => text !== undefined).join("; "), derivedFrom: derived },
      );
    },
    dividends: (query, scope) => askDividends(harness, query, scope),
  };
}

type Shown = Readonly<{ stated: readonly StatedRow[]; rows: readonly PeriodRow[] }>;

function toAnswer(harness: SecApi, { origin, lag }: OpenBooks, { stated, rows }: Shown) {
  const derivedFrom = [...new Set(stated.flatMap((each) => each.derivedFrom))];
  const filed = stated.map(({ row }) => row.filed ?? row.end).reduce((a, b) => (a > b ? a : b), "");
  return harness.sourced(rows, origin, {
    note: toNote(stated, lag),
    derivedFrom,
    asOf: filed === "" ? undefined : `${filed}T00:00:00Z`,
  });
}

/** The newest rows that were asked for; the last twelve months are one row. */
function newest<Row>(open: OpenBooks, rows: readonly Row[], asked: Asked): readonly Row[] {
  if (rows.length === 0) throw toMissing(open, asked);
  return rows.slice(0, asked.period === "ttm" ? 1 : asked.limit);
}

/** Error that says what there is instead: years, if a company reports only those. */
function toMissing({ books, company }: OpenBooks, { listing: { symbol }, period, what }: Asked): MarketError {
  const years = books.calendar.years.map(({ label }) => label).toReversed();
  const available = period === "annual" || years.length === 0 ? undefined : `annual ${years.join(", ")}`;
  const message = `the filings of ${symbol} (${company.name}) have no ${what}`;
  return new MarketError("no_data", message, { symbol, ...omitUndefined({ available }) });
}

/** The filings, to find the day on which results were reported; without them the day of the report counts. */
async function findReports(harness: SecApi, { company }: OpenBooks, scope: Scope): Promise<readonly Submission[]> {
  try {
    const { recent } = await harness.submissions.of(company.cik, scope);
    return recent.filter(({ form, items = [] }) => form === "8-K" && items.includes("2.02"));
  } catch (error) {
    if (!(error instanceof MarketError) || !scope.live) throw error;
    return [];
  }
}

const lineOf = (name: string) => CONCEPT_LINES.income.filter((line) => line.name === name);

/** One line of a quarter. */
function readLine(books: CompanyBooks, name: string, quarter: FiscalQuarter): LineValue | undefined {
  const [line] = lineOf(name);
  return line === undefined ? undefined : quarterValue(books, line, quarter);
}

function toEarning(books: CompanyBooks, quarter: FiscalQuarter, reports: readonly Submission[]) {
  const eps = readLine(books, "epsDiluted", quarter) ?? readLine(books, "eps", quarter);
  const revenue = readLine(books, "revenue", quarter);
  if (eps === undefined) return [];
  const end = fromNumber(quarter.end);
  // A report of results comes before the report of the quarter, and after its end.
  const told = reports.map(({ filed }) => filed).filter((filed) => filed > end && filed <= eps.firstFiled);
  const day = told.toSorted()[0] ?? eps.firstFiled;
  const earning: Earning = {
    day,
    end,
    label: quarter.label,
    epsActual: eps.value,
    currency: books.table.currency,
    ...omitUndefined({ revenueActual: revenue?.value }),
  };
  return [{ earning, isDerived: eps.isDerived }];
}

/** Dividends by quarter, or by year if a company reports only those. */
async function askDividends(harness: SecApi, query: Readonly<{ listing: Listing; from: string }>, scope: Scope) {
  const { listing, from } = query;
  const { books, company } = await harness.booksOf(listing, scope);
  const concept = "us-gaap:CommonStockDividendsPerShareDeclared";
  const facts = await fetchConcept({ client: harness.client, concept }, company.cik, scope);
  const declared: CompanyBooks = { ...books, table: new FactTable(facts, books.table.currency) };
  const quarters = books.calendar.quarters.flatMap((quarter) =>
    DIVIDEND_LINES.flatMap((line) => toDividend(declared, quarter, quarterValue(declared, line, quarter))),
  );
  const years = books.calendar.years.flatMap((year) =>
    DIVIDEND_LINES.flatMap((line) => toDividend(declared, year, reportedValue(declared, line, year))),
  );
  const all = quarters.length === 0 ? years : quarters;
  const { symbol } = listing;
  if (all.length === 0) {
    throw new MarketError("no_data", `the filings of ${symbol} (${company.name}) declare no dividends`, { symbol });
  }
  const shown = all.filter(({ dividend }) => dividend.day >= from);
  const derived = shown.flatMap(({ isDerived, label }) => (isDerived ? [label] : []));
  const note = derived.length === 0 ? NO_EX_DAYS : `${NO_EX_DAYS}; derived from the year: ${derived.join(", ")}`;
  const { url, fetchedAt } = facts;
  return harness.sourced(
    shown.map(({ dividend }) => dividend),
    { url, fetchedAt },
    { note, derivedFrom: derived },
  );
}

function toDividend(
  { table }: CompanyBooks,
  { label, end }: Readonly<{ label: string; end: number }>,
  value: LineValue | undefined,
) {
  if (value === undefined || value.value <= 0) return [];
  const dividend: Dividend = { day: fromNumber(end), amount: value.value, currency: table.currency };
  return [{ dividend, label, isDerived: value.isDerived }];
}
