/**
 * Returns: simple daily returns of closing prices, of one series or of several on their common days.
 *
 * Fewer than 30 are not enough for any figure of risk; the result says how many there are. A bar without a positive
 * close counts as missing: the return after it spans the gap.
 */
import type { Bars } from "../../market/port/bars.ts";
import { at } from "../indicators/column.ts";

/** The least number of returns that a figure of risk is computed from. */
export const MIN_RETURNS = 30;

/** Too few returns: how many there are, and how many it takes. */
export type NotEnough = Readonly<{ enough: false; count: number; needed: number }>;

/** Daily returns as fractions (0.01 is 1 %), and the closes they are from, which are one more. */
export type Returns =
  | Readonly<{
      enough: true;
      values: Float64Array;
      closes: Float64Array;
      /** Days of the closes, in UTC seconds. */ t: Float64Array;
    }>
  | NotEnough;

/** Returns of several series between the same days: one column a series. */
export type CommonReturns =
  | Readonly<{
      enough: true;
      values: readonly Float64Array[];
      closes: readonly Float64Array[];
      /** Days of the closes, in UTC seconds. */ t: Float64Array;
    }>
  | NotEnough;

const DAY_S = 86_400;

/** The newest `days` daily returns, from one bar more; as many as there are if they are fewer. */
export function toReturns(bars: Bars, days?: number): Returns {
  const common = toCommonReturns([bars], days);
  if (!common.enough) return common;
  const [[values = new Float64Array()], [closes = new Float64Array()]] = [common.values, common.closes];
  return { enough: true, values, closes, t: common.t };
}

/** The newest `days` returns between the days on which every series has a price. */
export function toCommonReturns(series: readonly Bars[], days = Number.POSITIVE_INFINITY): CommonReturns {
  const indices = commonIndices(series);
  const length = indices[0]?.length ?? 0;
  const first = Math.max(0, length - days - 1);
  const count = Math.max(0, length - first - 1);
  if (count < MIN_RETURNS) return { enough: false, count, needed: MIN_RETURNS };
  const pick = (column: Float64Array, at0: readonly number[]) => Float64Array.from(at0, (index) => at(column, index));
  const kept = indices.map((column) => column.slice(first));
  const closes = series.map(({ c }, index) => pick(c, kept[index] ?? []));
  const t = pick(series[0]?.t ?? new Float64Array(), kept[0] ?? []);
  return { enough: true, values: closes.map(simpleReturns), closes, t };
}

/** Simple returns of prices: one less than there are prices. */
export function simpleReturns(prices: Float64Array): Float64Array {
  return prices.subarray(1).map((price, index) => price / at(prices, index) - 1);
}

/** For each series the indices of its bars on the days that all of them have. */
function commonIndices(series: readonly Bars[]): readonly (readonly number[])[] {
  const byDay = series.map(indexByDay);
  const [first, ...others] = byDay;
  const days = [...(first?.keys() ?? [])].filter((day) => others.every((other) => other.has(day)));
  return byDay.map((index) => days.map((day) => index.get(day) ?? -1));
}

/** Indices of the bars that have a price, by day; the last of a day if it has several. */
function indexByDay({ t, c }: Bars): ReadonlyMap<number, number> {
  const index = new Map<number, number>();
  c.forEach((close, bar) => {
    if (close > 0 && Number.isFinite(close)) index.set(Math.floor(at(t, bar) / DAY_S), bar);
  });
  return index;
}
