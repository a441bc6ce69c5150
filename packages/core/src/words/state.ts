/**
 * State: a run's JSON key/value store, as the log says it is.
 *
 * A key may hold an object; a dot in a name goes into it. What a template or a condition shows is a function of this.
 */
import type { EventBody, EventBodyOf, MemberResult } from "./event.ts";
import type { Json } from "./json.ts";

/** The keys that `{{state.KEY}}` may name: a dot goes into an object, a star at the end means every key that begins so. */
export const STATE_KEY = String.raw`[\w./-]+\*?`;

type Values = ReadonlyMap<string, Json>;

/** Whether a fact changes the state. */
export function hasChanges(fact: EventBody): boolean {
  return changesOf(fact) !== undefined;
}

/** The state after these facts; the same Map if they change nothing. */
export function withChanges(values: Values, facts: Iterable<EventBody>): Values {
  let changed: Map<string, Json> | undefined;
  for (const fact of facts) {
    for (const [key, value] of Object.entries(changesOf(fact) ?? {})) {
      changed ??= new Map(values);
      changed.set(key, value);
    }
  }
  return changed ?? values;
}

function changesOf(fact: EventBody): { readonly [key: string]: Json } | undefined {
  if (fact.type === "call.ended") return fact.state;
  if (fact.type === "step.ended") return fact.set;
  if (fact.type === "group.ended") return fact.over === undefined ? undefined : { [fact.group]: toList(fact) };
  return fact.type === "run.started" && fact.options !== undefined ? { options: fact.options } : undefined;
}

/** The results of a map, each with its item. */
function toList({ results, over = [] }: EventBodyOf<"group.ended">): Json {
  // A log may have been changed, and a replay finds where.
  if (!Array.isArray(results)) return null;
  const all: readonly MemberResult[] = results;
  return all.map((result, at): Json => {
    const { error, ...rest } = result;
    const failed = error === undefined ? {} : { error: { code: error.code, message: error.message } };
    return { ...rest, item: over[at] ?? null, ...failed };
  });
}

/** Looks up a name: the key of that name or, with dots, a value inside the value of a key. */
export function lookUp(values: Values, name: string): Json | undefined {
  const whole = values.get(name);
  if (whole !== undefined) return whole;
  for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) {
    const value = values.get(name.slice(0, dot));
    if (value !== undefined) return lookInto(value, name.slice(dot + 1));
  }
  return undefined;
}

/** Returns the value that a dotted path leads to inside a value. */
export function lookInto(value: Json, path: string): Json | undefined {
  let found: Json | undefined = value;
  for (const name of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, name)) return undefined;
    found = Object.entries(found).find(([key]) => key === name)?.[1];
  }
  return found;
}
