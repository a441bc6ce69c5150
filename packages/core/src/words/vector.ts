/**
 * Vector: a long list of numbers; a model reads a key instead of the numbers.
 *
 * The key names the run by its end, the call and the place in its output (`9f31c0/1.1.2/embedding`); another call of
 * the same run may be given the key, with or without the run's part, or the whole bracketed text in its place.
 */
import { isList, type Json } from "./json.ts";

/** A list of more than 32 numbers. */
export type Vector = readonly Json[];

/** Up to here a list of numbers is shown as it is. */
const MAX_SHOWN = 32;

/** Beginning of what a model reads. */
export const OPENING = "[vector of ";

/** A call, by its run and its position there. */
export type CallPlace = Readonly<{ run: string; call: string }>;

/** Characters of the run in a key. */
export const RUN_CHARS = 6;

/** The vectors in the output of a call. */
export function findVectors({ run, call }: CallPlace, output: Json | undefined): Iterable<readonly [string, Vector]> {
  if (output === undefined || !hasVector(output)) return [];
  return find(output, `${run.slice(-RUN_CHARS)}/${call}/`, "");
}

/** Most outputs have none. */
function hasVector(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  return isVector(value) || Object.values(value).some(hasVector);
}

function* find(output: Json | undefined, base: string, path: string): Iterable<readonly [string, Vector]> {
  if (typeof output !== "object" || output === null) return;
  if (isVector(output)) {
    yield [base + (path || "vector"), output];
    return;
  }
  for (const [name, value] of Object.entries(output)) {
    const own = /[\\.]/.test(name) ? name.replaceAll(/[\\.]/g, "\\$&") : name;
    yield* find(value, base, path === "" ? own : `${path}.${own}`);
  }
}

/** The output with each vector replaced by what a model reads of it; the same object if it has no vector. */
export function withoutVectors(place: CallPlace, output: Json): Json {
  const keys = new Map<Json, string>();
  for (const [key, vector] of findVectors(place, output))
    keys.set(vector, `${OPENING}${vector.length} numbers: ${key}]`);
  return keys.size === 0 ? output : replaceValues(output, (value) => keys.get(value));
}

/** A copy with values replaced, at any depth; the same object if nothing is. */
export function replaceValues(value: Json, replace: (value: Json) => Json | undefined): Json {
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const items = value.map((item) => replaceValues(item, replace));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([name, item]) => [name, replaceValues(item, replace)] as const);
  return mapped.every(([, item], at) => item === entries[at]?.[1]) ? value : Object.fromEntries(mapped);
}

function isVector(value: Json): value is Vector {
  return isList(value) && value.length > MAX_SHOWN && value.every((item) => typeof item === "number");
}
