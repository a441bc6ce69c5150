/**
 * Screen: applies the criteria of a screener to rows, sorts them, and keeps one row a company.
 */
import { parseCompanyName } from "../directory/company-name.ts";
import type { MarketRow, ScreenerAnswer, ScreenerCriterion, ScreenerQuery, ScreenerSort } from "./market-data.ts";

/** Criteria on a number of a row. */
const BOUNDS: readonly (readonly [ScreenerCriterion, (row: MarketRow) => number | undefined, "more" | "lower"])[] = [
  ["marketCapMoreThan", ({ marketCap }) => marketCap, "more"],
  ["marketCapLowerThan", ({ marketCap }) => marketCap, "lower"],
  ["priceMoreThan", ({ price }) => price, "more"],
  ["priceLowerThan", ({ price }) => price, "lower"],
  ["betaMoreThan", ({ beta }) => beta, "more"],
  ["betaLowerThan", ({ beta }) => beta, "lower"],
  ["peMoreThan", ({ pe }) => pe, "more"],
  ["peLowerThan", ({ pe }) => pe, "lower"],
  ["yieldPercentMoreThan", ({ dividendYieldPercent }) => dividendYieldPercent, "more"],
  ["yieldPercentLowerThan", ({ dividendYieldPercent }) => dividendYieldPercent, "lower"],
  ["volumeMoreThan", ({ volume }) => volume, "more"],
  ["dividendMoreThan", dividendOf, "more"],
];

const SORTS: Readonly<Record<ScreenerSort, (row: MarketRow) => number | undefined>> = {
  market_cap: ({ marketCap }) => marketCap,
  price: ({ price }) => price,
  change_percent: ({ changePercent }) => changePercent,
  volume: ({ volume }) => volume,
  pe: ({ pe }) => pe,
  yield_percent: ({ dividendYieldPercent }) => dividendYieldPercent,
  beta: ({ beta }) => beta,
};

/** Criteria that no row can decide, whatever the source. */
const UNDECIDABLE: readonly ScreenerCriterion[] = [
  "week52PositionPercentMoreThan",
  "week52PositionPercentLowerThan",
  "revenueGrowthPercentMoreThan",
  "debtToEquityLowerThan",
];

/** Screens rows by all criteria but those that the source cannot decide, which are named. */
export function screenRows(
  rows: readonly MarketRow[],
  query: ScreenerQuery,
  undecidable: readonly ScreenerCriterion[] = [],
): ScreenerAnswer {
  const { sortBy = "market_cap", order = "desc", limit } = query;
  const unknown = [...undecidable, ...UNDECIDABLE].filter((name) => query[name] !== undefined);
  const bounds = BOUNDS.filter(([name]) => query[name] !== undefined && !unknown.includes(name));
  const met = rows.filter((row) => bounds.every(([name, of, side]) => isMet(of(row), query[name], side)));
  const valueOf = SORTS[sortBy];
  const isUnsorted = query.sortBy !== undefined && met.length > 0 && met.every((row) => valueOf(row) === undefined);
  const sign = order === "asc" ? 1 : -1;
  const weigh = (row: MarketRow) => valueOf(row) ?? sign * Infinity;
  const companies = onePerCompany(met, rows).toSorted((a, b) => compare(weigh(a), weigh(b)) * sign);
  return {
    rows: companies.slice(0, limit),
    total: companies.length,
    missing: [...new Set(unknown), ...(isUnsorted ? (["sortBy"] as const) : [])],
  };
}

/** Whether a value lies beyond a bound; one that is not known does not. */
function isMet(value: number | undefined, bound: unknown, side: "more" | "lower"): boolean {
  if (value === undefined || typeof bound !== "number") return false;
  return side === "more" ? value > bound : value < bound;
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1);

/** Paid in twelve months on one share. */
function dividendOf({ price, dividendYieldPercent }: MarketRow): number | undefined {
  return dividendYieldPercent === undefined ? undefined : (price * dividendYieldPercent) / 100;
}

/**
 * One row a company: the most traded of its listings, and none over the counter if there is one on an exchange. Listings
 * of one company have its name, or its capitalization and the beginning of its name.
 */
function onePerCompany(met: readonly MarketRow[], all: readonly MarketRow[]): readonly MarketRow[] {
  const words = new Set(met.filter(isOverTheCounter).map(firstWordOf));
  const listed = new Set(all.filter((row) => !isOverTheCounter(row) && words.has(firstWordOf(row))).map(coreOf));
  const seen = new Set<string>();
  return met
    .toSorted((a, b) => rankOf(b) - rankOf(a))
    .filter((row) => {
      const core = coreOf(row);
      if (isOverTheCounter(row) && listed.has(core)) return false;
      const { marketCap } = row;
      const keys = [core, ...(marketCap === undefined ? [] : [`${firstWordOf(row)} ${marketCap}`])];
      const isDouble = keys.some((key) => seen.has(key));
      for (const key of keys) seen.add(key);
      return !isDouble;
    });
}

const isOverTheCounter = ({ listing }: MarketRow): boolean => listing.exchange === "OTC";
const firstWordOf = ({ listing }: MarketRow): string => listing.name.toLowerCase().split(" ")[0] ?? "";
const coreOf = ({ listing }: MarketRow): string => parseCompanyName(listing.name).core || listing.symbol;
const rankOf = (row: MarketRow): number => (isOverTheCounter(row) ? 0 : 1e15) + (row.volume ?? 0);
