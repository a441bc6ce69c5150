/**
 * Get portfolio: what the user holds, with today's prices beside it, and the short text of it for prompts.
 */
import type { Figure } from "@baton/assistant";
import { defineTool, type Tool } from "@baton/core";
import type { Documents } from "@baton/core/ports";
import { estimateTokens, omitUndefined } from "@baton/core/util";
import { z } from "zod";
import type { Provenance, Sourced } from "../../market/port/provenance.ts";
import type { DigestWords } from "../frame/digest-frame.ts";
import { defineMarketTool, type MarketContext } from "../frame/market-tool.ts";
import { analysisFigures } from "./analysis/analysis-figures.ts";
import { type Analysis, analyse } from "./analysis/analyse.ts";
import { ShockList, toAnalysisWords } from "./analyze-portfolio.ts";
import { averageCostOf, type Holding, quantityOf } from "./holding.ts";
import { readPortfolio } from "./holdings.ts";
import { ofOrigin } from "../shared/figures.ts";
import { dated, holdingFigures, lotFigures, rateFigure, totalFigures } from "./valuation/portfolio-figures.ts";
import {
  derive,
  loadValued,
  requireHoldings,
  showHolding,
  showTotals,
  toLeftOutLines,
  toWeightLines,
} from "./valuation/valued-portfolio.ts";

const MAX_SHOWN = 200;

type Shown = Awaited<ReturnType<typeof loadShown>>["data"];

/** Whether the risk was asked for. */
const isAnalysis = (data: Shown | Analysis): data is Analysis => "concentration" in data;

/** The user's holdings at today's prices. */
export const portfolioTool = defineMarketTool({
  name: "getPortfolio",
  category: "beyond",
  description:
    "What the user holds: value, cost, profit or loss, weights; with risk: volatility, VaR, beta, sectors, " +
    "correlations, and what-ifs.",
  isCommon: true,
  chart: { type: "showStockHeatmap", about: "holdings" },
  input: z.strictObject({
    with_risk: z.boolean().default(false).describe("Default false"),
    shocks: ShockList.optional(),
  }),
  ttlMs: 0,
  isOfUser: true,
  timeoutMs: 60_000,
  run: async ({ with_risk, shocks }, asked): Promise<Sourced<Shown | Analysis>> =>
    with_risk || shocks !== undefined ? analyse({ ...RISK, shocks }, asked) : loadShown(asked),
  figures: (data, provenance) =>
    isAnalysis(data) ? analysisFigures(data, provenance) : shownFigures(data, provenance),
  digest: (data) => (isAnalysis(data) ? toAnalysisWords(data) : toShownWords(data)),
});

const RISK = { confidence: 0.95, days: 252 } as const;

async function loadShown(asked: MarketContext) {
  const owned = await requireHoldings(asked);
  const loaded = await loadValued(asked, owned, { detail: "price" });
  const { currency, valuation, rates, origins } = loaded;
  const accounts = new Set(owned.flatMap(({ lots }) => lots.flatMap(({ account }) => account ?? [])));
  const data = {
    holdings_count: owned.length,
    currency,
    totals: showTotals(valuation.totals),
    holdings: valuation.holdings.slice(0, MAX_SHOWN).map(showHolding),
    accounts: [...accounts].toSorted(),
    ...omitUndefined({
      left_out: valuation.leftOut.length === 0 ? undefined : valuation.leftOut.slice(0, MAX_SHOWN),
      rates: rates.length === 0 ? undefined : rates,
    }),
    /** Where what the user said comes from. */
    entered: loaded.ownOrigin,
  };
  return { data, provenance: origins.length === 0 ? loaded.ownOrigin : derive(origins, owned.length) };
}

const toShownWords = ({ left_out, holdings_count, totals: { valued, costed } }: Shown): DigestWords => ({
  shared: [`values of ${valued} and costs of ${costed} of ${holdings_count} holdings`],
  missing: toLeftOutLines(left_out),
  notes: toWeightLines(valued, holdings_count),
});

function shownFigures(data: Shown, provenance: Provenance): readonly Figure[] {
  return dated(
    [
      ...totalFigures(data.totals, data.currency),
      ...data.holdings.flatMap((holding, at) =>
        holdingFigures(holding, { place: `data.holdings[${at}]`, currency: data.currency, origins: data }),
      ),
      ...(data.rates ?? []).map(rateFigure),
      ...ofOrigin(
        data.holdings.flatMap((holding, at) => lotFigures(`data.holdings[${at}]`, holding)),
        data.entered,
      ),
    ],
    provenance,
  );
}

/** The text of the portfolio has at most so many tokens. */
const MAX_TOKENS = 600;

/** The portfolio as short lines for a prompt. */
export function loadPortfolio(): Tool {
  return defineTool({
    name: "loadPortfolio",
    description: "Short lines about the user's portfolio, for the context of an answer.",
    effect: "read",
    input: z.strictObject({}),
    run: async (_input, { documents }) => ({ text: await toText(documents) }),
  });
}

async function toText(documents: Documents): Promise<string> {
  const { holdings } = await readPortfolio(documents);
  if (holdings.length === 0) return "";
  const lines = bySize(holdings).map(toLine);
  const head = `The user's portfolio, ${lines.length} ${lines.length === 1 ? "holding" : "holdings"}, largest cost first:`;
  for (let shown = lines.length; shown > 0; shown--) {
    const rest = lines.length - shown;
    const text = [head, ...lines.slice(0, shown), ...(rest === 0 ? [] : [`and ${rest} more`])].join("\n");
    if (estimateTokens({ role: "user", content: text }) <= MAX_TOKENS) return text;
  }
  return head;
}

/** By cost within a currency, the currency of the most holdings first; what has no cost is last. */
function bySize(holdings: readonly Holding[]): readonly Holding[] {
  const counts = new Map<string, number>();
  const sized = holdings.map((holding) => {
    const average = averageCostOf(holding.lots);
    const currency = average?.currency ?? holding.listing.currency;
    counts.set(currency, (counts.get(currency) ?? 0) + 1);
    return { holding, currency, cost: average === undefined ? -1 : average.average * quantityOf(holding.lots) };
  });
  return sized
    .toSorted((a, b) => {
      const byCurrency = (counts.get(b.currency) ?? 0) - (counts.get(a.currency) ?? 0);
      return byCurrency || (a.currency < b.currency ? -1 : a.currency > b.currency ? 1 : b.cost - a.cost);
    })
    .map(({ holding }) => holding);
}

function toLine({ listing, lots }: Holding): string {
  const average = averageCostOf(lots);
  const accounts = [...new Set(lots.flatMap(({ account }) => account ?? []))];
  const unit = listing.type === "crypto" ? "coins" : "shares";
  return [
    `- ${listing.symbol} (${listing.name}): ${quantityOf(lots)} ${unit}`,
    ...(average === undefined ? [] : [`average cost ${Number(average.average.toPrecision(8))} ${average.currency}`]),
    ...(accounts.length === 0 ? [] : [`account ${accounts.join(", ")}`]),
  ].join(", ");
}
