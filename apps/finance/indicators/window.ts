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
  // by how many values of the finished block have left the window
  const endMean = new Float64Array(size);
  const endSquares = new Float64Array(size).fill(Number.NaN);
  let count = 0;
  let mean = 0;
  let squares = 0;
  let windowSquares = Number.NaN;

  const finishBlock = () => {
    let [later, laterSquares] = [0, 0];
    for (let index = size - 1; index > 0; index--) {
      const delta = at(block, index) - later;
      later += delta / (size - index);
      laterSquares += delta * (at(block, index) - later);
      endMean[index] = later;
      endSquares[index] = laterSquares;
    }
    [count, mean, squares] = [0, 0, 0];
  };

  return {
    push(value) {
      block[count] = value;
      count++;
      const delta = value - mean;
      mean += delta / count;
      squares += delta * (value - mean);
      if (count === size) {
        const whole = mean;
        windowSquares = squares;
        finishBlock();
        return whole;
      }
      // NaN in `endSquares` until a first block is finished
      const gap = mean - at(endMean, count);
      windowSquares = at(endSquares, count) + squares + (gap * gap * count * (size - count)) / size;
      return Number.isNaN(at(endSquares, count)) ? Number.NaN : at(endMean, count) + (gap * count) / size;
    },
    deviation: () => Math.sqrt(windowSquares / size),
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
  // highs and lows of the running block; once it is finished, the extremes of its ends
  const [highs, lows] = [new Float64Array(size), new Float64Array(size)];
  const endHigh = new Float64Array(size).fill(Number.NaN);
  const endLow = new Float64Array(size).fill(Number.NaN);
  let [count, high, low] = [0, -Infinity, Infinity];
  let [highest, lowest] = [Number.NaN, Number.NaN];

  const finishBlock = () => {
    let [laterHigh, laterLow] = [-Infinity, Infinity];
    for (let index = size - 1; index > 0; index--) {
      laterHigh = Math.max(laterHigh, at(highs, index));
      laterLow = Math.min(laterLow, at(lows, index));
      endHigh[index] = laterHigh;
      endLow[index] = laterLow;
    }
    [count, high, low] = [0, -Infinity, Infinity];
  };

  return {
    push(barHigh, barLow) {
      highs[count] = barHigh;
      lows[count] = barLow;
      count++;
      high = Math.max(high, barHigh);
      low = Math.min(low, barLow);
      // Math.max and Math.min give NaN until a first block is finished
      highest = count === size ? high : Math.max(at(endHigh, count), high);
      lowest = count === size ? low : Math.min(at(endLow, count), low);
      if (count === size) finishBlock();
    },
    highest: () => highest,
    lowest: () => lowest,
  };
}
