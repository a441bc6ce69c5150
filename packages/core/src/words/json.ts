/**
 * JSON: the only kind of value that crosses the log, and the bounded way from text to it.
 */

/** A value that JSON can write. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** Far below the depth at which writing a value out again would overflow the stack. */
export const MAX_DEPTH = 1_000;

/** Parses JSON text; undefined if it is not valid JSON, or nested too deeply. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    // Each level takes two brackets, so most values need no look.
    return isJson(value, text.length < 2 * MAX_DEPTH ? Infinity : MAX_DEPTH) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isJson(value: unknown, depth: number): value is Json {
  if (typeof value !== "object" || value === null || depth === Infinity) return true;
  return depth > 0 && Object.values(value).every((item) => isJson(item, depth - 1));
}

/** The value itself, with all in it, frozen. */
export function freezeDeep<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) if (typeof part === "object") freezeDeep(part);
  return Object.freeze(value);
}

/** Whether two values are equal; the order of fields does not matter. */
export function isEqualJson(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== "object" || one === null || typeof other !== "object" || other === null) return one === other;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const fields = Object.entries(one);
  if (fields.length !== Object.keys(other).length) return false;
  const others = fields.length === 0 ? [] : Object.entries(other);
  // Most equal values have their fields in the same order.
  return fields.every(([name, value], at) => {
    const [sameName, sameValue] = others[at] ?? [];
    if (name === sameName) return isEqualJson(value, sameValue);
    const found = others.find(([key]) => key === name);
    return found !== undefined && isEqualJson(value, found[1]);
  });
}

/** JSON by RFC 8785: no spaces, and the fields of every object in the order of their names, so equal values have equal texts. */
export function toCanonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(toCanonicalJson).join(",")}]`;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, part]) => `${JSON.stringify(name)}:${toCanonicalJson(part)}`).join(",")}}`;
}

type Undefinable<T> = { [Key in keyof T]-?: undefined extends T[Key] ? Key : never }[keyof T];

/** Fields without those that are undefined. */
type WithoutUndefined<T> = Omit<T, Undefinable<T>> & { readonly [Key in Undefinable<T>]?: Exclude<T[Key], undefined> };

/** Drops keys whose value is undefined. */
export function omitUndefined<T extends object>(fields: T): WithoutUndefined<T>;
export function omitUndefined(fields: object): object {
  const rest: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) rest[key] = value;
  return rest;
}
