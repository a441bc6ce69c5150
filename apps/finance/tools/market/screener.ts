/**
 * Screener: companies by criteria that all must hold, one row a company.
 *
 * Criteria are single arguments or written as `pe < 10`. A criterion that the data in use cannot decide is named in
 * `missing`, never left out.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { SECTORS, toSector } from "../../market/directory/sectors.ts";
import { SCREENER_SORTS, type ScreenerQuery, type ScreenerSort } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { limitOf } from "../frame/arguments.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { type RowColumn, toColumnMetrics, toRowFigures, toShownRow } from "../shared/market-rows.ts";

/** A criterion on a number: its name in arguments and text, its bounds, and the column that shows it. */
interface Criterion {
  readonly name: string;
  readonly more?: keyof ScreenerQuery;
  readonly lower?: keyof ScreenerQuery;
  readonly column?: RowColumn;
  readonly words: string;
  /** Further names in `where` and `sort_by`. */
  readonly also?: readonly string[];
}

const CRITERIA: readonly Criterion[] = [
  {
    name: "market_cap",
    more: "marketCapMoreThan",
    lower: "marketCapLowerThan",
    column: "market_cap",
    words: "market cap",
    also: ["cap"],
  },
  { name: "price", more: "priceMoreThan", lower: "priceLowerThan", column: "price", words: "price" },
  { name: "beta", more: "betaMoreThan", lower: "betaLowerThan", column: "beta", words: "beta" },
  { name: "pe", more: "peMoreThan", lower: "peLowerThan", column: "pe", words: "P/E", also: ["p/e", "pe_ratio"] },
  {
    name: "yield_percent",
    more: "yieldPercentMoreThan",
    lower: "yieldPercentLowerThan",
    column: "dividend_yield_percent",
    words: "dividend yield in %",
    also: ["dividend_yield", "yield", "dividend_yield_percent"],
  },
  {
    name: "week52_position_percent",
    more: "week52PositionPercentMoreThan",
    lower: "week52PositionPercentLowerThan",
    words: "position in the 52-week range in %",
    also: ["week52_position"],
  },
  {
    name: "revenue_growth_percent",
    more: "revenueGrowthPercentMoreThan",
    words: "revenue growth in %",
    also: ["revenue_growth"],
  },
  { name: "debt_to_equity", lower: "debtToEquityLowerThan", words: "debt to equity" },
  { name: "volume", more: "volumeMoreThan", column: "volume", words: "volume" },
  { name: "dividend", more: "dividendMoreThan", words: "yearly dividend a share" },
  { name: "change_percent", column: "change_percent", words: "change of the day in %", also: ["change"] },
];

const BY_NAME: ReadonlyMap<string, Criterion> = new Map(
  CRITERIA.flatMap((one) => [one.name, ...(one.also ?? [])].map((name) => [name, one] as const)),
);

const CONDITION = /^([a-z0-9_/]+)(<=|>=|<|>)(-?\d+(?:\.\d+)?(?:e\d{1,2})?)([kmbt%]?)$/;
const SCALES: ReadonlyMap<string, number> = new Map([
  ["k", 1e3],
  ["m", 1e6],
  ["b", 1e9],
  ["t", 1e12],
]);
const MAX_CONDITION = 60;

/** A condition on a number. */
interface Condition {
  readonly of: Criterion;
  readonly side: "more" | "lower";
  readonly value: number;
}

/** Reads `pe < 10`, `market_cap > 2b`, `dividend_yield >= 4 %`; undefined if the text is no condition. */
export function parseCondition(text: string): Condition | undefined {
  const plain = text.slice(0, MAX_CONDITION).toLowerCase().replaceAll(/[\s,]/g, "");
  const [, name = "", sign = "", digits = "", scale = ""] = CONDITION.exec(plain) ?? [];
  const of = BY_NAME.get(name);
  const value = Number(digits) * (SCALES.get(scale) ?? 1);
  return of === undefined || !Number.isFinite(value)
    ? undefined
    : { of, side: sign.startsWith(">") ? "more" : "lower", value };
}

/** Reads `pe asc`. */
function parseSort(text: string): Readonly<{ by: ScreenerSort; order?: "asc" | "desc" }> | undefined {
  const [name = "", order, ...more] = text.trim().toLowerCase().split(/\s+/);
  const by = SCREENER_SORTS.find((sort) => sort === (BY_NAME.get(name)?.name ?? name));
  if (by === undefined || more.length > 0) return undefined;
  if (order === undefined) return { by };
  return order === "asc" || order === "desc" ? { by, order } : undefined;
}

const Text = z.string().trim().min(1).max(80);
const COUNTRY = /^[A-Za-z]{2}$/;
const FIELDS = CRITERIA.flatMap(({ name, more, lower }) => [
  ...(more === undefined ? [] : [`${name}_more_than`]),
  ...(lower === undefined ? [] : [`${name}_lower_than`]),
]);

const OFFERED = {
  sector: Text.optional().describe(`One of ${SECTORS.join(", ")}`),
  industry: Text.optional().describe("banks (every kind), airlines, semiconductors"),
  country: z.string().trim().regex(COUNTRY, "a code of two letters").optional().describe("Code such as US or VN"),
  exchange: Text.optional().describe("NASDAQ, NYSE, AMEX, OTC"),
  where: z
    .array(
      z
        .string()
        .max(MAX_CONDITION)
        .refine((text) => parseCondition(text) !== undefined, {
          error: `write it as pe < 10, with one of ${CRITERIA.map(({ name }) => name).join(", ")}`,
        }),
    )
    .max(8)
    .default([])
    .describe(
      "Up to 8, such as pe < 10, dividend_yield > 4, market_cap > 1e9, price < 50, week52_position < 20, " +
        "revenue_growth > 10, debt_to_equity < 1, beta < 1, volume > 1e6",
    ),
  sort_by: Text.default("market_cap")
    .refine((text) => parseSort(text) !== undefined, { error: `use one of ${SCREENER_SORTS.join(", ")}` })
    .describe("market_cap by default; pe asc for the cheapest"),
  order: z.enum(["asc", "desc"]).optional().describe("Default desc"),
  limit: limitOf(10, 100).describe("Default 10"),
};

const Bound = z.number().min(-1e18).max(1e18).optional();
const Input = z.strictObject({ ...OFFERED, ...Object.fromEntries(FIELDS.map((name) => [name, Bound] as const)) });
type Arguments = z.output<z.ZodObject<typeof OFFERED>> & Readonly<Record<string, unknown>>;

/** Companies by criteria. */
export const screenerTool = defineMarketTool({
  name: "getScreener",
  category: "discovery",
  description:
    "Finds companies by criteria that all must hold, with the columns that were asked about. Criteria that the data " +
    "cannot decide are named.",
  isCommon: true,
  chart: { type: "showTrendingStocks", about: "call", title: "Screener" },
  input: Input,
  offered: z.object(OFFERED),
  ttlMs: 15 * 60_000,
  run: async (input, { market, context: { scope } }) => {
    const conditions = toConditions(input);
    const { query, unsupported } = toQuery(input, conditions);
    const { data, provenance } = await market.screener(query, scope);
    const undecided = data.missing.map((name) => toMissingWords(name, query, conditions));
    const missing = [...unsupported.map(toWords), ...undecided];
    const named = NAMED.flatMap((name) => toNamedWords(name, query) ?? []);
    const applied = [...named, ...conditions.map(toWords)].filter((words) => !missing.includes(words));
    const rows = data.rows.slice(0, input.limit).map(toShownRow);
    if (rows.length === 0) throw nothing(applied, missing);
    const sorted_by = `${query.sortBy} ${query.order}`;
    const sorted = BY_NAME.get(query.sortBy ?? "")?.column;
    const columns = [...conditions.flatMap(({ of }) => of.column ?? []), ...(sorted === undefined ? [] : [sorted])];
    const counts = omitUndefined({ total: data.total });
    const shown = { applied, sorted_by, ...(missing.length > 0 && { missing }), count: rows.length, ...counts };
    return { data: { ...shown, columns: [...new Set(columns)], rows }, provenance };
  },
  figures: ({ rows, columns }, provenance) => toRowFigures("data.rows", rows, { provenance, asked: columns }),
  digest: ({ applied, sorted_by, missing = [], count, total, columns }) => ({
    only: toColumnMetrics(["price", ...columns]),
    shared: [`${count} of ${total ?? count} companies, one row a company`],
    applied: [...applied, ...(missing.some((words) => words.startsWith("sorting")) ? [] : [`sorted by ${sorted_by}`])],
    missing: missing.map((words) => `${words}: the data in use cannot decide it, so it was not applied`),
  }),
});

function toConditions(input: Arguments): readonly Condition[] {
  const single = CRITERIA.flatMap((of) =>
    (["more", "lower"] as const).flatMap((side) => {
      const value = input[`${of.name}_${side}_than`];
      return typeof value === "number" ? [{ of, side, value }] : [];
    }),
  );
  return [...single, ...input.where.flatMap((text) => parseCondition(text) ?? [])];
}

function toQuery(input: Arguments, conditions: readonly Condition[]) {
  const { sector, industry, exchange, country, limit } = input;
  const sort = parseSort(input.sort_by);
  const unsupported = conditions.filter(({ of, side }) => of[side] === undefined);
  const bounds = conditions.flatMap(({ of, side, value }) => {
    const name = of[side];
    return name === undefined ? [] : [[name, value] as const];
  });
  const query: ScreenerQuery = {
    limit,
    sortBy: sort?.by ?? "market_cap",
    order: sort?.order ?? input.order ?? "desc",
    ...omitUndefined({
      sector: sector === undefined ? undefined : requireSector(sector),
      industry,
      exchange: exchange?.toUpperCase(),
      country: country?.toUpperCase(),
    }),
    ...Object.fromEntries(bounds),
  };
  return { query, unsupported };
}

function requireSector(text: string): string {
  const sector = toSector(text);
  if (sector !== undefined) return sector;
  const available = SECTORS.join(", ");
  throw new MarketError("no_data", `no sector is called "${text}"; the sectors are ${available}`, { available });
}

/** Criteria that are names. */
const NAMED = ["sector", "industry", "exchange", "country"] as const;

const toNamedWords = (name: string, query: ScreenerQuery): string | undefined => {
  const known = NAMED.find((one) => one === name);
  const value = known === undefined ? undefined : query[known];
  return value === undefined ? undefined : `${name} ${value}`;
};

const toWords = ({ of, side, value }: Condition): string => `${of.words} ${side === "more" ? ">" : "<"} ${value}`;

function toMissingWords(name: string, query: ScreenerQuery, conditions: readonly Condition[]): string {
  const found = conditions.find(({ of, side }) => of[side] === name);
  if (found !== undefined) return toWords(found);
  return toNamedWords(name, query) ?? (name === "sortBy" ? `sorting by ${query.sortBy}` : name);
}

function nothing(applied: readonly string[], missing: readonly string[]): MarketError {
  const open = missing.length === 0 ? "" : `; not decided: ${missing.join(", ")}`;
  return new MarketError("no_data", `no company meets these criteria: ${applied.join(", ") || "none given"}${open}`);
}
