/**
 * Compare names: what metrics and groups of metrics are called in a comparison, in any spelling.
 */
import { COMPARE_METRICS } from "./compare-cell.ts";

/** The metric of pairs. */
export const CORRELATION = "correlation";

/** Names that stand for several metrics. */
export const GROUPS = {
  valuation: ["market_cap", "pe", "pb", "ps", "ev_to_ebitda", "fcf_yield"],
  growth: ["revenue_growth", "net_income_growth", "eps_growth", "revenue_cagr"],
  margins: ["gross_margin", "operating_margin", "net_margin", "fcf_margin"],
  returns: ["roe", "roic"],
  debt: ["debt_to_equity", "altman_z"],
  dividend: ["dividend_yield", "payout"],
  risk: ["volatility", "drawdown", "beta", "sharpe"],
  quality: ["piotroski", "altman_z", "roic", "fcf_margin"],
  cagr: ["revenue_cagr", "net_income_cagr"],
} as const;

/** Other spellings, without anything but letters and digits. */
const ALSO: ReadonlyMap<string, string> = new Map(
  Object.entries({
    margin: "margins",
    evebitda: "ev_to_ebitda",
    altman: "altman_z",
    altmanzscore: "altman_z",
    piotroskif: "piotroski",
    piotroskiscore: "piotroski",
    piotroskifscore: "piotroski",
    maxdrawdown: "drawdown",
    maximumdrawdown: "drawdown",
    freecashflowyield: "fcf_yield",
    peratio: "pe",
    price: "market_cap",
  }),
);

/** A name without anything but letters and digits. */
export const toPlainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Every name that is offered. */
export const OFFERED = [...Object.keys(GROUPS), ...COMPARE_METRICS.keys(), CORRELATION];
const BY_NAME: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...[...COMPARE_METRICS.keys(), CORRELATION].map((name) => [toPlainName(name), [name]] as const),
  ...Object.entries(GROUPS).map(([name, group]) => [name, group] as const),
]);

/** The metrics that a name means; none if it is not known. */
export function toMetricNames(name: string): readonly string[] {
  const plain = toPlainName(name);
  return BY_NAME.get(plain) ?? BY_NAME.get(toPlainName(ALSO.get(plain) ?? "")) ?? [];
}
