/**
 * Returns: changes in percent from daily closes. The return of a window is its last close over the close before its
 * first day: a year's is over the last close of the year before.
 */
import type { Bars } from "./bars.ts";
import type { Day, PriceChange, PriceSpan } from "./market-data.ts";
import { addMonths, DAY_S, toDay, toDayNumber } from "../pack/days.ts";

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

/** Days before a window in which the close before its first day is found; no market is closed longer. */
export const RETURN_LEAD_DAYS = 14;

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
    ...MONTHS.map(([span, months]) => [span, lastBefore(t, addMonths(today, -months) + 1)] as const),
  ];
  const known = places.flatMap(([span, from]) => {
    const percent = toPercent(c[from], c[end]);
    return percent === undefined ? [] : [[span, percent] as const];
  });
  return Object.fromEntries(known);
}

/** The return of a window of days. */
export interface WindowReturn {
  readonly percent: number;
  /** The close that the window starts from, and its day. */
  readonly from: Readonly<{ day: Day; close: number }>;
  readonly to: Readonly<{ day: Day; close: number }>;
  /** The bars begin within the window: `from` is its first close instead of the one before. */
  readonly isCut: boolean;
}

/**
 * The return from `from` to `to`, both included; without them, of all bars. The bars should begin some days before the
 * window (`RETURN_LEAD_DAYS`). Undefined if fewer than two closes are known.
 */
export function toWindowReturn(
  { t, c }: Closes,
  { from, to }: Readonly<{ from?: Day; to?: Day }>,
): WindowReturn | undefined {
  const start = from === undefined ? -1 : lastBefore(t, toDayNumber(from));
  const end = to === undefined ? t.length - 1 : lastBefore(t, toDayNumber(to) + 1);
  const first = Math.max(start, 0);
  const percent = toPercent(c[first], c[end]);
  if (percent === undefined || end <= first) return undefined;
  return { percent, from: closeAt({ t, c }, first), to: closeAt({ t, c }, end), isCut: start < 0 };
}

/** The place of the last bar before a day; -1 if there is none. */
const lastBefore = (t: Float64Array, day: number): number => t.findLastIndex((seconds) => seconds < day * DAY_S);

const closeAt = ({ t, c }: Closes, at: number) => ({ day: toDay(Math.floor((t[at] ?? 0) / DAY_S)), close: c[at] ?? 0 });

function toPercent(from: number | undefined, to: number | undefined): number | undefined {
  const percent = ((to ?? Number.NaN) / (from ?? Number.NaN) - 1) * 100;
  return Number.isFinite(percent) ? percent : undefined;
}
