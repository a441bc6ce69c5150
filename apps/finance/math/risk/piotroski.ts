/**
 * Piotroski F: nine tests of a company's year against the year before, one point each.
 *
 * Ratios are to the assets at the end of each year. A test whose values are missing is not failed: it is left out, and
 * the result says so.
 */
import {
  combine,
  finite,
  grossProfit,
  named,
  netIncome,
  none,
  operatingCashFlow,
  revenue,
  type CompanyMetric,
  type Values,
} from "./company.ts";

/** One test; without `passed` if it could not be computed, and then with what is missing of either year. */
export type PiotroskiTest = Readonly<{
  name: string;
  passed?: boolean;
  missing: readonly string[];
  reason?: string;
}>;

/** Points of the tests that could be computed, and how many of the nine those are; the score says little below 9. */
export type Piotroski = Readonly<{ score: number; computed: number; tests: readonly PiotroskiTest[] }>;

/** Positive if the test is passed. */
type Margin = (current: Values, previous: Values) => CompanyMetric;

const TESTS: ReadonlyMap<string, Margin> = new Map<string, Margin>([
  ["net income is positive", netIncome],
  ["operating cash flow is positive", operatingCashFlow],
  ["return on assets rose", rise((values) => ratio(netIncome(values), named(values, "totalAssets")))],
  ["operating cash flow exceeds net income", (current) => difference(operatingCashFlow(current), netIncome(current))],
  [
    "long-term debt fell relative to assets",
    fall((values) => ratio(named(values, "longTermDebt"), named(values, "totalAssets"))),
  ],
  [
    "current ratio rose",
    rise((values) => ratio(named(values, "totalCurrentAssets"), named(values, "totalCurrentLiabilities"))),
  ],
  ["no new shares were issued", (current, previous) => notMore(shares(current), shares(previous))],
  ["gross margin rose", rise((values) => ratio(grossProfit(values), revenue(values)))],
  ["asset turnover rose", rise((values) => ratio(revenue(values), named(values, "totalAssets")))],
]);

/** Piotroski's F score of one fiscal year, given the statements of that year and of the year before. */
export function piotroski(current: Values, previous: Values): Piotroski {
  const tests = [...TESTS].map(([name, measure]) => toTest(name, measure(current, previous)));
  const computed = tests.filter(({ passed }) => passed !== undefined);
  return { score: computed.filter(({ passed }) => passed).length, computed: computed.length, tests };
}

function toTest(name: string, measured: CompanyMetric): PiotroskiTest {
  if (measured.value !== undefined) return { name, passed: measured.value > 0, missing: [] };
  return { name, missing: measured.missing, reason: measured.reason };
}

function rise(measure: (values: Values) => CompanyMetric): Margin {
  return (current, previous) => difference(measure(current), measure(previous));
}

function fall(measure: (values: Values) => CompanyMetric): Margin {
  return (current, previous) => difference(measure(previous), measure(current));
}

function difference(one: CompanyMetric, other: CompanyMetric): CompanyMetric {
  return combine([one, other], ([first = 0, second = 0]) => finite(first - second));
}

/** 1 if there are as many as before or fewer, else 0. */
function notMore(now: CompanyMetric, before: CompanyMetric): CompanyMetric {
  return combine([now, before], ([current = 0, previous = 0]) => ({ value: current <= previous ? 1 : 0 }));
}

function ratio(part: CompanyMetric, whole: CompanyMetric): CompanyMetric {
  return combine([part, whole], ([numerator = 0, denominator = 0]) =>
    denominator > 0 ? finite(numerator / denominator) : none(`a ratio to ${denominator} is not defined`),
  );
}

function shares(values: Values): CompanyMetric {
  return named(values, values.has("weightedAverageShsOut") ? "weightedAverageShsOut" : "weightedAverageShsOutDil");
}
