/**
 * Label: keeps the number of values that a metric's label can have small, whatever is asked for.
 *
 * Every distinct value is a series that is kept for ever, so names from outside never become values unchecked.
 */

/** The label value of names beyond the limit. */
export const OTHER = "other";

/** The label if no event gave the name. */
const UNKNOWN = "unknown";

/** The value that a name has. */
export type ToLabel = (name: string | undefined) => string;

/** Only these names, and at most so many of them. */
export function closedLabel(names: Iterable<string>, max: number): ToLabel {
  const known = new Set([...new Set(names)].slice(0, max));
  return (name) => {
    if (name === undefined) return UNKNOWN;
    return known.has(name) ? name : OTHER;
  };
}

/** The first so many names that come. */
export function openLabel(max: number): ToLabel {
  const known = new Set<string>();
  return (name) => {
    if (name === undefined) return UNKNOWN;
    if (known.size < max) known.add(name);
    return known.has(name) ? name : OTHER;
  };
}
