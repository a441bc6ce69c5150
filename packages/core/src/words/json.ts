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
  if (isList(one) || isList(other)) {
    if (!isList(one) || !isList(other) || one.length !== other.length) return false;
    return one.every((item, at) => isEqualJson(item, other[at]));
  }
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => Object.hasOwn(other, name) && isEqualJson(one[name], other[name]));
}

/** Whether a value is a list. */
export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

/** Whether a value is an object. */
export const isFields = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === "object" && value !== null && !isList(value);

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
  // No list of entries: this is done for almost every fact.
  for (const key in fields) {
    const value: unknown = Reflect.get(fields, key);
    if (value !== undefined) rest[key] = value;
  }
  return rest;
}
