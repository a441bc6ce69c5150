/**
 * Value match: whether a value is what a case expects. Objects match by the fields given; `{gte, gt, lte, lt, contains,
 * in, any}` compare.
 */
import type { Json } from "@baton/core";

const COMPARISONS: ReadonlyMap<string, (value: Json, wanted: Json) => boolean> = new Map<
  string,
  (value: Json, wanted: Json) => boolean
>([
  ["gte", (value, wanted) => compare(value, wanted, (order) => order >= 0)],
  ["gt", (value, wanted) => compare(value, wanted, (order) => order > 0)],
  ["lte", (value, wanted) => compare(value, wanted, (order) => order <= 0)],
  ["lt", (value, wanted) => compare(value, wanted, (order) => order < 0)],
  ["contains", contains],
  ["in", (value, wanted) => Array.isArray(wanted) && wanted.some((one: Json) => matches(value, one))],
  ["any", (_, wanted) => wanted === true],
]);

/** Whether a value fits. */
export function matches(value: Json | undefined, wanted: Json): boolean {
  if (value === undefined) return false;
  if (Array.isArray(wanted)) {
    const [list, items]: readonly (readonly Json[])[] = [Array.isArray(value) ? value : [], wanted];
    return (
      Array.isArray(value) &&
      list?.length === items?.length &&
      (items ?? []).every((item, at) => matches(list?.[at], item))
    );
  }
  if (!isObject(wanted)) return value === wanted;
  const fields = Object.entries(wanted);
  if (fields.length > 0 && fields.every(([name]) => COMPARISONS.has(name)))
    return fields.every(([name, other]) => COMPARISONS.get(name)?.(value, other) === true);
  return isObject(value) && fields.every(([name, other]) => Object.hasOwn(value, name) && matches(value[name], other));
}

/** Compares two numbers or two texts; nothing else has an order. */
function compare(value: Json, wanted: Json, test: (order: number) => boolean): boolean {
  if (typeof value === "number" && typeof wanted === "number") return test(value - wanted);
  if (typeof value !== "string" || typeof wanted !== "string") return false;
  return test(value === wanted ? 0 : value < wanted ? -1 : 1);
}

function contains(value: Json, wanted: Json): boolean {
  if (typeof value === "string")
    return typeof wanted === "string" && value.toLowerCase().includes(wanted.toLowerCase());
  return Array.isArray(value) && value.some((item: Json) => matches(item, wanted));
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
