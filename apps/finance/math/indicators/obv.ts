/**
 * OBV: on-balance volume: the volume of rising days less that of falling days.
 *
 * As in TA-Lib it starts with the volume of the first bar; an unchanged close adds nothing. Its level depends on where
 * the series starts; only its changes mean something.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "./column.ts";

/** OBV of bars; it has a value from the first bar on. */
export function obv({ c, v }: Pick<Bars, "c" | "v">): Float64Array {
  let balance = 0;
  return c.map((close, index) => {
    balance += index === 0 ? at(v, 0) : Math.sign(close - at(c, index - 1)) * at(v, index);
    return balance;
  });
}
