/**
 * Vector arguments: keys of vectors in the arguments of a call, replaced by the vectors in the outputs of earlier calls.
 */
import type { Json } from "../words/json.ts";
import { findVectors, OPENING, replaceValues, RUN_CHARS, type Vector } from "../words/vector.ts";

/** A longer text is no key. */
const MAX_KEY_CHARS = 1_000;

/** Finished calls of a run, and what they returned. */
export interface CallOutputs {
  readonly run: string;
  readonly has: (call: string) => boolean;
  readonly outputOf: (call: string) => Promise<Json | undefined>;
}

/** Arguments with each key of a vector replaced by the vector; the same object if it has no key. */
export function withVectors(args: Json, outputs: CallOutputs): Json | Promise<Json> {
  const calls = hasSlash(args) ? new Map(findCalls(args, outputs)) : undefined;
  return calls === undefined || calls.size === 0 ? args : fill(args, calls, outputs);
}

/** A key has a slash, and few arguments have one. */
function hasSlash(value: Json): boolean {
  if (typeof value === "string") return value.includes("/");
  return typeof value === "object" && value !== null && Object.values(value).some(hasSlash);
}

/** The texts that may be keys, and the call that each names. */
function* findCalls(value: Json, outputs: CallOutputs): Iterable<readonly [string, string]> {
  if (typeof value === "object" && value !== null)
    for (const item of Object.values(value)) yield* findCalls(item, outputs);
  if (typeof value !== "string") return;
  const call = findCall(toKey(value), outputs);
  if (call !== undefined) yield [value, call];
}

async function fill(args: Json, calls: ReadonlyMap<string, string>, { run, outputOf }: CallOutputs): Promise<Json> {
  const vectors = new Map<string, Vector>();
  for (const call of new Set(calls.values())) {
    for (const [key, vector] of findVectors({ run, call }, await outputOf(call))) vectors.set(key, vector);
  }
  const byKey = (key: string) => vectors.get(key) ?? vectors.get(`${run.slice(-RUN_CHARS)}/${key}`);
  return replaceValues(args, (value) =>
    typeof value === "string" && calls.has(value) ? byKey(toKey(value)) : undefined,
  );
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
