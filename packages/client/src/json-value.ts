/**
 * JSON value: text from a server, as something that can be looked into.
 */

/** Parses JSON; undefined if the text is not JSON. */
export function parseText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Whether a value has fields by name. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
