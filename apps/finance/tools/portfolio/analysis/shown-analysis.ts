/**
 * Shown analysis: the shape of what an analysis of the portfolio says.
 */
import type { Provenance } from "../../../market/port/provenance.ts";
import type { HoldingRisk, ShownCorrelation, ShownRisk } from "./analysis.ts";
import type { CurrencyRate } from "../valuation/load-prices.ts";
import type { UnvaluedHolding } from "../valuation/valuation.ts";
import type { ShownHolding, ShownTotals } from "../valuation/valued-portfolio.ts";
import type { ShownShock, ShownShocks } from "./what-if.ts";

/** A holding with its part of the risk. */
export type AnalysedHolding = Omit<ShownHolding, "lots"> & HoldingRisk;

/** The holdings of a sector, as results show them. */
export interface ShownSector {
  readonly sector: string;
  readonly value: number;
  readonly weight_percent: number;
  readonly holdings: number;
  readonly symbols: readonly string[];
  readonly change_percent?: number;
}

/** The whole analysis. */
export interface Analysis {
  readonly currency: string;
  readonly holdings_count: number;
  readonly totals: ShownTotals;
  readonly holdings: readonly AnalysedHolding[];
  readonly sectors: readonly ShownSector[];
  readonly concentration: Readonly<{
    hhi: number;
    effective_holdings: number;
    top_3_percent: number;
  }>;
  readonly risk?: ShownRisk;
  readonly risk_missing?: string;
  readonly correlation?: ShownCorrelation;
  readonly shocks?: readonly ShownShock[];
  readonly all_shocks?: ShownShocks["together"];
  readonly left_out?: readonly UnvaluedHolding[];
  readonly rates?: readonly CurrencyRate[];
  readonly notes?: readonly string[];
  /** Where values come from, where risk does, and where what the user said does. */
  readonly origins: Readonly<{ value: Provenance; risk?: Provenance; entered: Provenance }>;
}
