/**
 * OBV: on-balance volume: the volume of rising days less that of falling days.
 *
 * As in TA-Lib it starts with the volume of the first bar; an unchanged close adds nothing. Its level depends on where
 * the series starts; only its changes mean something.
 */
import type { Bars } from "../data/bars.ts";
import { at } from "./column.ts";

/** Opens an OBV. */
export function openObv(): { push(close: number, volume: number): number } {
  let previous: number | undefined;
  let balance = 0;
  return {
    push(close, volume) {
      balance += previous === undefined ? volume : Math.sign(close - previous) * volume;
      previous = close;
      return balance;
    },
  };
}

/** OBV of bars; it has a value from the first bar on. */
export function obv({ c, v }: Pick<Bars, "c" | "v">): Float64Array {
  const stream = openObv();
  return c.map((close, index) => stream.push(close, at(v, index)));
}
