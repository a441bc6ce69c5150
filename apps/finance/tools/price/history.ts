/**
 * History: prices over a window as results show them: the change, the first and last close, the highest and lowest
 * price, and some closes between.
 *
 * The change counts from the close before the first day of the window.
 */
import type { Period } from "@baton/assistant";
import { omitUndefined } from "@baton/core/util";
import type { Bars } from "../../market/port/bars.ts";
import type { Listing } from "../../market/port/listing.ts";
import { identify } from "../frame/require-listing.ts";
import { toCandles, toDay } from "../shared/daily.ts";
import { type CitedNumber, priceUnit } from "../shared/figures.ts";
import { difference, percentChange } from "../shared/number.ts";
import { sampleEvenly } from "../shared/sample-evenly.ts";

export const CLOSE_INTERVALS = ["day", "week", "month"] as const;
export type CloseInterval = (typeof CLOSE_INTERVALS)[number];

/** Prices over a window, and what they say together; `of` is the number of bars if not all are shown. */
export type History = ReturnType<typeof toHistory>;

/** Bars of a window, the close that its change counts from, and how it is shown. */
export interface HistoryQuery {
  readonly listing: Listing;
  readonly bars: Bars;
  readonly base?: Readonly<{ t: number; close: number }>;
  /** Rows shown, the newest. */
  readonly limit: number;
  readonly interval?: CloseInterval | undefined;
  /** Bars are within days. */
  readonly isTimed?: boolean;
}

/** Closes shown if no interval is asked for, and if one is. */
const MAX_CLOSES = 12;
const MAX_ASKED_CLOSES = 60;

/** The history of bars that are not empty. */
export function toHistory(query: HistoryQuery) {
  const { listing, base, limit, isTimed = false } = query;
  const candles = toCandles(query.bars);
  const nameOf = (t: number) => (isTimed ? toMoment(t) : toDay(t));
  const [first] = candles;
  const last = candles.at(-1) ?? first;
  if (first === undefined || last === undefined) throw new RangeError("a history has at least one bar");
  const start = base ?? { t: first.t, close: first.c };
  const top = candles.reduce((most, one) => (one.h > most.h ? one : most), first);
  const bottom = candles.reduce((least, one) => (one.l < least.l ? one : least), first);
  const rows = candles.map(({ t, o: open, h: high, l: low, c: close, v: volume }) => {
    return { ...(isTimed ? { time: toMoment(t) } : { date: toDay(t) }), open, high, low, close, volume };
  });
  return {
    ...identify(listing),
    period: { start: toDay(start.t), end: toDay(last.t) },
    count: Math.min(limit, rows.length),
    ...(rows.length > limit && { of: rows.length }),
    first_close: start.close,
    first_at: nameOf(start.t),
    last_close: last.c,
    last_at: nameOf(last.t),
    change: difference(last.c, start.close),
    ...omitUndefined({ change_percent: percentChange(start.close, last.c) }),
    high: top.h,
    high_at: nameOf(top.t),
    low: bottom.l,
    low_at: nameOf(bottom.t),
    closes: toCloses(candles, { ...query, nameOf }),
    prices: rows.slice(-limit).toReversed(),
  };
}

type Shown = HistoryQuery & Readonly<{ nameOf: (t: number) => string }>;

const DAY_S = 86_400;

/** Closes at the ends of days, weeks or months, without the last one, which is a fact of its own. */
function toCloses(candles: ReturnType<typeof toCandles>, { interval, isTimed, nameOf }: Shown) {
  const days = ((candles.at(-1)?.t ?? 0) - (candles[0]?.t ?? 0)) / DAY_S;
  const every = interval ?? (days > 75 ? "month" : days > 20 ? "week" : "day");
  const keyOf = (t: number): string => {
    if (isTimed === true || every === "day") return String(t);
    return every === "month" ? toDay(t).slice(0, 7) : String(Math.floor((t / DAY_S + 3) / 7));
  };
  const ends = [...Map.groupBy(candles.slice(0, -1), ({ t }) => keyOf(t)).values()].flatMap((own) => own.at(-1) ?? []);
  const isOpen = keyOf(candles.at(-1)?.t ?? 0) === keyOf(ends.at(-1)?.t ?? NaN);
  const kept = isOpen ? ends.slice(0, -1) : ends;
  const rows = interval === undefined ? sampleEvenly(kept, MAX_CLOSES) : kept.slice(-MAX_ASKED_CLOSES);
  return { every: isTimed === true ? "bar" : every, rows: rows.map(({ t, c }) => ({ at: nameOf(t), close: c })) };
}

/** A moment in UTC. */
const toMoment = (t: number): string => new Date(t * 1_000).toISOString().replace(".000Z", "Z");

/** The window in five figures. */
export function toSummary(data: History): readonly CitedNumber[] {
  const { period } = data;
  const unit = priceUnit(data);
  const at = (moment: string): Period => ({
    end: moment.slice(0, 10),
    ...(moment.length > 10 && { label: moment }),
  });
  return [
    { path: "data.change_percent", value: data.change_percent, unit: "percent", metric: "price change", period },
    { path: "data.first_close", value: data.first_close, unit, metric: "first close", period: at(data.first_at) },
    { path: "data.last_close", value: data.last_close, unit, metric: "last close", period: at(data.last_at) },
    { path: "data.high", value: data.high, unit, metric: "highest price", period: at(data.high_at) },
    { path: "data.low", value: data.low, unit, metric: "lowest price", period: at(data.low_at) },
  ];
}

/** The window in five figures, then the closes between. */
export function toCited(data: History): readonly CitedNumber[] {
  const unit = priceUnit(data);
  const closes = data.closes.rows.map(({ at, close }, index) => ({
    path: `data.closes.rows[${index}].close`,
    value: close,
    unit,
    metric:
      data.closes.every === "month"
        ? "closes at month ends"
        : data.closes.every === "week"
          ? "closes at week ends"
          : "closes",
    period: { end: at.slice(0, 10), ...(at.length > 10 && { label: at }) },
  }));
  const change = { path: "data.change", value: data.change, unit, metric: "price change", period: data.period };
  return [...toSummary(data), ...closes, change];
}
