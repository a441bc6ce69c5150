/**
 * Thin: a long series as fewer points, evenly spread, the first and the last included.
 */

/** At most so many items, evenly spread. */
export function sampleEvenly<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items;
  if (most < 2) return items.slice(0, most);
  const step = (items.length - 1) / (most - 1);
  return Array.from({ length: most }, (_, at) => items[Math.round(at * step)]).flatMap((item) =>
    item === undefined ? [] : [item],
  );
}
