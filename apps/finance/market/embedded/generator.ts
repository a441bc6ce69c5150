/**
 * Generator: simulated bars of one symbol, running back from a known close. They follow from the symbol alone, so any
 * window of a series is a part of the same series. In every bar low ≤ open, close ≤ high, and all are positive.
 */
import type { Bars } from "../port/bars.ts";
import { DAY_S } from "../pack/days.ts";
import { roundPrice } from "./price.ts";
import { type Random, randomOf } from "./random.ts";

/** What a series ends in, and how it moves. */
export interface PathAnchor {
  readonly symbol: string;
  /** The last close. */
  readonly price: number;
  /** The close before. */
  readonly previous: number;
  /** Of the last day. */
  readonly volume: number;
  readonly averageVolume: number;
  /** Standard deviation of a day's own return, as a fraction. */
  readonly volatility: number;
  /** How much it moves with the market. */
  readonly beta: number;
  /** Fewest units that volume counts: 1 for shares. */
  readonly volumeStep: number;
  /** How much a day opens away from the close before, as a part of a day's move: 0 for what trades without a pause. */
  readonly gap: number;
}

/** How strongly a price is drawn back to its level, a day: it keeps thirteen years in a plausible range. */
const REVERSION = 0.002;
const MARKET_VOLATILITY = 0.009;
const MARKET_DRIFT = 0.0003;

/** Log level of the simulated market for so many days, 0 on the last. */
export function marketPath(days: number): Float64Array {
  const random = randomOf("all stocks");
  const path = new Float64Array(days);
  for (let day = days - 2; day >= 0; day -= 1) {
    path[day] = (path[day + 1] ?? 0) - MARKET_DRIFT - MARKET_VOLATILITY * random.normal();
  }
  return path;
}

/** Daily bars on the given days, each a number of days since 1970. */
export function dailyPath(anchor: PathAnchor, days: readonly number[], market: Float64Array): Bars {
  const closes = closesOf(anchor, days.length, market);
  const bars = emptyBars(days.length);
  const random = randomOf(`${anchor.symbol} day`);
  const spread = anchor.volatility + anchor.beta * MARKET_VOLATILITY;
  for (let day = days.length - 1; day >= 0; day -= 1) {
    const close = closes[day] ?? anchor.price;
    const before = closes[day - 1] ?? close;
    const open = roundPrice(before * Math.exp(anchor.gap * spread * random.normal()));
    const top = Math.max(open, close);
    const bottom = Math.min(open, close);
    const move = Math.abs(Math.log(close / before)) / spread;
    const volume = anchor.averageVolume * Math.exp(0.3 * random.normal() + 0.15 * Math.min(move, 4) - 0.1);
    bars.t[day] = (days[day] ?? 0) * DAY_S;
    bars.o[day] = open;
    bars.h[day] = Math.max(top, roundPrice(top * Math.exp(0.4 * spread * Math.abs(random.normal()))));
    bars.l[day] = Math.min(bottom, roundPrice(bottom * Math.exp(-0.4 * spread * Math.abs(random.normal()))));
    bars.c[day] = close;
    bars.v[day] = day === days.length - 1 ? anchor.volume : toStep(volume, anchor.volumeStep);
  }
  return bars;
}

function closesOf(anchor: PathAnchor, count: number, market: Float64Array): Float64Array {
  const { price, previous, volatility, beta } = anchor;
  const random = randomOf(`${anchor.symbol} close`);
  const closes = new Float64Array(count);
  const last = count - 1;
  const end = market[last - 1] ?? 0;
  let own = 0;
  closes[last] = price;
  for (let day = last - 1; day >= 0; day -= 1) {
    const level = Math.log(previous) + beta * ((market[day] ?? 0) - end) + own;
    closes[day] = day === last - 1 ? previous : roundPrice(Math.exp(level));
    own = own * (1 - REVERSION) - volatility * random.normal();
  }
  return closes;
}

/** One day's minutes from its daily bar: the first opens and the last closes it, and both extremes are reached. */
export function minutePath(daily: Bars, day: number, { seed, startS, minutes }: MinuteShape): Bars {
  const random = randomOf(seed);
  const [o, h, l, c, v] = [daily.o, daily.h, daily.l, daily.c, daily.v].map((column) => column[day] ?? 0);
  const range = { o: o ?? 0, h: h ?? 0, l: l ?? 0, c: c ?? 0 };
  const points = bridge(range, minutes, random);
  const bars = emptyBars(minutes);
  const shares = volumeShares(minutes, random);
  for (let minute = 0; minute < minutes; minute += 1) {
    const open = points[minute] ?? range.o;
    const close = points[minute + 1] ?? range.c;
    bars.t[minute] = startS + minute * 60;
    bars.o[minute] = open;
    bars.c[minute] = close;
    bars.h[minute] = Math.max(open, close);
    bars.l[minute] = Math.min(open, close);
    bars.v[minute] = volumeBetween(v ?? 0, shares[minute] ?? 0, shares[minute + 1] ?? 1);
  }
  bars.h[indexOfMost(bars.h, 1)] = range.h;
  bars.l[indexOfMost(bars.l, -1)] = range.l;
  return bars;
}

/** Where a day's minutes lie, and the text they follow from. */
export interface MinuteShape {
  readonly seed: string;
  readonly startS: number;
  readonly minutes: number;
}

type Range = Readonly<{ o: number; h: number; l: number; c: number }>;

/** Prices at the ends of all minutes: a random walk from open to close, bent into the day's range. */
function bridge({ o, h, l, c }: Range, minutes: number, random: Random): Float64Array {
  const walk = new Float64Array(minutes + 1);
  for (let at = 1; at <= minutes; at += 1) walk[at] = (walk[at - 1] ?? 0) + random.normal();
  const drift = (walk[minutes] ?? 0) / minutes;
  const step = Math.log(h / l) / (1.6 * Math.sqrt(minutes)) || 0;
  const line = Math.log(c / o) / minutes;
  const logs = walk.map((value, at) => Math.log(o) + (value - drift * at) * step + line * at);
  const bend = toBend(logs, { o: Math.log(o), c: Math.log(c), h: Math.log(h), l: Math.log(l) });
  return logs.map((value, at) => {
    if (at === 0) return o;
    if (at === minutes) return c;
    return Math.max(l, Math.min(h, roundPrice(Math.exp(bend(value)))));
  });
}

/** What lies above open and close is scaled to reach the high, what lies below to reach the low. */
function toBend(logs: Float64Array, { o, c, h, l }: Range): (value: number) => number {
  const top = Math.max(o, c);
  const bottom = Math.min(o, c);
  const highest = logs.reduce((most, value) => Math.max(most, value), top);
  const lowest = logs.reduce((least, value) => Math.min(least, value), bottom);
  return (value) => {
    if (value > top) return top + ((value - top) / (highest - top)) * (h - top);
    if (value < bottom) return bottom - ((bottom - value) / (bottom - lowest)) * (bottom - l);
    return value;
  };
}

function indexOfMost(column: Float64Array, sign: 1 | -1): number {
  return column.reduce((best, value, at) => (sign * value > sign * (column[best] ?? value) ? at : best), 0);
}

/** The part of the volume that is done before each minute: much at the open and at the close. */
function volumeShares(minutes: number, random: Random): Float64Array {
  const shares = new Float64Array(minutes + 1);
  for (let at = 0; at < minutes; at += 1) {
    const fromMiddle = (2 * at) / minutes - 1;
    shares[at + 1] = (shares[at] ?? 0) + (0.6 + 1.4 * fromMiddle ** 2) * (0.5 + random.uniform());
  }
  const total = shares[minutes] ?? 1;
  return shares.map((share) => share / total);
}

/** Whole shares stay whole and add up to the day's. */
function volumeBetween(volume: number, from: number, to: number): number {
  if (!Number.isInteger(volume)) return volume * (to - from);
  return Math.round(volume * to) - Math.round(volume * from);
}

const toStep = (value: number, step: number): number => plain(Math.max(step, Math.round(value / step) * step));

/** Without the digits that only come from adding binary fractions. */
const plain = (value: number): number => Number(value.toFixed(8));

/** Bars merged into longer ones; `startOf` says where the one begins that a time belongs to. */
export function mergeBars(bars: Bars, startOf: (t: number) => number): Bars {
  const starts: number[] = [];
  for (let at = 0; at < bars.t.length; at += 1) {
    if (at === 0 || startOf(bars.t[at] ?? 0) !== startOf(bars.t[at - 1] ?? 0)) starts.push(at);
  }
  const merged = emptyBars(starts.length);
  for (const [index, start] of starts.entries()) {
    const end = starts[index + 1] ?? bars.t.length;
    merged.t[index] = startOf(bars.t[start] ?? 0);
    merged.o[index] = bars.o[start] ?? 0;
    merged.h[index] = bars.h.subarray(start, end).reduce((most, value) => Math.max(most, value));
    merged.l[index] = bars.l.subarray(start, end).reduce((least, value) => Math.min(least, value));
    merged.c[index] = bars.c[end - 1] ?? 0;
    merged.v[index] = plain(bars.v.subarray(start, end).reduce((sum, value) => sum + value, 0));
  }
  return merged;
}

/** Bars of zeros. */
export function emptyBars(count: number): Bars {
  const column = () => new Float64Array(count);
  return { t: column(), o: column(), h: column(), l: column(), c: column(), v: column() };
}
