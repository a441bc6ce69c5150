/**
 * Number: arithmetic on prices without the noise of binary fractions, and without a value that is not a number.
 */

/** `a − b`, without digits that neither has: 229.87 − 228.52 is 1.35. */
export function difference(a: number, b: number): number {
  const size = Math.max(Math.abs(a), Math.abs(b));
  if (!(size > 0) || !Number.isFinite(size)) return a - b;
  const decimals = Math.min(100, Math.max(0, 14 - Math.floor(Math.log10(size))));
  return Number((a - b).toFixed(decimals));
}

/** By how many percent `to` is above `from`; undefined if that has no meaning. */
export function percentChange(from: number | undefined, to: number | undefined): number | undefined {
  if (from === undefined || to === undefined || !(from > 0)) return undefined;
  return finite(tidy((to / from - 1) * 100));
}

/** The value to twelve digits: what lies below is noise. */
export const tidy = (value: number): number => Number(value.toPrecision(12));

/** A fraction as percent. */
export const percentOf = (fraction: number): number => tidy(fraction * 100);

/** The value, if it is a number. */
export const finite = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isFinite(value) ? value : undefined;
