/**
 * Compare cell: one metric of one company, from its annual statements, its market capitalisation and its prices.
 *
 * What cannot be computed says why. A market capitalisation is used only with statements of about its own time.
 */
import type { Period, Unit } from "@baton/assistant";
import type { PeriodRow, Quote } from "../../market/port/market-data.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { altmanZ } from "../../math/risk/altman.ts";
import {
  cagr,
  evToEbitda,
  fcfYield,
  growth,
  margin,
  type MarginOf,
  mergeStatements,
  type CompanyMetric,
  named,
  type Values,
} from "../../math/risk/company.ts";
import { METRICS } from "../../market/metrics/metrics.ts";
import { annualVolatility, sharpe } from "../../math/risk/risk.ts";
import { maxDrawdown } from "../../math/risk/drawdown.ts";
import { piotroski } from "../../math/risk/piotroski.ts";
import { MIN_RETURNS, type Returns } from "../../math/risk/returns.ts";
import { dayOf } from "../shared/figures.ts";
import { percentOf, tidy } from "../shared/number.ts";
import { toDay } from "../shared/daily.ts";
import type { MarketBeta } from "../risk/market-beta.ts";

/** Data about one company; each part has its source or the reason why it is missing. */
export interface ComparedCompany {
  readonly currency: string;
  readonly statements?: CellPart<readonly FiscalYear[]>;
  readonly quote?: CellPart<Quote>;
  readonly returns?: CellPart<Returns>;
  /** Rows of ratios and of key metrics, newest first. */
  readonly ratios?: CellPart<readonly PeriodRow[]>;
  readonly key_metrics?: CellPart<readonly PeriodRow[]>;
  /** Days a year of its prices. */
  readonly daysPerYear: number;
  readonly beta?: MarketBeta;
}

/** Parts of a company that metrics need. */
export type CompanyPart = "statements" | "quote" | "returns" | "ratios" | "key_metrics" | "beta";

/** A part of what is known. */
export type CellPart<T> = Sourced<T> | Readonly<{ reason: string }>;

/** The three statements of one fiscal year as one, newest first in a list. */
export interface FiscalYear {
  readonly row: Pick<PeriodRow, "label" | "start" | "end" | "currency">;
  readonly values: Values;
}

/** A value of the table, or why there is none. */
export type Cell =
  | Readonly<{ value: number; period: Period; provenance: Provenance; note?: string }>
  | Readonly<{ reason: string }>;

/** Inputs and computation of a metric. */
export interface CompareMetric {
  readonly label: string;
  readonly unit: Unit;
  readonly needs: readonly CompanyPart[];
  readonly compute: (company: ComparedCompany) => Cell;
}

/** The years one after the other, joined from three statements. */
export function toYears(
  parts: Readonly<Record<"income" | "balance" | "cashFlow", readonly PeriodRow[]>>,
): readonly FiscalYear[] {
  const newest = parts.income.toSorted((one, other) => (one.end < other.end ? 1 : -1));
  const at = (rows: readonly PeriodRow[], end: string) => rows.find((row) => row.end === end)?.values;
  return newest.map((row) => {
    const balance = at(parts.balance, row.end);
    const cashFlow = at(parts.cashFlow, row.end);
    const { label, start, end, currency } = row;
    return {
      row: { label, end, currency, ...(start === undefined ? {} : { start }) },
      values: mergeStatements({ income: row.values, ...(balance && { balance }), ...(cashFlow && { cashFlow }) }),
    };
  });
}

const DAY_MS = 86_400_000;
/** A company reports within a few months and is worth what it is until the next report. */
const MAX_CAP_AGE_DAYS = 550;

function fromYears(company: ComparedCompany, compute: (years: readonly FiscalYear[]) => Computed): Cell {
  const part = company.statements;
  if (part === undefined || "reason" in part) return { reason: part?.reason ?? "no annual statements" };
  const [latest] = part.data;
  if (latest === undefined) return { reason: "no annual statements" };
  const { metric, period = latest.row, note, scale = 1 } = compute(part.data);
  if (metric.value === undefined) return { reason: metric.reason };
  const { start, end, label } = period;
  const shown = { end, ...(start === undefined ? {} : { start }), ...(label === undefined ? {} : { label }) };
  const value = tidy(metric.value * scale);
  return { value, period: shown, provenance: part.provenance, ...(note === undefined ? {} : { note }) };
}

type Computed = Readonly<{
  metric: CompanyMetric;
  period?: Readonly<{ start?: string; end: string; label?: string }>;
  note?: string;
  /** 100 makes percent of a fraction. */
  scale?: number;
}>;

const lacking = (reason: string): Computed => ({ metric: { missing: [], reason } });

const marginOf = (of: MarginOf, label: string): CompareMetric => ({
  label,
  unit: "percent",
  needs: ["statements"],
  compute: (company) =>
    fromYears(company, ([latest]) => ({ metric: margin(latest?.values ?? new Map(), of), scale: 100 })),
});

/** Growth on the year before. */
const growthOf = (name: string, label: string): CompareMetric => ({
  label,
  unit: "percent",
  needs: ["statements"],
  compute: (company) =>
    fromYears(company, ([latest, before]) => {
      if (latest === undefined || before === undefined) return lacking("only one fiscal year is known");
      const [now, then] = [named(latest.values, name), named(before.values, name)];
      if (now.value === undefined) return { metric: now };
      return then.value === undefined ? { metric: then } : { metric: growth(now.value, then.value), scale: 100 };
    }),
});

/** Compound growth over all the years that are known. */
const cagrOf = (name: string, label: string): CompareMetric => ({
  label,
  unit: "percent",
  needs: ["statements"],
  compute: (company) =>
    fromYears(company, (years) => {
      const known = years.filter(({ values }) => named(values, name).value !== undefined);
      const [latest, first] = [known[0], known.at(-1)];
      if (latest === undefined || first === undefined || latest === first)
        return lacking("fewer than two fiscal years are known");
      const span = (Date.parse(latest.row.end) - Date.parse(first.row.end)) / DAY_MS / 365.25;
      const [from, to] = [first.values.get(name) ?? 0, latest.values.get(name) ?? 0];
      const period = { start: first.row.end, end: latest.row.end, label: `${first.row.label} to ${latest.row.label}` };
      return { metric: cagr(from, to, Math.round(span)), period, scale: 100 };
    }),
});

/** A metric of the latest year and of what the company is worth. */
const valued = (label: string, unit: Unit, compute: (values: Values, cap: number) => CompanyMetric): CompareMetric => ({
  label,
  unit,
  needs: ["statements", "quote"],
  compute: (company) =>
    fromYears(company, ([latest]) => {
      const cap = capOf(company, latest);
      if (latest === undefined || "reason" in cap)
        return lacking("reason" in cap ? cap.reason : "no annual statements");
      return { metric: compute(latest.values, cap.value), scale: unit === "percent" ? 100 : 1, note: cap.note };
    }),
});

type Cap = Readonly<{ value: number; note: string }> | Readonly<{ reason: string }>;

function capOf({ quote, currency }: ComparedCompany, latest: FiscalYear | undefined): Cap {
  if (quote === undefined || "reason" in quote) return { reason: quote?.reason ?? "the market cap is not known" };
  const { marketCap } = quote.data;
  if (marketCap === undefined || latest === undefined) return { reason: "the market cap is not known" };
  if (latest.row.currency !== currency)
    return { reason: `statements are in ${latest.row.currency}, the market cap is in ${currency}` };
  const { end } = dayOf(quote.provenance);
  const ageDays = (Date.parse(end) - Date.parse(latest.row.end)) / DAY_MS;
  const isNear = ageDays >= 0 && ageDays <= MAX_CAP_AGE_DAYS;
  if (!isNear) return { reason: `the market cap is of ${end}, the latest statement of ${latest.row.end}` };
  return { value: marketCap, note: `market cap of ${end}` };
}

/** A number of ratios or key metrics of the latest year. */
const listed = (set: "ratios" | "key_metrics", field: string, label: string): CompareMetric => ({
  label,
  unit: METRICS[set].get(field)?.unit ?? "ratio",
  needs: [set],
  compute: (company) => {
    const part = company[set];
    if (part === undefined || "reason" in part) return { reason: part?.reason ?? "no annual statements" };
    const row = part.data.find(({ values }) => values.has(field));
    const value = row?.values.get(field);
    if (row === undefined || value === undefined)
      return { reason: `${label} cannot be computed from what is reported` };
    const { start, end, label: name } = row;
    const period = { end, label: name, ...(start === undefined ? {} : { start }) };
    // Of two layers of data, the row says which one it is of.
    const own = row.origin === undefined ? {} : { kind: row.origin.kind, as_of: row.origin.asOf };
    return { value: tidy(value), period, provenance: { ...part.provenance, ...own } };
  },
});

/** The first of two metrics that has a value. */
const either = (first: CompareMetric, second: CompareMetric): CompareMetric => ({
  ...first,
  needs: [...first.needs, ...second.needs],
  compute: (company) => {
    const cell = first.compute(company);
    const other = "reason" in cell ? second.compute(company) : cell;
    return "reason" in other ? cell : other;
  },
});

/** A figure of daily returns. */
const ofReturns = (
  label: string,
  unit: Unit,
  compute: (values: Float64Array, company: ComparedCompany) => number | undefined,
): CompareMetric => ({
  label,
  unit,
  needs: ["returns"],
  compute: (company) => {
    const { returns } = company;
    if (returns === undefined || "reason" in returns) return { reason: returns?.reason ?? "no daily prices" };
    if (!returns.data.enough)
      return { reason: `${returns.data.count} daily returns; at least ${MIN_RETURNS} are needed` };
    const { values, t } = returns.data;
    const value = compute(values, company);
    if (value === undefined) return { reason: "the price never changed" };
    return {
      value: tidy(value),
      period: { start: toDay(t[0] ?? 0), end: toDay(t.at(-1) ?? 0) },
      provenance: returns.provenance,
    };
  },
});

/** The rate above which a return counts, if no source is asked. */
const RISK_FREE = 0.045;

const betaToMarket: CompareMetric = {
  label: "beta to the market's index",
  unit: "ratio",
  needs: ["returns", "beta"],
  compute: ({ beta, returns }) => {
    if (returns === undefined || "reason" in returns) return { reason: returns?.reason ?? "no daily prices" };
    if (beta === undefined || "reason" in beta) return { reason: beta?.reason ?? "no daily prices of ^GSPC" };
    const note = `of ${beta.returns} daily returns on common days`;
    return { value: beta.value, period: beta.window, provenance: returns.provenance, note };
  },
};

/** A number of the quote. */
const quoted = (
  field: "pe" | "eps" | "marketCap" | "dividendYieldPercent" | "beta",
  label: string,
  unit: Unit,
): CompareMetric => ({
  label,
  unit,
  needs: ["quote"],
  compute: ({ quote }) => {
    if (quote === undefined || "reason" in quote) return { reason: quote?.reason ?? "no quote" };
    const value = quote.data[field];
    if (value === undefined) return { reason: `${label} is not known` };
    return { value, period: dayOf(quote.provenance), provenance: quote.provenance };
  },
});

const piotroskiScore: CompareMetric = {
  label: "Piotroski F score",
  unit: "points",
  needs: ["statements"],
  compute: (company) =>
    fromYears(company, ([latest, before]) => {
      if (latest === undefined || before === undefined) return lacking("it needs two fiscal years");
      const { score, computed } = piotroski(latest.values, before.values);
      if (computed === 0) return lacking("none of its nine tests can be computed");
      return { metric: { value: score }, note: `${computed} of 9 tests computed` };
    }),
};

const drawdown: CompareMetric = {
  label: "maximum drawdown",
  unit: "percent",
  needs: ["returns"],
  compute: ({ returns }) => {
    if (returns === undefined || "reason" in returns) return { reason: returns?.reason ?? "no daily prices" };
    if (!returns.data.enough)
      return { reason: `${returns.data.count} daily returns; at least ${MIN_RETURNS} are needed` };
    const { closes, t } = returns.data;
    const period = { start: toDay(t[0] ?? 0), end: toDay(t.at(-1) ?? 0) };
    return { value: percentOf(maxDrawdown(closes).value), period, provenance: returns.provenance };
  },
};

/** Every metric that companies are compared by, but correlation, which belongs to pairs. */
export const COMPARE_METRICS: ReadonlyMap<string, CompareMetric> = new Map([
  ["revenue_growth", growthOf("revenue", "revenue growth")],
  ["net_income_growth", growthOf("netIncome", "net income growth")],
  ["eps_growth", growthOf("eps", "EPS growth")],
  ["revenue_cagr", cagrOf("revenue", "revenue CAGR")],
  ["net_income_cagr", cagrOf("netIncome", "net income CAGR")],
  ["gross_margin", marginOf("gross", "gross margin")],
  ["operating_margin", marginOf("operating", "operating margin")],
  ["net_margin", marginOf("net", "net margin")],
  ["ebitda_margin", marginOf("ebitda", "EBITDA margin")],
  ["fcf_margin", marginOf("fcf", "free cash flow margin")],
  ["ev_to_ebitda", valued("EV/EBITDA", "ratio", evToEbitda)],
  ["fcf_yield", valued("FCF yield", "percent", fcfYield)],
  ["piotroski", piotroskiScore],
  ["altman_z", valued("Altman Z", "ratio", altmanZ)],
  ["drawdown", drawdown],
  [
    "volatility",
    ofReturns("annual volatility", "percent", (values, { daysPerYear }) => 100 * annualVolatility(values, daysPerYear)),
  ],
  [
    "sharpe",
    ofReturns(`Sharpe ratio over ${RISK_FREE * 100} %`, "ratio", (values, { daysPerYear }) =>
      sharpe(values, { riskFreeRate: RISK_FREE, daysPerYear }),
    ),
  ],
  ["beta", either(betaToMarket, quoted("beta", "beta", "ratio"))],
  ["pe", either(quoted("pe", "P/E", "ratio"), listed("ratios", "priceToEarningsRatio", "P/E"))],
  ["eps", either(quoted("eps", "EPS", "money/share"), listed("ratios", "netIncomePerShare", "EPS"))],
  ["pb", listed("ratios", "priceToBookRatio", "P/B")],
  ["ps", listed("ratios", "priceToSalesRatio", "P/S")],
  ["payout", listed("ratios", "dividendPayoutRatio", "payout ratio")],
  ["debt_to_equity", listed("ratios", "debtToEquityRatio", "debt/equity")],
  ["roe", listed("key_metrics", "returnOnEquity", "ROE")],
  ["roic", listed("key_metrics", "returnOnInvestedCapital", "ROIC")],
  ["market_cap", quoted("marketCap", "market cap", "money")],
  ["dividend_yield", quoted("dividendYieldPercent", "dividend yield", "percent")],
]);
