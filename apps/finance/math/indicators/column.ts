/**
 * Column: a series of numbers, oldest first. A value that does not exist yet is NaN; it never leaves as JSON.
 */

/** The value at an index; NaN outside of the column. */
export function at(column: Float64Array, index: number): number {
  return column[index] ?? Number.NaN;
}

/** A period that can be counted with: a whole number of bars, at least one. */
export function checkPeriod(period: number, name = "period"): number {
  if (!Number.isSafeInteger(period) || period < 1) throw new RangeError(`${name} is ${period}; it is at least 1 bar`);
  return period;
}
