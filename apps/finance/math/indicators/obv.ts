/**
 * OBV: on-balance volume: the volume of rising days less that of falling days.
 *
 * As in TA-Lib it starts with the volume of the first bar; an unchanged close adds nothing. Its level depends on where
 * the series starts; only its changes mean something.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "./column.ts";

/** Opens an OBV. */
export function openObv(): { push(close: number, volume: number): number } {
  const state = { previous: Number.NaN, balance: 0 };
  return {
    push(close, volume) {
      state.balance += Number.isNaN(state.previous) ? volume : Math.sign(close - state.previous) * volume;
      state.previous = close;
      return state.balance;
    },
  };
}

/** OBV of bars; it has a value from the first bar on. */
export function obv({ c, v }: Pick<Bars, "c" | "v">): Float64Array {
  const stream = openObv();
  const found = new Float64Array(c.length);
  for (let index = 0; index < c.length; index++) found[index] = stream.push(at(c, index), at(v, index));
  return found;
}
