/**
 * Ticks: round numbers along an axis, with its end.
 */

/** The most ticks that are drawn. */
const MOST = 5;
/** No tick is closer to the end than this part of the axis. */
const FREE_END = 0.15;

/** Round values from 0 to an end, and the end. */
export function toTicks(end: number): readonly number[] {
  if (!(end > 0)) return [0];
  const step = roundUp(end / MOST);
  const ticks: number[] = [];
  for (let value = 0; value < end * (1 - FREE_END); value += step) ticks.push(value);
  return [...ticks, end];
}

/** The next of 1, 2, 5, 10, 20, 50 … */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const [one = 10] = [1, 2, 5, 10].filter((times) => times * power >= value);
  return one * power;
}
