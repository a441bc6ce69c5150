/**
 * Window: mean, deviation, highest and lowest of the last n values, one at a time.
 *
 * Values are kept in blocks of n: a window is the end of one block and the beginning of the next, so nothing is ever
 * subtracted. Rounding errors do not add up, and a flat window has exactly no deviation, whatever came before it.
 */
import { at, checkPeriod } from "./column.ts";

/** Mean and deviation of a moving window. */
export interface Moments {
  /** Adds a value and gives the window's mean; NaN until there are n values. */
  push(value: number): number;
  /** Population standard deviation of the window. */
  deviation(): number;
}

/** Opens the moments of the last `period` values. */
export function openMoments(period: number): Moments {
  const size = checkPeriod(period);
  const block = new Float64Array(size);
  // of the end of the finished block, by how many of its values have left the window
  const endMean = new Float64Array(size).fill(Number.NaN);
  const endSquares = new Float64Array(size);
  // numbers that change live in an object: a closure's variable would be allocated anew for each
  const state = { count: 0, mean: 0, squares: 0, windowSquares: Number.NaN };

  const finishBlock = () => {
    let later = 0;
    let laterSquares = 0;
    for (let index = size - 1; index > 0; index--) {
      const delta = at(block, index) - later;
      later += delta / (size - index);
      laterSquares += delta * (at(block, index) - later);
      endMean[index] = later;
      endSquares[index] = laterSquares;
    }
    state.count = 0;
    state.mean = 0;
    state.squares = 0;
  };

  return {
    push(value) {
      const index = state.count;
      const count = index + 1;
      const delta = value - state.mean;
      const mean = state.mean + delta / count;
      const squares = state.squares + delta * (value - mean);
      block[index] = value;
      if (count === size) {
        state.windowSquares = squares;
        finishBlock();
        return mean;
      }
      state.count = count;
      state.mean = mean;
      state.squares = squares;
      // NaN until a first block is finished
      const gap = mean - at(endMean, count);
      state.windowSquares = at(endSquares, count) + squares + (gap * gap * count * (size - count)) / size;
      return at(endMean, count) + (gap * count) / size;
    },
    deviation: () => Math.sqrt(state.windowSquares / size),
  };
}

/** Highest and lowest of a moving window. */
export interface Extremes {
  /** Adds a bar's high and low. */
  push(high: number, low: number): void;
  /** Highest high of the window; NaN until there are n bars. */
  highest(): number;
  /** Lowest low of the window; NaN until there are n bars. */
  lowest(): number;
}

/** Opens the extremes of the last `period` bars. */
export function openExtremes(period: number): Extremes {
  const size = checkPeriod(period);
  const highs = new Float64Array(size);
  const lows = new Float64Array(size);
  // of the end of the finished block, by how many of its bars have left the window
  const endHigh = new Float64Array(size).fill(Number.NaN);
  const endLow = new Float64Array(size).fill(Number.NaN);
  const state = { count: 0, high: -Infinity, low: Infinity, highest: Number.NaN, lowest: Number.NaN };

  const finishBlock = () => {
    let high = -Infinity;
    let low = Infinity;
    for (let index = size - 1; index > 0; index--) {
      high = Math.max(high, at(highs, index));
      low = Math.min(low, at(lows, index));
      endHigh[index] = high;
      endLow[index] = low;
    }
    state.count = 0;
    state.high = -Infinity;
    state.low = Infinity;
  };

  return {
    push(high, low) {
      highs[state.count] = high;
      lows[state.count] = low;
      state.count++;
      state.high = Math.max(state.high, high);
      state.low = Math.min(state.low, low);
      const isFull = state.count === size;
      // NaN until a first block is finished
      state.highest = isFull ? state.high : Math.max(at(endHigh, state.count), state.high);
      state.lowest = isFull ? state.low : Math.min(at(endLow, state.count), state.low);
      if (isFull) finishBlock();
    },
    highest: () => state.highest,
    lowest: () => state.lowest,
  };
}
