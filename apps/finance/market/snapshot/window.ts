/**
 * Window: the part of a series that a query asks for.
 */
import { type Bars, sliceBars } from "../port/bars.ts";
import type { BarsQuery, Day } from "../port/market-data.ts";
import { DAY_S, toDay, toDayNumber } from "../pack/days.ts";

/** The first and the last day of a series. */
export function daysOf({ t }: Bars): { first: Day; last: Day } {
  return { first: toDay(Math.floor((t[0] ?? 0) / DAY_S)), last: toDay(Math.floor((t.at(-1) ?? 0) / DAY_S)) };
}

/** The bars from one day to another, both included; without a first day, the newest `limit` of them. */
export function cutBars(bars: Bars, { from, to, limit }: Pick<BarsQuery, "from" | "to" | "limit">): Bars {
  const start = from === undefined ? 0 : firstAtOrAfter(bars.t, toDayNumber(from) * DAY_S);
  const end = to === undefined ? bars.t.length : firstAtOrAfter(bars.t, (toDayNumber(to) + 1) * DAY_S);
  const first = from === undefined && limit !== undefined ? Math.max(0, end - limit) : start;
  return sliceBars(bars, first, Math.max(first, end));
}

/** The index of the last bar on a day or before it; -1 if there is none. */
export function lastOnOrBefore({ t }: Bars, dayNumber: number): number {
  return firstAtOrAfter(t, (dayNumber + 1) * DAY_S) - 1;
}

function firstAtOrAfter(t: Float64Array, seconds: number): number {
  let low = 0;
  let high = t.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((t[middle] ?? 0) < seconds) low = middle + 1;
    else high = middle;
  }
  return low;
}
