/**
 * Market beta: the beta of a listing to the S&P 500, on the days that both have.
 */
import type { Period } from "@baton/assistant";
import type { Bars } from "../../market/port/bars.ts";
import { MarketError } from "../../market/port/market-error.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import { toCommonReturns } from "../../math/risk/returns.ts";
import { beta } from "../../math/risk/risk.ts";
import type { MarketContext } from "../frame/market-tool.ts";
import { loadDaily, periodOf } from "../shared/daily.ts";
import { tidy } from "../shared/number.ts";

/** The index that betas are to. */
export const MARKET = "^GSPC";

/** A beta with the window and number of common returns it is of, or why there is none. */
export type MarketBeta = Readonly<{ value: number; window: Period; returns: number }> | Readonly<{ reason: string }>;

/** Days that one of two series may lack. */
const SPARE_DAYS = 10;

/** The beta of bars; the benchmark must be of the same kind and source, because two kinds of data are never blended. */
export async function loadMarketBeta(
  asked: MarketContext,
  { data: bars, provenance }: Sourced<Bars>,
  days: number,
): Promise<MarketBeta> {
  const listing = asked.market.directory.get(MARKET);
  if (listing === undefined) return { reason: `${MARKET} is not known` };
  try {
    // The benchmark may go on after the listing's last day.
    const window = { listing, to: periodOf(bars).end, limit: days + 1 + SPARE_DAYS };
    const market = await loadDaily(asked, window);
    const isSame = market.provenance.kind === provenance.kind && market.provenance.source === provenance.source;
    if (!isSame) return { reason: `the bars of ${MARKET} are ${market.provenance.kind} data of another source` };
    const common = toCommonReturns([bars, market.data], days);
    if (!common.enough) return { reason: `only ${common.count} common daily returns with ${MARKET}` };
    const [own = new Float64Array(), of = new Float64Array()] = common.values;
    const value = beta(own, of);
    if (value === undefined) return { reason: `${MARKET} never changed` };
    return { value: tidy(value), window: periodOf(common), returns: own.length };
  } catch (thrown) {
    if (thrown instanceof MarketError) return { reason: thrown.message };
    throw thrown;
  }
}
