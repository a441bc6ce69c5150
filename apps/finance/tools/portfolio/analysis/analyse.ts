/**
 * Analyse: the user's holdings together: value, weights, sectors, concentration, risk and what-ifs.
 */
import { omitUndefined } from "@baton/core/util";
import { MarketError } from "../../../market/port/market-error.ts";
import type { MarketContext } from "../../frame/market-tool.ts";
import { percentOf as percent, tidy } from "../../shared/number.ts";
import { toCurrency } from "../valuation/currency.ts";
import { bySector, concentrationOf, type UnvaluedHolding } from "../valuation/valuation.ts";
import {
  derive,
  loadValued,
  requireHoldings,
  showHolding,
  showTotals,
  type ValuedPortfolio,
} from "../valuation/valued-portfolio.ts";
import { analyseRisk, type HoldingRisk } from "./analysis.ts";
import { loadShocks, type Shock } from "./what-if.ts";

const MAX_SHOWN = 100;

/** Query of an analysis. */
export interface AnalysisQuery {
  readonly shocks?: readonly Shock[] | undefined;
  readonly confidence: number;
  readonly days: number;
  readonly currency?: string | undefined;
}

/** The holdings together, with their risk and what moves would do to them. */
export async function analyse({ shocks = [], confidence, days, currency }: AnalysisQuery, asked: MarketContext) {
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
  const data = {
    ...spreadOf(loaded),
    holdings: valuation.holdings.slice(0, MAX_SHOWN).map((one) => {
      const { lots: _lots, ...shown } = showHolding(one);
      return { ...shown, ...omitUndefined(risk.byHolding.get(shown.symbol) ?? noRisk()) };
    }),
    ...omitUndefined({ risk: risk.risk, correlation: risk.correlation }),
    ...omitUndefined({
      risk_missing: risk.risk === undefined ? missingOf(risk.leftOut) : undefined,
      shocks: tried?.shocks,
      all_shocks: tried?.together,
      left_out: leftOut.length === 0 ? undefined : leftOut.slice(0, 2 * MAX_SHOWN),
      rates: loaded.rates.length === 0 ? undefined : loaded.rates,
      notes: notes.length === 0 ? undefined : notes,
    }),
    origins: {
      value: derive(origins, owned.length),
      ...omitUndefined({ risk: riskOrigins.length === 0 ? undefined : derive(riskOrigins, owned.length) }),
      entered: loaded.ownOrigin,
    },
  };
  return { data, provenance: derive([...origins, ...riskOrigins], owned.length) };
}

const noRisk = (): HoldingRisk => ({});

/** The whole analysis. */
export type Analysis = Awaited<ReturnType<typeof analyse>>["data"];

/** Computes the figures that need only values. */
function spreadOf(loaded: ValuedPortfolio) {
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
