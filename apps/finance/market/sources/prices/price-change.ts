/**
 * Price change: in percent over usual spans, from daily closes.
 */
import type { Bars } from "../../port/bars.ts";
import type { PriceChange, PriceSpan } from "../../port/market-data.ts";
import { addMonths, DAY_S, toDay, toDayNumber } from "../../pack/days.ts";

const MONTHS: readonly (readonly [PriceSpan, number])[] = [
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

/** From the last close on or before the day that lies so far back; a span that the bars do not cover is absent. */
export function changesOf({ t, c }: Pick<Bars, "t" | "c">): PriceChange {
  const end = t.length - 1;
  const today = Math.floor((t[end] ?? 0) / DAY_S);
  const yearStart = toDayNumber(`${toDay(today).slice(0, 4)}-01-01`);
  const before = (day: number) => t.findLastIndex((seconds) => seconds <= day * DAY_S);
  const places: readonly (readonly [PriceSpan, number])[] = [
    ["1D", end - 1],
    ["5D", end - 5],
    ["YTD", before(yearStart - 1)],
    ...MONTHS.map(([span, months]) => [span, before(addMonths(today, -months))] as const),
  ];
  const known = places.flatMap(([span, from]) => {
    const percent = ((c[end] ?? Number.NaN) / (c[from] ?? Number.NaN) - 1) * 100;
    return Number.isFinite(percent) ? [[span, percent] as const] : [];
  });
  return Object.fromEntries(known);
}
