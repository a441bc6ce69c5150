/**
 * Closed days: says that a window without prices has no trading day, so that a holiday is not taken for missing data.
 */
import { omitUndefined } from "@baton/core/util";
import type { Day } from "../../market/port/market-data.ts";
import { MarketError } from "../../market/port/market-error.ts";
import { tradingDays } from "../../market/port/market-hours.ts";
import { addDays } from "./calendar-day.ts";

/** More days than markets were ever closed in a row. */
const LOOK_BACK_DAYS = 12;

type Window = Readonly<{ from: Day; to: Day }>;

/** That American markets were closed on every day of a window; undefined if they were open on one. */
export function toClosed({ from, to }: Window, symbol?: string): MarketError | undefined {
  if (tradingDays(from, to).length > 0) return undefined;
  const days = from === to ? `on ${from}` : `on every day from ${from} to ${to}`;
  const last = tradingDays(addDays(from, -LOOK_BACK_DAYS), from).at(-1);
  const available = last === undefined ? undefined : `the last trading day before is ${last}`;
  return new MarketError("no_data", `US markets were closed ${days}`, omitUndefined({ symbol, available }));
}

/**
 * Returns the error to throw instead of no data: that the market was closed, if it was, and the data that the source
 * says it has.
 */
export function explainNone(thrown: unknown, closed: () => MarketError | undefined): unknown {
  const none = thrown instanceof MarketError && thrown.kind === "no_data" ? closed() : undefined;
  if (none === undefined || !(thrown instanceof MarketError)) return thrown;
  return new MarketError("no_data", none.message, { ...none.details, ...thrown.details });
}
