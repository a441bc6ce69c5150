/**
 * Analyze portfolio: value, profit, weights, sectors, concentration, risk and what-ifs of the user's holdings.
 */
import { z } from "zod";
import { AnySymbol, daysOf } from "../frame/arguments.ts";
import type { DigestWords } from "../frame/digest-frame.ts";
import { defineMarketTool } from "../frame/market-tool.ts";
import { type Analysis, analyse } from "./analysis/analyse.ts";
import { analysisFigures } from "./analysis/analysis-figures.ts";
import type { ShownShock } from "./analysis/what-if.ts";
import { CurrencySchema } from "./set-holding.ts";
import { toLeftOutLines, toWeightLines } from "./valuation/valued-portfolio.ts";

const MAX_SHOCKS = 20;

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
export const analyzePortfolioTool = defineMarketTool({
  name: "analyzePortfolio",
  category: "beyond",
  description:
    "What the user holds together: value, profit or loss, weights, sectors, concentration, volatility, VaR, beta, correlations, what-ifs.",
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
