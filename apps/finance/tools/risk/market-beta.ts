/**
 * Market beta: the beta of a listing to the index of its market, on the days that both have.
 */
import type { Period } from "@baton/assistant";
import type { Bars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { toCommonReturns } from "../../math/risk/returns.ts";
import { beta } from "../../math/risk/risk.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { loadDaily, periodOf } from "../shared/daily.ts";
import { tidy } from "../shared/number.ts";

/** Vietnamese exchanges have an index of their own; all else is measured by the S&P 500. */
const INDEX_OF: ReadonlyMap<string, string> = new Map([
  ["HOSE", "^VNINDEX"],
  ["HNX", "^HNXINDEX"],
  ["UPCOM", "^UPCOMINDEX"],
]);

/** The index that the beta of a listing is to. */
export const benchmarkOf = ({ exchange }: Pick<Listing, "exchange">): string => INDEX_OF.get(exchange) ?? "^GSPC";

/** A beta with the window and number of common returns it is of, or why there is none. */
export type MarketBeta = Readonly<{ value: number; window: Period; returns: number }> | Readonly<{ reason: string }>;

/** Days that one of two series may lack. */
const SPARE_DAYS = 10;

/** The beta of bars; the benchmark must be of the same kind and source, because two kinds of data are never blended. */
export async function loadMarketBeta(
  asked: MarketContext,
  of: Pick<Listing, "exchange">,
  { data: bars, provenance, days }: Sourced<Bars> & Readonly<{ days: number }>,
): Promise<MarketBeta> {
  const index = benchmarkOf(of);
  const listing = asked.market.directory.get(index);
  if (listing === undefined) return { reason: `${index} is not known` };
  try {
    // The benchmark may go on after the listing's last day.
    const window = { listing, to: periodOf(bars).end, limit: days + 1 + SPARE_DAYS };
    const market = await loadDaily(asked, window);
    const isSame = market.provenance.kind === provenance.kind && market.provenance.source === provenance.source;
    if (!isSame) return { reason: `the bars of ${index} are ${market.provenance.kind} data of another source` };
    const common = toCommonReturns([bars, market.data], days);
    if (!common.enough) return { reason: `only ${common.count} common daily returns with ${index}` };
    const [own = new Float64Array(), whole = new Float64Array()] = common.values;
    const value = beta(own, whole);
    if (value === undefined) return { reason: `${index} never changed` };
    return { value: tidy(value), window: periodOf(common), returns: own.length };
  } catch (thrown) {
    if (thrown instanceof MarketError) return { reason: thrown.message };
    throw thrown;
  }
}
