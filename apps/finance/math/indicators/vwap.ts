/**
 * VWAP: the typical price, (high + low + close) / 3, weighted by volume, over the last n bars.
 *
 * It rolls because daily bars have no session to start from; for one day of intraday bars give as many bars as the day
 * has. A window without any volume, as an index may have, has no VWAP: it is NaN.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "./column.ts";
import { openMoments } from "./window.ts";

/** The price that VWAP weighs. */
export function typicalPrice(high: number, low: number, close: number): number {
  return (high + low + close) / 3;
}

/** VWAP of bars; the first `period - 1` values are NaN. */
export function vwap({ h, l, c, v }: Pick<Bars, "h" | "l" | "c" | "v">, period = 20): Float64Array {
  const [amounts, volumes] = [openMoments(period), openMoments(period)];
  return c.map((close, index) => {
    const volume = at(v, index);
    const amount = amounts.push(typicalPrice(at(h, index), at(l, index), close) * volume);
    const weight = volumes.push(volume);
    return weight === 0 ? Number.NaN : amount / weight;
  });
}
