/**
 * Lookback: how many bars come before an indicator's first value. A series of no more bars than that has no value.
 */

/** Bars before the first value, by indicator; those of several outputs count to the last of them. */
export const LOOKBACK = {
  sma: (period = 20) => period - 1,
  ema: (period = 20) => period - 1,
  rsi: (period = 14) => period,
  macd: ({ fast = 12, slow = 26, signal = 9 } = {}) => Math.max(fast, slow) + signal - 2,
  bollinger: ({ period = 20 } = {}) => period - 1,
  atr: (period = 14) => period,
  stochastic: ({ fastK = 5, slowK = 3, slowD = 3 } = {}) => fastK + slowK + slowD - 3,
  adx: (period = 14) => 2 * period - 1,
  vwap: (period = 20) => period - 1,
  obv: () => 0,
} as const;
