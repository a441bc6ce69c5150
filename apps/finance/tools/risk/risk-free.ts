/**
 * Risk-free rate: what was given, else the 3-month Treasury of a day if a source has it, else 4.5 %.
 */
import type { DataKind, Figure, Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Rate } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { citeFields } from "../shared/figures.ts";

/** An annual rate as a fraction, and where it comes from. */
export interface RiskFree {
  readonly rate: number;
  readonly from: "given" | "treasury" | "default";
  /** The day of a Treasury rate. */
  readonly day?: string;
  readonly source?: string;
  readonly kind?: DataKind;
  readonly as_of?: string;
  /** Why the default stands in, if a source was asked and failed. */
  readonly reason?: string;
}

export const DEFAULT_RATE = 0.045;

/** Maximum age of a rate in days: it spans holidays and long weekends. */
const MAX_AGE_DAYS = 7;
const DAY_MS = 86_400_000;

/** The risk-free rate of a day, YYYY-MM-DD. */
export async function loadRiskFree(asked: MarketContext, day: string, given?: number): Promise<RiskFree> {
  if (given !== undefined) return { rate: given, from: "given" };
  const from = new Date(Date.parse(`${day}T00:00:00Z`) - MAX_AGE_DAYS * DAY_MS).toISOString().slice(0, 10);
  try {
    const query = { series: "treasury_curve", from, to: day };
    const { data, provenance } = await asked.market.rates(query, asked.context.scope);
    const found = newestOf(data.filter((rate) => isThreeMonths(rate) && rate.day >= from && rate.day <= day));
    if (found === undefined) return { rate: DEFAULT_RATE, from: "default" };
    const { source, kind, as_of } = provenance;
    return { rate: found.percent / 100, from: "treasury", day: found.day, source, kind, as_of };
  } catch (thrown) {
    if (!(thrown instanceof MarketError)) throw thrown;
    const isOff = thrown.kind === "not_configured" || thrown.kind === "no_data";
    return {
      rate: DEFAULT_RATE,
      from: "default",
      ...(isOff ? {} : { reason: `the Treasury's rates: ${thrown.kind}` }),
    };
  }
}

/** However a source calls it: `3 Mo`, `month3`, `3-month`, `3M`. */
function isThreeMonths({ name, percent }: Rate): boolean {
  const letters = name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
  return Number.isFinite(percent) && ["3m", "3mo", "3month", "3months", "month3", "m3"].includes(letters);
}

function newestOf(rates: readonly Rate[]): Rate | undefined {
  return rates.toSorted((one, other) => (one.day < other.day ? 1 : -1))[0];
}

/** A rate as results show it. */
export type ShownRate = Omit<RiskFree, "rate"> & Readonly<{ rate_percent: number }>;

/** The rate with where it comes from, which is not where the prices do; one that was given is not evidence. */
export function citeRate(
  of: Readonly<{ symbol: string; window: Period }>,
  place: string,
  risk_free: ShownRate,
): readonly Figure[] {
  const { from, day, source, kind, as_of: asOf } = risk_free;
  if (from === "given") return [];
  const owner = { symbol: of.symbol, currency: "", period: { end: day ?? of.window.end } };
  const rows = [["risk_free.rate_percent", "percent", "risk-free rate"]] as const;
  return citeFields(owner, [place, { risk_free }], rows).map((figure) => ({
    ...figure,
    ...omitUndefined({ source, kind, asOf }),
  }));
}
