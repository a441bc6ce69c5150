/**
 * Canonical text: JSON in which the order of fields, which means nothing, is always the same.
 */

/** Equal values have equal texts. */
export function toCanonicalText(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).toSorted(([one], [other]) => (one < other ? -1 : 1)));
  });
}
