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

/** Opens a VWAP of the last `period` bars. */
export function openVwap(period: number): { push(price: number, volume: number): number } {
  const [amounts, volumes] = [openMoments(period), openMoments(period)];
  return {
    push(price, volume) {
      const amount = amounts.push(price * volume);
      const weight = volumes.push(volume);
      return weight === 0 ? Number.NaN : amount / weight;
    },
  };
}

/** VWAP of bars; the first `period - 1` values are NaN. */
export function vwap({ h, l, c, v }: Pick<Bars, "h" | "l" | "c" | "v">, period = 20): Float64Array {
  const stream = openVwap(period);
  const found = new Float64Array(c.length);
  for (let index = 0; index < c.length; index++)
    found[index] = stream.push(typicalPrice(at(h, index), at(l, index), at(c, index)), at(v, index));
  return found;
}
