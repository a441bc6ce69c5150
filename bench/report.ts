/**
 * Report: figures as lines for people, and the middle one of several.
 */

/** The middle one of the values. */
export function medianOf(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
}

/** Prints figures by their names. */
export function print(name: string, figures: Readonly<Record<string, number>>): void {
  const texts = Object.entries(figures).map(
    ([what, value]) => `${what} ${value.toLocaleString("en", { maximumFractionDigits: 2 })}`,
  );
  console.log(`${name}: ${texts.join(", ")}`);
}
