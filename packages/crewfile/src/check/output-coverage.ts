/**
 * Output coverage: whether one of an agent's `when`s holds for every output that its schema allows.
 *
 * It is known only of fields that must be there and have few values: an enum, a constant, true or false.
 */
import type { Agent, Crew, Json } from "@baton/core";
import type { When } from "@baton/core/ports";

const MAX_CASES = 1_024;
const MAX_DEPTH = 20;

/** Whether no output of the agent is without a route. */
export function isCovered({ signals }: Pick<Crew, "signals">, { id, output }: Agent): boolean {
  const conditions = (signals.get(id) ?? []).flatMap(({ when }) => (when === undefined ? [] : [when]));
  if (output === undefined || conditions.length === 0) return false;
  let cases: readonly ReadonlyMap<string, Json>[] = [new Map()];
  for (const name of new Set(conditions.flatMap((when) => Object.keys(when)))) {
    const values = valuesAt({ schema: output, root: output, depth: 0 }, name.split("."));
    if (values === undefined) continue;
    cases = cases.flatMap((one) => values.map((value) => new Map([...one, [name, value]])));
    if (cases.length > MAX_CASES) return false;
  }
  return cases.every((one) => conditions.some((when) => isMet(when, one)));
}

function isMet(when: When, values: ReadonlyMap<string, Json>): boolean {
  return Object.entries(when).every(([name, wanted]) => {
    const value = values.get(name);
    const list: readonly unknown[] = Array.isArray(wanted) ? wanted : [wanted];
    return value !== undefined && list.some((one) => JSON.stringify(one) === JSON.stringify(value));
  });
}

type Schema = Readonly<{ schema: Json | undefined; root: Json; depth: number }>;

/** All values that a field can have; undefined if there are too many, or if it may be missing. */
function valuesAt({ schema, root, depth }: Schema, fields: readonly string[]): readonly Json[] | undefined {
  const map = toMap(schema);
  if (map === undefined || depth > MAX_DEPTH) return undefined;
  const inside = (part: Json | undefined, rest = fields) => valuesAt({ schema: part, root, depth: depth + 1 }, rest);
  const ref = map.get("$ref");
  if (typeof ref === "string")
    return inside(toMap(toMap(root)?.get("$defs"))?.get(ref.slice(ref.lastIndexOf("/") + 1)));
  const either = toList(map.get("anyOf") ?? map.get("oneOf"));
  if (either !== undefined) return joinAll(either.map((part) => inside(part)));
  const [field, ...rest] = fields;
  if (field === undefined) return toValues(map);
  if (toList(map.get("required"))?.includes(field) !== true) return undefined;
  return inside(toMap(map.get("properties"))?.get(field), rest);
}

function toValues(map: ReadonlyMap<string, Json>): readonly Json[] | undefined {
  const values = toList(map.get("enum"));
  if (values !== undefined) return values;
  const constant = map.get("const");
  if (constant !== undefined) return [constant];
  if (map.get("type") === "null") return [null];
  return map.get("type") === "boolean" ? [true, false] : undefined;
}

function joinAll(lists: readonly (readonly Json[] | undefined)[]): readonly Json[] | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? known.flat() : undefined;
}

function toList(value: Json | undefined): readonly Json[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

function toMap(schema: Json | undefined): ReadonlyMap<string, Json> | undefined {
  const isMap = typeof schema === "object" && schema !== null && !Array.isArray(schema);
  return isMap ? new Map(Object.entries(schema)) : undefined;
}
