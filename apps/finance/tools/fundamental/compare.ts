/**
 * Compare tool: companies side by side by named metrics, each value with the period it is of, and what is missing by
 * name.
 */
import type { DataKind, Figure, Period, Unit } from "@baton/assistant";
import { ToolError } from "@baton/core";
import { z } from "zod";
import type { Bars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import { toCommonReturns, toReturns } from "../../math/risk/returns.ts";
import { correlation } from "../../math/risk/statistics.ts";
import { AnySymbol } from "../frame/arguments.ts";
import { COMPARE_METRICS, type ComparedCompany, type CompareMetric, type CellPart, toYears } from "./compare-cell.ts";
import { loadDaily, periodOf } from "../shared/daily.ts";
import { cite, type CitedNumber } from "../shared/figures.ts";
import { joinProvenance } from "../shared/joined-provenance.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { tidy } from "../shared/number.ts";
import { identify, type ListingIdentity, requireListing, SECURITIES_AND_COINS } from "../frame/require-listing.ts";

const CORRELATION = "correlation";
const DAYS = 252;
const YEARS = 6;

/** Names that stand for several metrics, and other spellings; all without anything but letters and digits. */
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ["growth", ["revenue_growth", "net_income_growth"]],
  ["cagr", ["revenue_cagr", "net_income_cagr"]],
  ["margins", ["gross_margin", "operating_margin", "net_margin"]],
  ["margin", ["gross_margin", "operating_margin", "net_margin"]],
  ["evebitda", ["ev_to_ebitda"]],
  ["altman", ["altman_z"]],
  ["altmanzscore", ["altman_z"]],
  ["piotroskif", ["piotroski"]],
  ["piotroskiscore", ["piotroski"]],
  ["piotroskifscore", ["piotroski"]],
  ["maxdrawdown", ["drawdown"]],
  ["maximumdrawdown", ["drawdown"]],
  ["freecashflowyield", ["fcf_yield"]],
  ["peratio", ["pe"]],
]);

const NAMES: readonly string[] = ["growth", "cagr", "margins", ...COMPARE_METRICS.keys(), CORRELATION];

const toPlainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** The metrics that a name means; none if it is not known. */
function toMetricNames(name: string): readonly string[] {
  const plain = toPlainName(name);
  const own = [...COMPARE_METRICS.keys(), CORRELATION].filter((known) => toPlainName(known) === plain);
  return own.length > 0 ? own : (GROUPS.get(plain) ?? []);
}

interface Row {
  readonly metric: string;
  readonly label: string;
  readonly unit: Unit;
  readonly values: readonly Readonly<{
    symbol: string;
    value: number;
    period: Period;
    currency?: string;
    kind: DataKind;
    source: string;
    as_of: string;
    note?: string;
  }>[];
}

interface Correlation {
  readonly symbols: readonly [string, string];
  readonly value: number;
  readonly period: Period;
  readonly kind: DataKind;
  readonly source: string;
  readonly as_of: string;
}

interface Comparison {
  readonly companies: readonly ListingIdentity[];
  readonly rows: readonly Row[];
  readonly correlations?: readonly Correlation[];
  readonly missing?: readonly Readonly<{ metric: string; symbol: string; reason: string }>[];
}

/** Companies side by side. */
export const compareMetrics = defineMarketTool<Readonly<{ symbols: string[]; metrics: string[] }>, Comparison>({
  name: "compareMetrics",
  category: "beyond",
  description:
    "Compares 2 to 10 companies by computed metrics: growth, CAGR, margins, EV/EBITDA, FCF yield, Piotroski, Altman Z, " +
    "P/E, market cap, correlation of returns, maximum drawdown; each value with its period, and what is missing by name.",
  says: `A vs B; which of two stocks is stronger; compare valuation and profitability; hay công ty kia tốt hơn;
    mã nào tốt hơn; đặt cạnh nhau; compare companies; versus; which one is better by margin or growth;
    side by side; Piotroski score; Altman Z bankruptcy risk; correlation between two stocks;
    so sánh hai công ty; so sánh cổ phiếu; tương quan giữa các mã; one company against another;
    who is more profitable of the two; giữa hai mã chọn mã nào; bên nào hơn`,
  isCommon: true,
  input: z.strictObject({
    symbols: z.array(AnySymbol).min(2).max(10).describe("2 to 10 tickers or names"),
    metrics: z
      .array(
        z
          .string()
          .max(40)
          .refine((name) => toMetricNames(name).length > 0, { error: `use one of ${NAMES.join(", ")}` })
          .meta({ enum: [...NAMES] }),
      )
      .min(1)
      .max(NAMES.length)
      .describe("Which metrics"),
  }),
  ttlMs: 60 * 60_000,
  timeoutMs: 30_000,
  run: async ({ symbols, metrics }, asked) => {
    const listings = toDistinct(symbols.map((symbol) => requireListing(asked.market, symbol, SECURITIES_AND_COINS)));
    const names = [...new Set(metrics.flatMap(toMetricNames))];
    const wanted = names.flatMap((name) => {
      const metric = COMPARE_METRICS.get(name);
      return metric === undefined ? [] : [{ name, ...metric }];
    });
    const loaded = await loadAll(asked, listings, {
      needs: new Set(wanted.flatMap(({ needs }) => needs)),
      isCorrelated: names.includes(CORRELATION),
    });
    return toComparison(loaded, wanted, names.includes(CORRELATION) ? toCorrelations(loaded) : undefined);
  },
  figures: (data) => [
    ...data.rows.flatMap((row, at) => toRowFigures(row, at)),
    ...(data.correlations ?? []).flatMap(toPairFigure),
  ],
  describe: ({ companies, missing = [] }) => [
    ...companies.map(({ symbol, name, exchange, currency }) => `${symbol}: ${name}, ${exchange}, ${currency}`),
    ...missing.map(({ metric, symbol, reason }) => `missing: ${metric} of ${symbol}: ${reason}`),
  ],
});

function toPairFigure({ symbols, value, period, kind, source, as_of: asOf }: Correlation, at: number) {
  const metric = "correlation of daily returns";
  const cited: CitedNumber = { path: `data.correlations[${at}].value`, value, unit: "ratio", metric, period };
  const figures = cite({ symbol: symbols.join("/"), currency: "" }, [cited]);
  return figures.map((figure) => ({ ...figure, kind, source, asOf }));
}

/** Each value keeps its own origin: real statements stay real beside simulated prices. */
function toRowFigures({ label, unit, values }: Row, at: number): readonly Figure[] {
  return values.flatMap(({ symbol, currency = "", value, period, kind, source, as_of: asOf }, index) => {
    const cited: CitedNumber = { path: `data.rows[${at}].values[${index}].value`, value, unit, metric: label, period };
    return cite({ symbol, currency }, [cited]).map((figure) => ({ ...figure, kind, source, asOf }));
  });
}

function toDistinct(listings: readonly Listing[]): readonly Listing[] {
  const distinct = [...new Map(listings.map((listing) => [listing.symbol, listing])).values()];
  if (distinct.length > 1) return distinct;
  throw new ToolError("validation", `all symbols mean ${distinct[0]?.symbol}; name at least two different ones`);
}

interface LoadedCompany extends ComparedCompany {
  readonly listing: Listing;
  readonly bars?: CellPart<Bars>;
}

type Needs = Readonly<{ needs: ReadonlySet<CompareMetric["needs"][number]>; isCorrelated: boolean }>;

function loadAll(asked: MarketContext, listings: readonly Listing[], needs: Needs): Promise<LoadedCompany[]> {
  const { market, context } = asked;
  return context.scope.all(
    listings.map((listing) => (scope) => loadOne({ market, context: { ...context, scope } }, listing, needs)),
  );
}

async function loadOne(asked: MarketContext, listing: Listing, { needs, isCorrelated }: Needs): Promise<LoadedCompany> {
  const { market, context } = asked;
  const wantsBars = isCorrelated || needs.has("returns");
  const statements = needs.has("statements") ? await attempt(() => loadYears(asked, listing)) : undefined;
  const quote = needs.has("quote") ? await attempt(() => market.quote({ listing }, context.scope)) : undefined;
  const bars = wantsBars ? await attempt(() => loadDaily(asked, { listing, limit: DAYS + 1 })) : undefined;
  return {
    listing,
    currency: listing.currency,
    ...(statements && { statements }),
    ...(quote && { quote }),
    ...(bars && { bars, returns: "reason" in bars ? bars : { ...bars, data: toReturns(bars.data, DAYS) } }),
  };
}

/** A part that a source does not have is missing; it does not hide the others. */
async function attempt<T>(load: () => Promise<Sourced<T>>): Promise<CellPart<T>> {
  try {
    return await load();
  } catch (thrown) {
    if (thrown instanceof MarketError) return { reason: thrown.message };
    throw thrown;
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

type Wanted = readonly (CompareMetric & Readonly<{ name: string }>)[];
type Correlated = ReturnType<typeof toCorrelations>;

function toComparison(loaded: readonly LoadedCompany[], wanted: Wanted, correlated?: Correlated): Sourced<Comparison> {
  const used: Provenance[] = [...(correlated?.used ?? [])];
  const missing = [...(correlated?.missing ?? [])];
  const rows = wanted.map(({ name, label, unit, compute }): Row => {
    const values = loaded.flatMap((company) => {
      const { symbol, currency } = company.listing;
      const cell = compute(company);
      if ("reason" in cell) {
        missing.push({ metric: name, symbol, reason: cell.reason });
        return [];
      }
      const { value, period, provenance, note } = cell;
      used.push(provenance);
      const money = unit === "money" ? { currency } : {};
      const { kind, source, as_of } = provenance;
      return [{ symbol, value, period, ...money, kind, source, as_of, ...(note === undefined ? {} : { note }) }];
    });
    return { metric: name, label, unit, values };
  });
  if (used.length === 0) throw nothing(missing);
  const data: Comparison = {
    companies: loaded.map(({ listing }) => identify(listing)),
    rows: rows.filter(({ values }) => values.length > 0),
    ...(correlated && correlated.pairs.length > 0 ? { correlations: correlated.pairs } : {}),
    ...(missing.length > 0 ? { missing } : {}),
  };
  return { data, provenance: joinProvenance(used) };
}

type Missing = NonNullable<Comparison["missing"]>;

function nothing(missing: Missing): MarketError {
  const reasons = [...new Set(missing.map(({ metric, symbol, reason }) => `${metric} of ${symbol}: ${reason}`))];
  return new MarketError("no_data", `nothing can be compared: ${reasons.slice(0, 10).join("; ")}`);
}

/** The correlation of each pair on its common days, if both series are of one kind and source. */
function toCorrelations(loaded: readonly LoadedCompany[]) {
  const pairs: Correlation[] = [];
  const missing: Missing[number][] = [];
  const used: Provenance[] = [];
  for (const [index, one] of loaded.entries()) {
    for (const other of loaded.slice(index + 1)) {
      const symbols = [one.listing.symbol, other.listing.symbol] as const;
      const found = correlate(one.bars, other.bars);
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

type Pair = Readonly<{ value: number; period: Period; provenance: Provenance }> | Readonly<{ reason: string }>;

function correlate(one: CellPart<Bars> | undefined, other: CellPart<Bars> | undefined): Pair {
  if (one === undefined || "reason" in one) return { reason: one?.reason ?? "no daily prices" };
  if (other === undefined || "reason" in other) return { reason: other?.reason ?? "no daily prices" };
  const isSame = one.provenance.kind === other.provenance.kind && one.provenance.source === other.provenance.source;
  if (!isSame) return { reason: `${one.provenance.kind} and ${other.provenance.kind} prices are not blended` };
  const common = toCommonReturns([one.data, other.data], DAYS);
  if (!common.enough) return { reason: `${common.count} common daily returns; at least ${common.needed} are needed` };
  const [first = new Float64Array(), second = new Float64Array()] = common.values;
  const value = correlation(first, second);
  if (value === undefined) return { reason: "one of them never changed" };
  return { value: tidy(value), period: periodOf(common), provenance: one.provenance };
}
