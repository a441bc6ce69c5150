/**
 * Span period: the days that a price change is over, such as `3M` to a day.
 *
 * A change counts from the last close on or before the day that lies so far back; `YTD` from the last of the year before.
 */
import type { Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Day, PriceSpan } from "../../market/port/market-data.ts";
import { SPAN_MONTHS } from "../../market/port/returns.ts";
import { tradingDays } from "../../market/port/market-hours.ts";
import { addMonths, toDay, toDayNumber } from "../../market/pack/days.ts";
import { addDays } from "../shared/calendar-day.ts";

const MONTHS: ReadonlyMap<PriceSpan, number> = new Map(SPAN_MONTHS);
const TRADING_DAYS: ReadonlyMap<PriceSpan, number> = new Map<PriceSpan, number>([
  ["1D", 1],
  ["5D", 5],
]);
/** More days than five trading days ever took. */
const LOOK_BACK_DAYS = 20;

/** The last trading day up to a day. */
export const lastTradingDay = (day: Day): Day => tradingDays(addDays(day, -LOOK_BACK_DAYS), day).at(-1) ?? day;

/** From the close that a change counts from to the day it ends on, by the days of American markets. */
export function toSpanPeriod(span: PriceSpan, end: Day): Period {
  return { ...omitUndefined({ start: findStart(span, end) }), end };
}

function findStart(span: PriceSpan, end: Day): Day | undefined {
  const days = TRADING_DAYS.get(span);
  if (days !== undefined) return tradingDays(addDays(end, -LOOK_BACK_DAYS), addDays(end, -1)).at(-days);
  if (span === "YTD") return lastTradingDay(`${Number(end.slice(0, 4)) - 1}-12-31`);
  const months = MONTHS.get(span);
  return months === undefined ? undefined : lastTradingDay(toDay(addMonths(toDayNumber(end), -months)));
}
