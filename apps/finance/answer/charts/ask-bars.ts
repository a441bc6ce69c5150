/**
 * Ask bars: the line of latest closes on a price card and the bars of a coin whose result holds none.
 *
 * They are asked for when a chart is drawn, and say their own origin. Figures of an answer never come from here.
 */
import { omitUndefined } from "@baton/core/util";
import { type Bars, sliceBars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import type { CoinBars, CoinInterval } from "../../market/port/market-data.ts";
import type { Sourced } from "../../market/port/provenance.ts";
import type { ChartBar, ChartPoint } from "./chart.ts";
import type { ChartSources, ChartOrigin } from "./chart-input.ts";

/** Bars as rows, oldest first, and where they come from. */
export type Rows = Readonly<{
  bars: readonly ChartBar[];
  provenance: ChartOrigin;
  interval: string;
  /** If it is not the listing's. */
  currency?: string;
}>;

/** Bars of a coin. */
export async function askCoin(
  listing: Listing,
  { interval, limit }: Readonly<{ interval: CoinInterval; limit: number }>,
  { market, scope }: ChartSources,
): Promise<Rows> {
  return toRows(await market.coinBars({ listing, interval, limit }, scope), interval);
}

function toRows({ data, provenance }: Sourced<CoinBars>, interval: string): Rows {
  return { bars: toBars(data), provenance: { ...provenance }, interval, ...omitUndefined({ currency: data.currency }) };
}

/** Columns as rows; what is not a number is a gap, and a bar without any price is left out. */
function toBars({ t, o, h, l, c, v }: Bars): readonly ChartBar[] {
  const rows = Array.from(t, (at, index): ChartBar => ({
    t: at,
    o: toValue(o[index]),
    h: toValue(h[index]),
    l: toValue(l[index]),
    c: toValue(c[index]),
    v: toValue(v[index]),
  }));
  return rows.filter(({ t: at, c: close }) => Number.isSafeInteger(at) && close !== null);
}

const toValue = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) ? value : null;

/** The closes of bars. */
export const toCloses = (bars: readonly ChartBar[]): ChartPoint[] => bars.map(({ t, c }) => [t, c]);

/** The newest closes of a listing. */
export async function askSpark(listing: Listing, asking: ChartSources): Promise<Rows> {
  const { data, provenance } = await asking.market.bars({ listing, adjust: "split", limit: SPARK_BARS }, asking.scope);
  const newest = sliceBars(data, Math.max(0, data.t.length - SPARK_BARS));
  return toRows({ data: newest, provenance }, "1day");
}

/** Three months of trading days. */
const SPARK_BARS = 63;
