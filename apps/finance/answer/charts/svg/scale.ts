/**
 * ValueScale: values as places, and the round values that an axis names.
 */

/** A scale of values over a stretch of a picture. */
export interface ValueScale {
  readonly to: (value: number) => number;
  readonly ticks: readonly number[];
}

/** A scale that has room for all values. The stretch may go upwards. */
export function toScale(values: readonly number[], [from, to]: readonly [number, number], count = 4): ValueScale {
  const [least = 0, most = least] = findEnds(values);
  // One value alone has room on both sides.
  const room = least === most ? Math.abs(least) * 0.1 || 1 : 0;
  const [low, high] = [least - room, most + room];
  const step = toRoundStep((high - low) / count);
  const first = Math.floor(low / step) * step;
  const last = Math.ceil(high / step) * step;
  const length = Math.round((last - first) / step);
  const ticks = Array.from({ length: length + 1 }, (_, index) => first + index * step);
  return { to: (value) => from + ((value - first) / (last - first)) * (to - from), ticks };
}

function findEnds(values: readonly number[]): readonly number[] {
  if (values.length === 0) return [];
  return [values.reduce((one, other) => Math.min(one, other)), values.reduce((one, other) => Math.max(one, other))];
}

const STEPS = [1, 2, 2.5, 5, 10] as const;

function toRoundStep(step: number): number {
  const power = 10 ** Math.floor(Math.log10(step));
  return (STEPS.find((one) => one * power >= step) ?? 10) * power;
}
