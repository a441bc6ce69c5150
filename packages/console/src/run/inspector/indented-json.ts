/**
 * Indented JSON: a value as indented JSON, cut if it is too long for a page.
 */
const MAX_CHARS = 60_000;

/** A value as lines of JSON. */
export function indentedJson(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value, undefined, 2) ?? "");
  return text.length <= MAX_CHARS ? text : `${text.slice(0, MAX_CHARS)}…`;
}
