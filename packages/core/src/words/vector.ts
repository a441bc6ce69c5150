/**
 * Vector: a long list of numbers; a model reads a key instead of the numbers.
 *
 * The key names the run by its end, the call and the place in its output (`9f31c0/1.1.2/embedding`); another call of
 * the same run may be given the key, with or without the run's part, or the whole bracketed text in its place.
 */
import type { Json } from "./json.ts";

type Vector = readonly Json[];

/** Up to here a list of numbers is shown as it is. */
const MAX_SHOWN = 32;

const OPENING = "[vector of ";

/** A call, by its run and its position there. */
export type CallPlace = Readonly<{ run: string; call: string }>;

const RUN_CHARS = 6;
/** A longer text is no key. */
const MAX_KEY_CHARS = 1_000;

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
  return keys.size === 0 ? output : map(output, (value) => keys.get(value));
}

/** Finished calls of a run, and what they returned. */
export interface CallOutputs {
  readonly run: string;
  readonly has: (call: string) => boolean;
  readonly outputOf: (call: string) => Promise<Json | undefined>;
}

/** Arguments with each key of a vector replaced by the vector; the same object if it has no key. */
export function withVectors(args: Json, outputs: CallOutputs): Json | Promise<Json> {
  const calls = new Map<string, string>();
  map(args, (value) => {
    const call = typeof value === "string" ? findCall(toKey(value), outputs) : undefined;
    if (typeof value === "string" && call !== undefined) calls.set(value, call);
    return undefined;
  });
  return calls.size === 0 ? args : fill(args, calls, outputs);
}

async function fill(args: Json, calls: ReadonlyMap<string, string>, { run, outputOf }: CallOutputs): Promise<Json> {
  const vectors = new Map<string, Vector>();
  for (const call of new Set(calls.values())) {
    for (const [key, vector] of findVectors({ run, call }, await outputOf(call))) vectors.set(key, vector);
  }
  const byKey = (key: string) => vectors.get(key) ?? vectors.get(`${run.slice(-RUN_CHARS)}/${key}`);
  return map(args, (value) => (typeof value === "string" && calls.has(value) ? byKey(toKey(value)) : undefined));
}

/** The call that a key names: a position may have slashes, and so may a place in an output. */
function findCall(key: string, { run, has }: CallOutputs): string | undefined {
  const prefix = `${run.slice(-RUN_CHARS)}/`;
  const from = key.startsWith(prefix) ? prefix.length : 0;
  if (key.length > MAX_KEY_CHARS) return undefined;
  for (let end = key.indexOf("/", from); end >= 0; end = key.indexOf("/", end + 1)) {
    const call = key.slice(from, end);
    if (has(call)) return call;
  }
  return undefined;
}

function toKey(text: string): string {
  const colon = text.startsWith(OPENING) && text.endsWith("]") ? text.indexOf(": ") : -1;
  return colon === -1 ? text : text.slice(colon + 2, -1);
}

function map(value: Json, replace: (value: Json) => Json | undefined): Json {
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  if (typeof value !== "object" || value === null) return value;
  if (isList(value)) {
    const items = value.map((item) => map(item, replace));
    return items.every((item, at) => item === value[at]) ? value : items;
  }
  const entries = Object.entries(value);
  const mapped = entries.map(([name, item]) => [name, map(item, replace)] as const);
  return mapped.every(([, item], at) => item === entries[at]?.[1]) ? value : Object.fromEntries(mapped);
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

function isVector(value: Json): value is Vector {
  return isList(value) && value.length > MAX_SHOWN && value.every((item) => typeof item === "number");
}
