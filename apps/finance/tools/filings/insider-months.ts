/**
 * Insider months: how many shares insiders bought and sold on the market, by month.
 */
import type { Day } from "../../market/port/market-data.ts";
import { addMonths, toDay, toDayNumber } from "../../market/pack/days.ts";
import { addDays } from "../shared/calendar-day.ts";
import { tidy } from "../shared/number.ts";

/** A month with at least one purchase or sale. */
export interface TradeMonth {
  /** `2026-02`. */
  readonly month: string;
  readonly start: Day;
  readonly end: Day;
  readonly bought_shares?: number;
  readonly sold_shares?: number;
}

type Trade = Readonly<{ day: Day; code: string; is_derivative: boolean; shares?: number }>;

/** Oldest first. */
export function toMonths(trades: readonly Trade[]): readonly TradeMonth[] {
  const found = new Map<string, TradeMonth>();
  for (const { day, code, is_derivative, shares } of trades) {
    if (is_derivative || shares === undefined || (code !== "P" && code !== "S")) continue;
    const month = day.slice(0, 7);
    const known = found.get(month) ?? toMonth(month);
    const { bought_shares = 0, sold_shares = 0 } = known;
    const more =
      code === "P" ? { bought_shares: tidy(bought_shares + shares) } : { sold_shares: tidy(sold_shares + shares) };
    found.set(month, { ...known, ...more });
  }
  return [...found.values()].toSorted((one, other) => (one.month < other.month ? -1 : 1));
}

function toMonth(month: string): TradeMonth {
  const start = `${month}-01`;
  return { month, start, end: addDays(toDay(addMonths(toDayNumber(start), 1)), -1) };
}
