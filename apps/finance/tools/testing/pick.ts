/**
 * Pick: parts of an answer by their path, for tests that check a few of its fields.
 */

/** Returns the value at a path such as `data.rows.0.price`; `*` stands for every item of a list. */
export function pick(value: unknown, path: string): unknown {
  const [name, ...rest] = path.split(".");
  if (name === undefined || path === "") return value;
  if (typeof value !== "object" || value === null) return undefined;
  if (name === "*") return Object.values(value).map((item: unknown) => pick(item, rest.join(".")));
  const field: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return pick(field, rest.join("."));
}

/** Returns the values at several paths. */
export const pickAll = (value: unknown, ...paths: readonly string[]): readonly unknown[] =>
  paths.map((path) => pick(value, path));
