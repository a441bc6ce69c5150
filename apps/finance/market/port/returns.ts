/**
 * Returns: changes in percent from daily closes, over the spans that people ask for.
 */
import type { Bars } from "./bars.ts";
import type { PriceChange, PriceSpan } from "./market-data.ts";
import { addMonths, DAY_S, toDay, toDayNumber } from "../pack/days.ts";

/** Spans of so many months. */
export const SPAN_MONTHS: readonly (readonly [PriceSpan, number])[] = [
  ["1M", 1],
  ["3M", 3],
  ["6M", 6],
  ["1Y", 12],
  ["3Y", 36],
  ["5Y", 60],
  ["10Y", 120],
];

/** Days of bars that the longest span needs. */
export const CHANGE_DAYS = 3_670;

type Closes = Pick<Bars, "t" | "c">;

/** From the last close on or before the day that lies so far back; a span that the bars do not cover is absent. */
export function toPriceChange({ t, c }: Closes): PriceChange {
  const end = t.length - 1;
  const today = Math.floor((t[end] ?? 0) / DAY_S);
  const yearStart = toDayNumber(`${toDay(today).slice(0, 4)}-01-01`);
  const places: readonly (readonly [PriceSpan, number])[] = [
    ["1D", end - 1],
    ["5D", end - 5],
    ["YTD", lastBefore(t, yearStart)],
    ...SPAN_MONTHS.map(([span, months]) => [span, lastBefore(t, addMonths(today, -months) + 1)] as const),
  ];
  const known = places.flatMap(([span, from]) => {
    const percent = toPercent(c[from], c[end]);
    return percent === undefined ? [] : [[span, percent] as const];
  });
  return Object.fromEntries(known);
}

/** The place of the last bar before a day; -1 if there is none. */
const lastBefore = (t: Float64Array, day: number): number => t.findLastIndex((seconds) => seconds < day * DAY_S);

function toPercent(from: number | undefined, to: number | undefined): number | undefined {
  const percent = ((to ?? Number.NaN) / (from ?? Number.NaN) - 1) * 100;
  return Number.isFinite(percent) ? percent : undefined;
}
