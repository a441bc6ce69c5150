/**
 * Cases: every indicator under one name, with what its tests need to know of it.
 */
import * as fc from "fast-check";
import type { Bars } from "../../../market/port/bars.ts";
import { adx } from "../adx.ts";
import { atr } from "../atr.ts";
import { bollinger } from "../bollinger.ts";
import { at } from "../column.ts";
import { ema } from "../ema.ts";
import { LOOKBACK } from "../lookback.ts";
import { macd } from "../macd.ts";
import { obv } from "../obv.ts";
import { rsi } from "../rsi.ts";
import { sma } from "../sma.ts";
import { stochastic } from "../stochastic.ts";
import { vwap } from "../vwap.ts";

/** One bar. */
export type Bar = Readonly<{ o: number; h: number; l: number; c: number; v: number }>;

/** One indicator. */
export interface Case {
  readonly batch: (bars: Bars) => Readonly<Record<string, Float64Array>>;
  /** Effect of multiplying all prices by k: `price` is multiplied too, `none` stays the same. */
  readonly scale: "price" | "none";
  /** Effect of adding k to all prices. */
  readonly shift: "price" | "none";
  /** Bars before the first value of an output. */
  readonly lookback: (output: string) => number;
  /** Bars a value depends on; absent if it depends on all before it. */
  readonly window?: number;
}

const MACD = { fast: 4, slow: 9, signal: 3 };
const BANDS = { period: 6, deviations: 2 };
const STOCHASTIC = { fastK: 5, slowK: 3, slowD: 2 };
const PRICES = { scale: "price", shift: "price" } as const;
const RANGES = { scale: "price", shift: "none" } as const;
const NUMBERS = { scale: "none", shift: "none" } as const;

/** Every indicator, with short periods. */
export const CASES: ReadonlyMap<string, Case> = new Map<string, Case>([
  ["sma", { batch: ({ c }) => ({ value: sma(c, 7) }), ...PRICES, lookback: () => LOOKBACK.sma(7), window: 7 }],
  ["ema", { batch: ({ c }) => ({ value: ema(c, 5) }), ...PRICES, lookback: () => LOOKBACK.ema(5) }],
  ["rsi", { batch: ({ c }) => ({ value: rsi(c, 4) }), ...NUMBERS, lookback: () => LOOKBACK.rsi(4) }],
  ["macd", { batch: ({ c }) => macd(c, MACD), ...RANGES, lookback: () => LOOKBACK.macd(MACD) }],
  [
    "bollinger",
    { batch: ({ c }) => bollinger(c, BANDS), ...PRICES, lookback: () => LOOKBACK.bollinger(BANDS), window: 6 },
  ],
  ["atr", { batch: (bars) => ({ value: atr(bars, 4) }), ...RANGES, lookback: () => LOOKBACK.atr(4) }],
  [
    "stochastic",
    {
      batch: (bars) => stochastic(bars, STOCHASTIC),
      ...NUMBERS,
      lookback: () => LOOKBACK.stochastic(STOCHASTIC),
      window: LOOKBACK.stochastic(STOCHASTIC) + 1,
    },
  ],
  [
    "adx",
    { batch: (bars) => adx(bars, 5), ...NUMBERS, lookback: (output) => (output === "adx" ? LOOKBACK.adx(5) : 5) },
  ],
  ["vwap", { batch: (bars) => ({ value: vwap(bars, 6) }), ...PRICES, lookback: () => LOOKBACK.vwap(6), window: 6 }],
  ["obv", { batch: (bars) => ({ value: obv(bars) }), ...NUMBERS, lookback: () => LOOKBACK.obv() }],
]);

/** Columns of bars, one a day. */
export function toBars(list: readonly Bar[]): Bars {
  const column = (name: keyof Bar) => Float64Array.from(list, (bar) => bar[name]);
  return {
    t: Float64Array.from(list, (_, index) => index * 86_400),
    o: column("o"),
    h: column("h"),
    l: column("l"),
    c: column("c"),
    v: column("v"),
  };
}

/** The bars of columns. */
export function toList({ o, h, l, c, v }: Bars): readonly Bar[] {
  return Array.from(c, (close, index) => ({
    o: at(o, index),
    h: at(h, index),
    l: at(l, index),
    c: close,
    v: at(v, index),
  }));
}

/** Bars in cents, flat stretches and days without volume among them. */
export function arbitraryBars(minLength: number, maxLength: number): fc.Arbitrary<readonly Bar[]> {
  const cents = fc.oneof(
    fc.integer({ min: 1_000, max: 1_100 }),
    fc.constant(1_050),
    fc.integer({ min: 1, max: 90_000 }),
  );
  const bar = fc
    .tuple(cents, cents, fc.nat(50), fc.nat(50), fc.oneof(fc.nat(1_000_000), fc.constant(0)))
    .map(([open, close, above, below, v]) => ({
      o: open / 100,
      h: (Math.max(open, close) + above) / 100,
      l: Math.max(1, Math.min(open, close) - below) / 100,
      c: close / 100,
      v,
    }));
  return fc.array(bar, { minLength, maxLength });
}
