/**
 * Strategy: a rule that says for each day whether to be in the market, from the bars up to that day and no later ones.
 */
import type { Bars } from "../../market/port/bars.ts";
import { bollinger } from "../indicators/bollinger.ts";
import { at } from "../indicators/column.ts";
import { LOOKBACK } from "../indicators/lookback.ts";
import { macd } from "../indicators/macd.ts";
import { rsi } from "../indicators/rsi.ts";
import { sma } from "../indicators/sma.ts";

/** The strategies that can be tested. */
export const STRATEGIES = ["sma_cross", "rsi", "macd", "bollinger", "buy_hold"] as const;
export type StrategyName = (typeof STRATEGIES)[number];

/** A rule, in words and in code. */
export interface Strategy {
  /** Description of the rule for people. */
  readonly rule: string;
  /** Bars before its first signal can be. */
  readonly lookback: number;
  /** For each bar: above 0 to be in the market, below 0 to be out, 0 or NaN to leave things as they are. */
  readonly signals: (bars: Bars) => Float64Array;
}

/** The days of the two averages of `sma_cross`. */
export type CrossDays = Readonly<{ fast: number; slow: number }>;

const CROSS: CrossDays = { fast: 20, slow: 50 };
const [RSI_PERIOD, OVERSOLD, OVERBOUGHT] = [14, 30, 70];

const smaCross = ({ fast: short, slow: long }: CrossDays): Strategy => ({
  rule: `in while SMA(${short}) of closes is above SMA(${long}), out while it is below`,
  lookback: LOOKBACK.sma(long),
  signals: ({ c }) => {
    const [fast, slow] = [sma(c, short), sma(c, long)];
    return fast.map((value, index) => value - at(slow, index));
  },
});

const BY_NAME: Readonly<Record<Exclude<StrategyName, "sma_cross">, Strategy>> = {
  rsi: {
    rule: `in after RSI(${RSI_PERIOD}) closes below ${OVERSOLD}, out after it closes above ${OVERBOUGHT}`,
    lookback: LOOKBACK.rsi(RSI_PERIOD),
    // an RSI of 0 on an unchanged close says that nothing moves, not that all fell
    signals: ({ c }) =>
      rsi(c, RSI_PERIOD).map((value, index) =>
        value === 0 && at(c, index) === at(c, index - 1) ? 0 : beyond(value, OVERSOLD, OVERBOUGHT),
      ),
  },
  macd: {
    rule: "in while the MACD(12, 26, 9) line is above its signal, out while it is below",
    lookback: LOOKBACK.macd(),
    signals: ({ c }) => macd(c).histogram,
  },
  bollinger: {
    rule: "in after a close below the lower of the Bollinger bands (20, 2), out after one above the upper",
    lookback: LOOKBACK.bollinger(),
    signals: ({ c }) => {
      const { lower, upper } = bollinger(c);
      return c.map((close, index) => beyond(close, at(lower, index), at(upper, index)));
    },
  },
  buy_hold: { rule: "buys at the first open and holds", lookback: 0, signals: ({ c }) => c.map(() => 1) },
};

/** The strategy of a name; `days` are those of a crossing of averages. */
export function strategyOf(name: StrategyName, days: Partial<CrossDays> = {}): Strategy {
  return name === "sma_cross" ? smaCross({ ...CROSS, ...days }) : BY_NAME[name];
}

/** 1 below the low mark, −1 above the high one, else 0. */
function beyond(value: number, low: number, high: number): number {
  if (value < low) return 1;
  return value > high ? -1 : 0;
}
