/**
 * Analyze portfolio: value, profit, weights, sectors, concentration, risk and what-ifs of the user's holdings.
 */
import { omitUndefined } from "@baton/core/util";
import { z } from "zod";
import { MarketError } from "../../market/port/market-error.ts";
import { AnySymbol, daysOf } from "../frame/arguments.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import type { DigestWords } from "../frame/digest-frame.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { percentOf as percent, tidy } from "../shared/number.ts";
import { analyseRisk } from "./analysis/analysis.ts";
import { analysisFigures } from "./analysis/analysis-figures.ts";
import { toCurrency } from "./valuation/currency.ts";
import { CurrencySchema } from "./set-holding.ts";
import type { Analysis } from "./analysis/shown-analysis.ts";
import { bySector, concentrationOf, type UnvaluedHolding } from "./valuation/valuation.ts";
import {
  derive,
  loadValued,
  requireHoldings,
  showHolding,
  showTotals,
  toLeftOutLines,
  toWeightLines,
  type ValuedPortfolio,
} from "./valuation/valued-portfolio.ts";
import { loadShocks, type Shock, type ShownShock } from "./analysis/what-if.ts";

const MAX_SHOWN = 100;
const MAX_SHOCKS = 20;

/** Query of an analysis. */
export interface AnalysisQuery {
  readonly shocks?: readonly Shock[] | undefined;
  readonly confidence: number;
  readonly days: number;
  readonly currency?: string | undefined;
}

/** Moves to try. */
export const ShockList = z
  .array(
    z.strictObject({
      symbol: AnySymbol,
      percent: z.number().min(-100).max(1_000).describe("−20 is a fall of 20 %"),
    }),
  )
  .max(MAX_SHOCKS)
  .describe("Moves to try: of a holding, or of an index such as ^GSPC");

/** Analyzes the holdings together. */
export const analyzePortfolioTool = defineMarketTool<AnalysisQuery, Analysis>({
  name: "analyzePortfolio",
  category: "beyond",
  description:
    "What the user holds together: value, profit or loss, weights, sectors, concentration, volatility, VaR, beta, correlations, what-ifs.",
  says: `how risky is my portfolio; am I diversified, sector exposure of my holdings;
    what if a stock or the market falls, effect on my portfolio; value at risk and beta of my portfolio;
    which holding contributes most to my risk; rủi ro của danh mục của tôi;
    danh mục của tôi phân bổ theo ngành thế nào; nếu giá giảm 20% thì danh mục của tôi mất bao nhiêu`,
  chart: { type: "showStockHeatmap", about: "holdings" },
  input: z.strictObject({
    shocks: ShockList.optional(),
    confidence: z.number().min(0.9).max(0.99).default(0.95).describe("Of the VaR, 0.90 to 0.99; default 0.95"),
    days: daysOf(30, 1_260),
    currency: CurrencySchema.optional().describe("Of the totals; default the holdings' common currency, else USD"),
  }),
  ttlMs: 0,
  isOfUser: true,
  timeoutMs: 60_000,
  run: analyse,
  figures: analysisFigures,
  digest: toAnalysisWords,
});

/** The holdings together, with their risk and what moves would do to them. */
export async function analyse(
  { shocks = [], confidence, days, currency }: AnalysisQuery,
  asked: MarketContext,
): Promise<Sourced<Analysis>> {
  const owned = await requireHoldings(asked);
  const wanted = currency === undefined ? undefined : toCurrency(currency)?.code;
  const loaded = await loadValued(asked, owned, { detail: "full", ...omitUndefined({ currency: wanted }) });
  const { valuation, origins } = loaded;
  if (origins.length === 0) throw nothingValued(loaded);
  const risk = await analyseRisk(asked, valuation.holdings, { days, confidence });
  const tried =
    shocks.length === 0
      ? undefined
      : await loadShocks(asked, shocks, { holdings: valuation.holdings, set: risk.set, days });
  const leftOut = [...valuation.leftOut, ...risk.leftOut];
  const notes = notesOf(loaded);
  const riskOrigins = [...risk.origins, ...(tried?.origins ?? [])];
  const data: Analysis = {
    ...spreadOf(loaded),
    holdings: valuation.holdings.slice(0, MAX_SHOWN).map((one) => {
      const { lots: _lots, ...shown } = showHolding(one);
      return { ...shown, ...risk.byHolding.get(shown.symbol) };
    }),
    ...omitUndefined({ risk: risk.risk, correlation: risk.correlation }),
    ...(risk.risk === undefined ? { risk_missing: missingOf(risk.leftOut) } : {}),
    ...omitUndefined({ shocks: tried?.shocks, all_shocks: tried?.together }),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut.slice(0, 2 * MAX_SHOWN) }),
    ...(loaded.rates.length === 0 ? {} : { rates: loaded.rates }),
    ...(notes.length === 0 ? {} : { notes }),
    origins: {
      value: derive(origins, owned.length),
      ...(riskOrigins.length === 0 ? {} : { risk: derive(riskOrigins, owned.length) }),
      entered: loaded.ownOrigin,
    },
  };
  return { data, provenance: derive([...origins, ...riskOrigins], owned.length) };
}

/** Lines of the model's copy of an analysis beside its figures. */
export function toAnalysisWords(analysis: Analysis): DigestWords {
  const { totals, holdings_count, risk, risk_missing, left_out, notes = [], sectors, shocks = [] } = analysis;
  return {
    shared: [`values of ${totals.valued} and costs of ${totals.costed} of ${holdings_count} holdings`],
    missing: [
      ...(risk === undefined ? [`risk: ${risk_missing}`] : []),
      ...(risk?.beta_missing === undefined ? [] : [`beta: ${risk.beta_missing}`]),
      // Without any risk the first line has said why.
      ...toLeftOutLines(left_out?.filter(({ of }) => risk !== undefined || of !== "risk")),
    ],
    notes: [
      ...(risk === undefined ? [] : [`risk class: ${risk.risk_class}, of ${risk.holdings} holdings`]),
      ...shocks.map(toShockLine),
      ...toWeightLines(totals.valued, holdings_count),
      ...notes,
      ...sectors.map(({ sector, symbols }) => `in the sector ${sector}: ${symbols.join(", ")}`),
    ],
  };
}

function toShockLine({ symbol, percent: moved, method, reason, left_out: without = [] }: ShownShock): string {
  const what = `if ${symbol} moves ${moved} %`;
  if (method === "none") return `${what}: no data, ${reason}`;
  const how = method === "beta" ? "each holding moves by its beta" : "only this holding moves, the others stay";
  const open = without.map((one) => `${one.symbol}: ${one.reason}`).join(", ");
  return `${what}: ${how}${open === "" ? "" : `; no data, so not in the effect: ${open}`}`;
}

/** Computes the figures that need only values. */
function spreadOf(loaded: ValuedPortfolio): Omit<Analysis, "holdings" | "origins"> {
  const { holdings, totals } = loaded.valuation;
  const weights = holdings.flatMap(({ weight }) => weight ?? []);
  const spread = concentrationOf(weights) ?? { hhi: 0, effective: 0, topThree: 0 };
  return {
    currency: loaded.currency,
    holdings_count: holdings.length,
    totals: showTotals(totals),
    sectors: bySector(holdings).map(({ sector, value, weight, symbols, changePercent }) => ({
      sector,
      value,
      weight_percent: percent(weight),
      holdings: symbols.length,
      symbols,
      ...omitUndefined({ change_percent: changePercent }),
    })),
    concentration: {
      hhi: tidy(spread.hhi),
      effective_holdings: tidy(spread.effective),
      top_3_percent: percent(spread.topThree),
    },
  };
}

function notesOf({ rates, holdings }: ValuedPortfolio): readonly string[] {
  if (rates.length === 0) return [];
  const isCostConverted = holdings.some(({ lots }) => lots.some(({ cost }) => cost !== undefined));
  return [
    "figures of risk are of prices in each listing's own currency; moves of currencies are not in them",
    ...(isCostConverted ? ["costs are converted at the same rates as values"] : []),
  ];
}

const MAX_REASONS = 10;

function missingOf(leftOut: readonly UnvaluedHolding[]): string {
  const reasons = [...new Set(leftOut.map(({ symbol, reason }) => `${symbol}: ${reason}`))];
  return reasons.slice(0, MAX_REASONS).join("; ") || "no holding has daily prices";
}

function nothingValued({ valuation, enable }: ValuedPortfolio): MarketError {
  const of = valuation.leftOut.filter((one) => one.of === "value");
  return new MarketError("no_data", `no holding has a value today: ${missingOf(of)}`, omitUndefined({ enable }));
}
