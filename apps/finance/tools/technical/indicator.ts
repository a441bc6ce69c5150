/**
 * Indicator: each technical indicator as its latest values, what a named rule says of them, and its lines for a chart.
 *
 * A reading is the rule everybody quotes, with its threshold; it is never advice.
 */
import { z } from "zod";
import type { Bars } from "../../market/port/bars.ts";
import { adx } from "../../math/indicators/adx.ts";
import { atr } from "../../math/indicators/atr.ts";
import { bollinger } from "../../math/indicators/bollinger.ts";
import { ema } from "../../math/indicators/ema.ts";
import { LOOKBACK } from "../../math/indicators/lookback.ts";
import { macd } from "../../math/indicators/macd.ts";
import { obv } from "../../math/indicators/obv.ts";
import { rsi } from "../../math/indicators/rsi.ts";
import { sma } from "../../math/indicators/sma.ts";
import { stochastic } from "../../math/indicators/stochastic.ts";
import { vwap } from "../../math/indicators/vwap.ts";

const INDICATORS = ["RSI", "MACD", "SMA", "EMA", "BB", "ATR", "STOCH", "ADX", "VWAP", "OBV"] as const;
type IndicatorName = (typeof INDICATORS)[number];

/** State of the latest values by a named rule. */
export type IndicatorReading = Readonly<{ state: string; rule: string }>;

/** A column of an indicator: the field of its latest value, and how it is drawn. */
interface Column {
  readonly key: string;
  readonly values: Float64Array;
  readonly kind?: "line" | "histogram" | "band";
  /** Its name on a chart, if it is not that of the indicator. */
  readonly line?: string;
}

/** An indicator over all bars. */
export interface Computed {
  readonly name: string;
  readonly parameters: Readonly<Record<string, number>>;
  /** Number of bars before its first value. */
  readonly lookback: number;
  /** `price` lies over the bars. */
  readonly pane: string;
  readonly columns: readonly Column[];
  readonly levels?: readonly Readonly<{ y: number; label: string }>[];
  /** Further latest values that follow from those of the columns. */
  readonly derive?: (latest: Latest) => Readonly<Record<string, number>>;
  readonly read?: (latest: Latest) => IndicatorReading;
}

/** The latest values by field, with the last close. */
export interface Latest {
  readonly close: number;
  readonly of: (key: string) => number;
}

export const computeRsi = ({ c }: Bars, period = 14): Computed => ({
  name: `RSI(${period})`,
  parameters: { period },
  lookback: LOOKBACK.rsi(period),
  pane: "RSI",
  columns: [{ key: "rsi", values: rsi(c, period) }],
  levels: [
    { y: 70, label: "overbought" },
    { y: 30, label: "oversold" },
  ],
  read: ({ of }) => readThresholds(of("rsi"), { low: 30, high: 70 }),
});

/** The three periods of a MACD. */
export type MacdPeriods = Readonly<{ fast: number; slow: number; signal: number }>;

export function computeMacd({ c }: Bars, periods: MacdPeriods = { fast: 12, slow: 26, signal: 9 }): Computed {
  const { line, signal, histogram } = macd(c, periods);
  const name = `MACD(${periods.fast},${periods.slow},${periods.signal})`;
  return {
    name,
    parameters: { ...periods },
    lookback: LOOKBACK.macd(periods),
    pane: "MACD",
    columns: [
      { key: "macd", values: line },
      { key: "signal", values: signal, line: "signal" },
      { key: "histogram", values: histogram, kind: "histogram", line: "histogram" },
    ],
    levels: [{ y: 0, label: "zero" }],
    read: ({ of }) =>
      of("histogram") > 0
        ? { state: "bullish", rule: "MACD line above its signal line: upward momentum by the usual rule" }
        : of("histogram") < 0
          ? { state: "bearish", rule: "MACD line below its signal line: downward momentum by the usual rule" }
          : { state: "neutral", rule: "MACD line on its signal line: no momentum by the usual rule" },
  };
}

export const computeSma = ({ c }: Bars, period = 20): Computed => ({
  name: `SMA(${period})`,
  parameters: { period },
  lookback: LOOKBACK.sma(period),
  pane: "price",
  columns: [{ key: "sma", values: sma(c, period) }],
  read: ({ of, close }) => readAverage(close, of("sma"), `SMA(${period})`),
});

export const computeEma = ({ c }: Bars, period = 20): Computed => ({
  name: `EMA(${period})`,
  parameters: { period },
  lookback: LOOKBACK.ema(period),
  pane: "price",
  columns: [{ key: "ema", values: ema(c, period) }],
  read: ({ of, close }) => readAverage(close, of("ema"), `EMA(${period})`),
});

/** Period and width of Bollinger bands. */
export type BandOptions = Readonly<{ period: number; stdDev: number }>;

export function computeBands({ c }: Bars, { period, stdDev }: BandOptions = { period: 20, stdDev: 2 }): Computed {
  const { upper, middle, lower } = bollinger(c, { period, deviations: stdDev });
  return {
    name: `BB(${period},${stdDev})`,
    parameters: { period, std_dev: stdDev },
    lookback: LOOKBACK.bollinger({ period }),
    pane: "price",
    columns: [
      { key: "upper", values: upper, kind: "band", line: "upper" },
      { key: "middle", values: middle, line: "middle" },
      { key: "lower", values: lower, kind: "band", line: "lower" },
    ],
    derive: ({ of, close }) => ({
      percent_b: (close - of("lower")) / (of("upper") - of("lower")),
      bandwidth_percent: ((of("upper") - of("lower")) / of("middle")) * 100,
    }),
    read: ({ of, close }) => {
      if (close > of("upper")) return { state: "above", rule: "close above the upper band: stretched upward" };
      if (close < of("lower")) return { state: "below", rule: "close below the lower band: stretched downward" };
      return { state: "within", rule: "close within the bands: no signal by the usual rule" };
    },
  };
}

const computeAtr = (bars: Bars, period = 14): Computed => ({
  name: `ATR(${period})`,
  parameters: { period },
  lookback: LOOKBACK.atr(period),
  pane: "ATR",
  columns: [{ key: "atr", values: atr(bars, period) }],
  derive: ({ of, close }) => ({ atr_percent: (of("atr") / close) * 100 }),
});

function computeStochastic(bars: Bars): Computed {
  const { k, d } = stochastic(bars);
  return {
    name: "STOCH(5,3,3)",
    parameters: { fast_k: 5, slow_k: 3, slow_d: 3 },
    lookback: LOOKBACK.stochastic(),
    pane: "STOCH",
    columns: [
      { key: "k", values: k, line: "%K" },
      { key: "d", values: d, line: "%D" },
    ],
    levels: [
      { y: 80, label: "overbought" },
      { y: 20, label: "oversold" },
    ],
    read: ({ of }) => readThresholds(of("k"), { low: 20, high: 80 }),
  };
}

function computeAdx(bars: Bars, period = 14): Computed {
  const { adx: trend, plusDi, minusDi } = adx(bars, period);
  return {
    name: `ADX(${period})`,
    parameters: { period },
    lookback: LOOKBACK.adx(period),
    pane: "ADX",
    columns: [
      { key: "adx", values: trend },
      { key: "plus_di", values: plusDi, line: "+DI" },
      { key: "minus_di", values: minusDi, line: "-DI" },
    ],
    levels: [{ y: 25, label: "trend" }],
    read: ({ of }) => {
      if (!(of("adx") > 25))
        return { state: "weak trend", rule: "ADX not above 25: no clear trend by the usual threshold" };
      const state = of("plus_di") > of("minus_di") ? "uptrend" : "downtrend";
      return { state, rule: `ADX above 25: ${state} by the usual threshold and the larger of +DI and -DI` };
    },
  };
}

const computeVwap = (bars: Bars, period = 20): Computed => ({
  name: `VWAP(${period})`,
  parameters: { period },
  lookback: LOOKBACK.vwap(period),
  pane: "price",
  columns: [{ key: "vwap", values: vwap(bars, period) }],
  read: ({ of, close }) => readAverage(close, of("vwap"), `VWAP(${period})`),
});

const computeObv = (bars: Bars): Computed => ({
  name: "OBV",
  parameters: {},
  lookback: LOOKBACK.obv(),
  pane: "OBV",
  columns: [{ key: "obv", values: obv(bars) }],
});

/** Each indicator with its usual parameters, or with another period if it has only that one. */
const COMPUTE: Readonly<Record<IndicatorName, (bars: Bars, period?: number) => Computed>> = {
  RSI: computeRsi,
  MACD: (bars) => computeMacd(bars),
  SMA: computeSma,
  EMA: computeEma,
  BB: (bars) => computeBands(bars),
  ATR: computeAtr,
  STOCH: (bars) => computeStochastic(bars),
  ADX: computeAdx,
  VWAP: computeVwap,
  OBV: (bars) => computeObv(bars),
};

/** The indicators that have one period. */
const ONE_PERIOD = ["RSI", "SMA", "EMA", "ATR", "ADX", "VWAP"] as const;
const MAX_PERIOD = 400;

/** An indicator as it is asked for: `RSI`, `SMA(200)`. */
export const IndicatorText = z
  .string()
  .regex(new RegExp(`^(?:${INDICATORS.join("|")}|(?:${ONE_PERIOD.join("|")})\\(\\d{1,3}\\))$`))
  .refine((text) => isPeriod(periodOf(text)), { error: `a period is from 2 to ${MAX_PERIOD} days` });

const isPeriod = (period: number | undefined): boolean => period === undefined || (period >= 2 && period <= MAX_PERIOD);

function periodOf(text: string): number | undefined {
  const open = text.indexOf("(");
  return open === -1 ? undefined : Number(text.slice(open + 1, -1));
}

/** Computes an indicator that was asked for by its text. */
export function computeIndicator(text: string, bars: Bars): Computed {
  const name = z.enum(INDICATORS).parse(text.split("(", 1)[0]);
  return COMPUTE[name](bars, periodOf(text));
}

function readThresholds(value: number, { low, high }: Readonly<{ low: number; high: number }>): IndicatorReading {
  if (value > high) return { state: "overbought", rule: `above ${high}: overbought by the usual threshold` };
  if (value < low) return { state: "oversold", rule: `below ${low}: oversold by the usual threshold` };
  return { state: "neutral", rule: `from ${low} to ${high}: neutral by the usual thresholds` };
}

function readAverage(close: number, average: number, name: string): IndicatorReading {
  if (close > average) return { state: "above", rule: `close above ${name}: upward by the usual rule` };
  if (close < average) return { state: "below", rule: `close below ${name}: downward by the usual rule` };
  return { state: "at", rule: `close at ${name}: no direction by the usual rule` };
}
