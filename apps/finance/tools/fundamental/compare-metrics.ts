/**
 * Compare tool: companies side by side by named metrics, each value with the period it is of, and what is missing by
 * name.
 */
import type { DataKind, Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Bars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { toCommonReturns, toReturns } from "../../math/risk/returns.ts";
import { correlation } from "../../math/risk/statistics.ts";
import { daysPerYear } from "../../math/risk/risk.ts";
import { Day, SymbolList } from "../frame/arguments.ts";
import { toMissingLines } from "../frame/listing-tool.ts";
import { loadQuote } from "../price/quote.ts";
import {
  COMPARE_METRICS,
  type ComparedCompany,
  type CompareMetric,
  type CellPart,
  type CompanyPart,
  toYears,
} from "./compare-cell.ts";
import { CORRELATION, GROUPS, OFFERED, toMetricNames, toPlainName } from "./compare-names.ts";
import { loadMarketBeta } from "../risk/market-beta.ts";
import { loadDaily, periodOf } from "../shared/daily.ts";
import { citeFields, ofOrigin } from "../shared/figures.ts";
import { joinProvenance } from "../shared/joined-provenance.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { tidy } from "../shared/number.ts";
import { identify, requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";

const DAYS = 252;
/** Returns of forty years. */
const MAX_DAYS = 10_080;
const YEARS = 6;
const MAX_YEARS = 5;

/** The correlation of a pair. */
interface Correlation {
  readonly symbols: readonly [string, string];
  readonly value: number;
  readonly period: Period;
  readonly kind: DataKind;
  readonly source: string;
  readonly as_of: string;
}

/** A value that is not there; without a metric, all of a company. */
type MissingCell = Readonly<{ metric?: string; symbol: string; reason: string }>;

/** Companies side by side. */
export const compareMetricsTool = defineMarketTool({
  name: "compareMetrics",
  category: "beyond",
  description:
    "Metrics of 1 to 10 companies side by side, each with its period, and what is missing. A group gives all of its kind.",
  isCommon: true,
  input: z.strictObject({
    symbols: SymbolList,
    metrics: z
      .array(
        z
          .string()
          .max(40)
          .refine((name) => toMetricNames(name).length > 0, { error: `use one of ${OFFERED.join(", ")}` })
          .meta({ enum: OFFERED }),
      )
      .min(1)
      .max(OFFERED.length),
    years: z.int().min(1).max(MAX_YEARS).default(1).describe("History of each metric, 1 to 5; default 1"),
    from: Day.optional().describe("First day of correlation and risk; default the last year of prices"),
    to: Day.optional().describe("Last day of them; default each one's newest"),
  }),
  ttlMs: 60 * 60_000,
  timeoutMs: 30_000,
  run: async ({ symbols, metrics, years, from, to }, asked) => {
    const { listings, unknown } = findAll(symbols, asked);
    const names = [...new Set(metrics.flatMap(toMetricNames))];
    const alone = new Set(metrics.filter((name) => !Object.hasOwn(GROUPS, toPlainName(name))).flatMap(toMetricNames));
    const wanted = names.flatMap((name) => {
      const metric = COMPARE_METRICS.get(name);
      return metric === undefined ? [] : [{ name, isOfGroup: !alone.has(name), ...metric }];
    });
    const needs = { parts: new Set(wanted.flatMap(({ needs: parts }) => parts)), years, window: windowOf(from, to) };
    const isCorrelated = names.includes(CORRELATION);
    const loaded = await loadAll(
      asked,
      listings,
      isCorrelated ? { ...needs, parts: needs.parts.add("returns") } : needs,
    );
    return toComparison(
      loaded,
      { wanted, years, unknown },
      isCorrelated ? await loadCorrelations(asked, loaded, needs.window) : undefined,
    );
  },
  figures: ({ rows, correlations = [] }) => [
    // Each value keeps its own origin.
    ...rows.flatMap(({ label, unit, values }, at) =>
      values.flatMap((cell, index) => {
        const owner = { symbol: cell.symbol, currency: cell.currency ?? "", period: cell.period };
        const place = `data.rows[${at}].values[${index}]`;
        return ofOrigin(citeFields(owner, [place, cell], [["value", unit, label]]), cell);
      }),
    ),
    ...correlations.flatMap((pair, at) => {
      const owner = { symbol: pair.symbols.join("/"), currency: "", period: pair.period };
      const fields = [["value", "ratio", "correlation of daily returns"]] as const;
      return ofOrigin(citeFields(owner, [`data.correlations[${at}]`, pair], fields), pair);
    }),
  ],
  digest: ({ missing = [], unavailable = [] }) => ({
    missing: toMissingLines([...missing, ...unavailable].map((cell) => ({ ...cell, symbol: toCellName(cell) }))),
  }),
});

/** A name that is not known is missing; it does not hide the others. */
function findAll(texts: readonly string[], { market }: MarketContext) {
  const unknown: { metric: string; symbol: string; reason: string }[] = [];
  const listings = texts.flatMap((text) => {
    try {
      return [requireListing(market, text, SECURITIES_AND_COINS)];
    } catch (thrown) {
      if (!(thrown instanceof MarketError)) throw thrown;
      unknown.push({ metric: "everything", symbol: text, reason: thrown.message });
      return [];
    }
  });
  return { listings: [...new Map(listings.map((listing) => [listing.symbol, listing])).values()], unknown };
}

interface LoadedCompany extends ComparedCompany {
  readonly listing: Listing;
  readonly bars?: CellPart<Bars>;
}

type Needs = Readonly<{ parts: ReadonlySet<CompanyPart>; years: number; window: ReturnWindow }>;

/** Daily prices that risk is of, and the most returns of them. */
type ReturnWindow = Readonly<{ days: number; of: Readonly<{ from?: string; to?: string; limit?: number }> }>;

function windowOf(from: string | undefined, to: string | undefined): ReturnWindow {
  const end = omitUndefined({ to });
  return from === undefined
    ? { days: DAYS, of: { limit: DAYS + 1, ...end } }
    : { days: MAX_DAYS, of: { from, ...end } };
}

function loadAll(asked: MarketContext, listings: readonly Listing[], needs: Needs): Promise<LoadedCompany[]> {
  const { market, context } = asked;
  return context.scope.all(
    listings.map((listing) => (scope) => loadOne({ market, context: { ...context, scope } }, listing, needs)),
  );
}

async function loadOne(
  asked: MarketContext,
  listing: Listing,
  { parts, years, window }: Needs,
): Promise<LoadedCompany> {
  const { market, context } = asked;
  const { scope } = context;
  const load = async <T>(part: CompanyPart, ask: () => Promise<Sourced<T>>): Promise<CellPart<T> | undefined> =>
    parts.has(part) ? attempt(ask) : undefined;
  const ofSet = (set: "ratios" | "key_metrics") =>
    load(set, () => market.metrics({ listing, set, period: "annual", limit: years + 1 }, scope));
  const statements = await load("statements", () => loadYears(asked, listing));
  const quote = await load("quote", () => loadQuote(asked, listing));
  const ratios = await ofSet("ratios");
  const key_metrics = await ofSet("key_metrics");
  const bars = await load("returns", () => loadDaily(asked, { listing, ...window.of }));
  const toMarket =
    parts.has("beta") && bars !== undefined && !("reason" in bars)
      ? await loadMarketBeta(asked, listing, { ...bars, days: window.days })
      : undefined;
  return {
    listing,
    currency: listing.currency,
    daysPerYear: daysPerYear(listing.type),
    ...omitUndefined({ statements, quote, ratios, key_metrics, beta: toMarket }),
    ...(bars && { bars, returns: "reason" in bars ? bars : { ...bars, data: toReturns(bars.data, window.days) } }),
  };
}

/** A part that a source does not have is missing; it does not hide the others. */
async function attempt<T>(load: () => Promise<Sourced<T>>): Promise<CellPart<T>> {
  try {
    return await load();
  } catch (thrown) {
    if (!(thrown instanceof MarketError)) throw thrown;
    const { available } = thrown.details;
    return { reason: available === undefined ? thrown.message : `${thrown.message}; there is ${available}` };
  }
}

async function loadYears({ market, context }: MarketContext, listing: Listing) {
  const ask = (statement: "income" | "balance" | "cash_flow") =>
    market.statements({ listing, statement, period: "annual", limit: YEARS }, context.scope);
  const income = await ask("income");
  const isSame = ({ provenance }: Sourced<unknown>) =>
    provenance.source === income.provenance.source && provenance.kind === income.provenance.kind;
  const rest = async (statement: "balance" | "cash_flow") => {
    const part = await attempt(() => ask(statement));
    return "reason" in part || !isSame(part) ? [] : part.data;
  };
  const years = toYears({ income: income.data, balance: await rest("balance"), cashFlow: await rest("cash_flow") });
  return { data: years, provenance: income.provenance };
}

type Wanted = readonly (CompareMetric & Readonly<{ name: string; isOfGroup: boolean }>)[];
type Correlated = Awaited<ReturnType<typeof loadCorrelations>>;
type Compared = Readonly<{ wanted: Wanted; years: number; unknown: readonly MissingCell[] }>;

function toComparison(loaded: readonly LoadedCompany[], compared: Compared, correlated?: Correlated) {
  const { wanted, years, unknown } = compared;
  const used: Provenance[] = [...(correlated?.used ?? [])];
  const missing: MissingCell[] = [...unknown, ...(correlated?.missing ?? [])];
  const ofGroups: MissingCell[] = [];
  const rows = wanted.map(({ name, label, unit, compute, needs, isOfGroup }) => {
    const values = loaded.flatMap((company) => {
      const { symbol, currency } = company.listing;
      const isYearly = needs.some((part) => part === "statements" || part === "ratios" || part === "key_metrics");
      const cells = Array.from({ length: isYearly ? years + 1 : 1 }, (_, at) =>
        compute(at === 0 ? company : olderBy(company, at)),
      );
      const [newest] = cells;
      if (newest !== undefined && "reason" in newest)
        (isOfGroup ? ofGroups : missing).push({ metric: label, symbol, reason: newest.reason });
      const money = unit.startsWith("money") ? currency : undefined;
      const found = new Map(
        cells.flatMap((cell) => ("reason" in cell ? [] : [[cell.period.label ?? cell.period.end, cell] as const])),
      );
      return [...found.values()].slice(0, years).map(({ value, period, provenance, note }) => {
        used.push(provenance);
        const { kind, source, as_of } = provenance;
        return { symbol, value, period, kind, source, as_of, ...omitUndefined({ currency: money, note }) };
      });
    });
    return { metric: name, label, unit, values };
  });
  if (used.length === 0) throw nothing([...missing, ...ofGroups]);
  const known = new Set(rows.flatMap(({ values }) => values.map(({ symbol }) => symbol)));
  const { without = [], unavailable = [] } = Object.groupBy(ofGroups, ({ symbol }) =>
    known.has(symbol) ? "unavailable" : "without",
  );
  const nothingOf = new Map(without.toReversed().map(({ symbol, reason }) => [symbol, { symbol, reason }]));
  missing.push(...nothingOf.values());
  const data = {
    companies: loaded.map(({ listing }) => identify(listing)),
    rows: rows.filter(({ values }) => values.length > 0),
    ...omitUndefined({
      correlations: correlated === undefined || correlated.pairs.length === 0 ? undefined : correlated.pairs,
      missing: missing.length === 0 ? undefined : missing,
      unavailable: unavailable.length === 0 ? undefined : unavailable,
    }),
  };
  return { data, provenance: joinProvenance(used) };
}

/** A company as its statements were some years before. */
function olderBy(company: LoadedCompany, years: number): ComparedCompany {
  const cut = <T>(part: CellPart<readonly T[]> | undefined) =>
    part === undefined || "reason" in part ? part : { ...part, data: part.data.slice(years) };
  const { statements, ratios, key_metrics, quote: _, ...rest } = company;
  return {
    ...rest,
    ...omitUndefined({ statements: cut(statements), ratios: cut(ratios), key_metrics: cut(key_metrics) }),
  };
}

const toCellName = ({ metric, symbol }: MissingCell): string =>
  metric === undefined ? symbol : `${metric} of ${symbol}`;

function nothing(missing: readonly MissingCell[]): MarketError {
  const reasons = [...new Set(missing.map((cell) => `${toCellName(cell)}: ${cell.reason}`))];
  return new MarketError("no_data", `nothing can be compared: ${reasons.slice(0, 10).join("; ")}`);
}

/** The correlation of each pair on its common days, if both series are of one kind and source. */
async function loadCorrelations(asked: MarketContext, loaded: readonly LoadedCompany[], window: ReturnWindow) {
  const pairs: Correlation[] = [];
  const missing: MissingCell[] = [];
  const used: Provenance[] = [];
  for (const [index, one] of loaded.entries()) {
    for (const other of loaded.slice(index + 1)) {
      const symbols = [one.listing.symbol, other.listing.symbol] as const;
      const until = (company: LoadedCompany, beside: LoadedCompany) => loadUntil(asked, company, { window, ...beside });
      const found = correlate(await until(one, other), await until(other, one), window.days);
      if ("reason" in found) missing.push({ metric: CORRELATION, symbol: symbols.join("/"), reason: found.reason });
      else {
        const { kind, source, as_of } = found.provenance;
        pairs.push({ symbols, value: found.value, period: found.period, kind, source, as_of });
        used.push(found.provenance);
      }
    }
  }
  return { pairs, missing, used };
}

/** The bars of a company up to the last day of another's, if these end before. */
async function loadUntil(
  asked: MarketContext,
  { listing, bars }: LoadedCompany,
  { bars: other, window }: Pick<LoadedCompany, "bars"> & Readonly<{ window: ReturnWindow }>,
): Promise<CellPart<Bars> | undefined> {
  if (bars === undefined || other === undefined || "reason" in bars || "reason" in other) return bars;
  const to = periodOf(other.data).end;
  return periodOf(bars.data).end <= to ? bars : attempt(() => loadDaily(asked, { listing, ...window.of, to }));
}

type Pair = Readonly<{ value: number; period: Period; provenance: Provenance }> | Readonly<{ reason: string }>;

function correlate(one: CellPart<Bars> | undefined, other: CellPart<Bars> | undefined, days: number): Pair {
  if (one === undefined || "reason" in one) return { reason: one?.reason ?? "no daily prices" };
  if (other === undefined || "reason" in other) return { reason: other?.reason ?? "no daily prices" };
  const isSame = one.provenance.kind === other.provenance.kind && one.provenance.source === other.provenance.source;
  if (!isSame) return { reason: `${one.provenance.kind} and ${other.provenance.kind} prices are not blended` };
  const common = toCommonReturns([one.data, other.data], days);
  if (!common.enough) return { reason: `${common.count} common daily returns; at least ${common.needed} are needed` };
  const [first = new Float64Array(), second = new Float64Array()] = common.values;
  const value = correlation(first, second);
  if (value === undefined) return { reason: "one of them never changed" };
  return { value: tidy(value), period: periodOf(common), provenance: one.provenance };
}
