/**
 * Clean bars: daily and intraday bars of the sources, joined only if the files agree and are adjusted in the same way.
 */
import type { Adjust } from "../port/provenance.ts";
import { DAY_S, toDay, toDayNumber } from "./days.ts";
import { parseDelimited, toNumber } from "./delimited.ts";

/** One bar; `t` is UTC seconds. */
export type PackBar = Readonly<{ t: number; o: number; h: number; l: number; c: number; v: number }>;

/** A series as it is packed. */
export interface CleanSeries {
  readonly symbol: string;
  readonly interval: "1day" | "1min";
  readonly adjust: Adjust;
  readonly source: string;
  readonly bars: readonly PackBar[];
  /** A caution for the reader of these prices. */
  readonly note: string;
}

/** The differences between two files on the days that both have. */
export interface BarsOverlap {
  readonly symbol: string;
  readonly kept: string;
  readonly dropped: string;
  readonly days: number;
  /** The largest relative difference of two closes. */
  readonly maxCloseDifference: number;
  /** Days on which any price differs by more than one hundredth of a percent, or of one cent. */
  readonly pricesDiffer: number;
  readonly volumesDiffer: number;
}

/** Bars from a file, oldest first. Text without an offset is UTC. */
export function parseBars(text: string, separator: string): readonly PackBar[] {
  const bars = parseDelimited(text, separator).map((record) => {
    const price = (name: string) => round(toNumber(record.get(name)), 6);
    return {
      t: toSeconds(record.get("date") ?? ""),
      o: price("open"),
      h: price("high"),
      l: price("low"),
      c: price("close"),
      v: round(toNumber(record.get("volume")), 8),
    };
  });
  return bars.toSorted((a, b) => a.t - b.t);
}

function toSeconds(date: string): number {
  if (date.length === 10) return toDayNumber(date) * DAY_S;
  return Date.parse(`${date.slice(0, 10)}T${date.slice(11)}Z`) / 1000;
}

/**
 * Returns the first fault of a series, if any: every bar must be finite, positive, consistent and later than the last.
 */
export function faultOf(bars: readonly PackBar[]): string | undefined {
  let before = Number.NEGATIVE_INFINITY;
  for (const { t, o, h, l, c, v } of bars) {
    const isSound = Number.isFinite(t) && l > 0 && l <= Math.min(o, c) && h >= Math.max(o, c) && v >= 0;
    if (!isSound || h === Number.POSITIVE_INFINITY || v === Number.POSITIVE_INFINITY) return `bar of ${t} is not sound`;
    if (t <= before) return `bar of ${t} is not after ${before}`;
    before = t;
  }
  return undefined;
}

/** The older file up to the newer one's first day, then the newer one. The days that both have must agree. */
export function joinBars(
  { older, newer }: { older: readonly PackBar[]; newer: readonly PackBar[] },
  names: { symbol: string; kept: string; dropped: string },
): { bars: readonly PackBar[]; overlap: BarsOverlap } {
  const start = newer[0]?.t ?? Number.POSITIVE_INFINITY;
  const end = older.at(-1)?.t ?? Number.NEGATIVE_INFINITY;
  const overlap = compare(
    older.filter(({ t }) => t >= start),
    newer.filter(({ t }) => t <= end),
  );
  if (overlap.maxCloseDifference > 1e-3) {
    throw new RangeError(`${names.symbol}: the files disagree on a close by ${overlap.maxCloseDifference}`);
  }
  return { bars: [...older.filter(({ t }) => t < start), ...newer], overlap: { ...names, ...overlap } };
}

function compare(a: readonly PackBar[], b: readonly PackBar[]): Omit<BarsOverlap, "symbol" | "kept" | "dropped"> {
  const byTime = new Map(b.map((bar) => [bar.t, bar]));
  if (a.length !== b.length || !a.every(({ t }) => byTime.has(t))) {
    throw new RangeError("the files do not have the same days");
  }
  let maxCloseDifference = 0;
  let pricesDiffer = 0;
  let volumesDiffer = 0;
  for (const bar of a) {
    const other = byTime.get(bar.t) ?? bar;
    maxCloseDifference = Math.max(maxCloseDifference, Math.abs(bar.c / other.c - 1));
    const differs = (["o", "h", "l", "c"] as const).some(
      (key) => Math.abs(bar[key] - other[key]) > Math.max(0.011, bar[key] * 1e-4),
    );
    if (differs) pricesDiffer += 1;
    if (bar.v !== other.v) volumesDiffer += 1;
  }
  return { days: a.length, maxCloseDifference: round(maxCloseDifference, 9), pricesDiffer, volumesDiffer };
}

/** Prices divided by the splits after them; volumes of the source already are. */
export function adjustForSplits(bars: readonly PackBar[], splitsJson: string): readonly PackBar[] {
  const splits = parseSplits(splitsJson);
  return bars.map((bar) => {
    const factor = splits.reduce((product, { t, ratio }) => (bar.t < t ? product * ratio : product), 1);
    const price = (value: number) => round(value / factor, 6);
    return { ...bar, o: price(bar.o), h: price(bar.h), l: price(bar.l), c: price(bar.c) };
  });
}

function parseSplits(json: string): readonly Readonly<{ t: number; ratio: number }>[] {
  const list: unknown = JSON.parse(json);
  if (!Array.isArray(list)) throw new TypeError("the splits are not a list");
  return list.map((entry: unknown) => {
    if (typeof entry !== "object" || entry === null || !("date" in entry) || !("multiplier" in entry)) {
      throw new TypeError("a split has no date or no multiplier");
    }
    return { t: toDayNumber(String(entry.date)) * DAY_S, ratio: Number(entry.multiplier) };
  });
}

/** Whole UTC days of five-minute bars as daily bars. The flat bars without volume after the last trade are padding. */
export function toDaily(bars: readonly PackBar[]): readonly PackBar[] {
  const last = bars.findLastIndex(({ v }) => v > 0);
  const byDay = Map.groupBy(bars.slice(0, last + 1), ({ t }) => Math.floor(t / DAY_S));
  return [...byDay].filter(([, ofDay]) => ofDay.length >= 287).map(([day, ofDay]) => merge(day * DAY_S, ofDay));
}

/** One bar over several. */
function merge(t: number, bars: readonly PackBar[]): PackBar {
  return {
    t,
    o: bars[0]?.o ?? Number.NaN,
    h: Math.max(...bars.map(({ h }) => h)),
    l: Math.min(...bars.map(({ l }) => l)),
    c: bars.at(-1)?.c ?? Number.NaN,
    v: round(
      bars.reduce((sum, { v }) => sum + v, 0),
      8,
    ),
  };
}

/** The newest part of a series in which no two bars are further apart than `maxGapS`. */
export function lastRun(bars: readonly PackBar[], maxGapS: number): readonly PackBar[] {
  const start = bars.findLastIndex((bar, index) => index > 0 && bar.t - (bars[index - 1]?.t ?? bar.t) > maxGapS);
  return bars.slice(Math.max(start, 0));
}

/** From day to day, for a manifest. */
export const spanOf = (bars: readonly PackBar[]): string =>
  `${toDay(Math.floor((bars[0]?.t ?? 0) / DAY_S))} to ${toDay(Math.floor((bars.at(-1)?.t ?? 0) / DAY_S))}`;

export const round = (value: number, digits: number): number => Number(value.toFixed(digits));
