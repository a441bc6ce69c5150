/**
 * Program: a model that is code, so that rules, assemblies and plans are ordinary agents.
 *
 * It decides from its prompt alone and does nothing to the world but through tool calls. What it says is one reply of
 * a model; what it throws is a failure without a retry.
 */
import type { Json } from "../words/json.ts";
import { NO_USAGE } from "../words/message.ts";
import type { Chunk, Model, Prompt } from "./model.ts";
import { boundOutput, toStateValue } from "../words/output.ts";
import type { Scope } from "../lifetimes/scope.ts";
import { toFigure } from "../words/text.ts";

/** Decision of a program; every field may be left out. */
export interface Decision {
  readonly say?: string;
  readonly call?: readonly { readonly tool: string; readonly args?: Json }[];
  /** Output of the agent, if it has an output schema. */
  readonly output?: Json;
  /** Value that it gets back at its next step. */
  readonly state?: Json;
  /** Changes of the run's state. */
  readonly set?: { readonly [key: string]: Json };
  readonly notes?: readonly { readonly kind: string; readonly data: Json }[];
  readonly warnings?: readonly string[];
  /** The run ends `done` after this turn, whatever the routing says. */
  readonly end?: boolean;
}

/** Code that decides at once, later, or as a stream of chunks; the end chunk may be left out. */
export type Decide = (prompt: Prompt, scope: Scope) => Decision | Promise<Decision> | AsyncIterable<readonly Chunk[]>;

const PREFIX = "code/";

/** The name of the program that a model's name means; undefined if it is not a program. */
export function toProgramName(model: string): string | undefined {
  return model.startsWith(PREFIX) ? model.slice(PREFIX.length) : undefined;
}

/** Makes a model of code. */
export function defineProgram(decide: Decide): Model {
  return {
    name: "code",
    isProgram: true,
    async *stream(prompt, scope) {
      const decided = decide(prompt, scope);
      if (!isStream(decided)) {
        yield toChunks(await decided);
        return;
      }
      let hasEnded = false;
      for await (const chunks of decided) {
        yield chunks;
        hasEnded ||= chunks.some(({ type }) => type === "end");
      }
      if (!hasEnded) yield toChunks({});
    },
  };
}

function isStream(decided: ReturnType<Decide>): decided is AsyncIterable<readonly Chunk[]> {
  return typeof decided === "object" && decided !== null && Symbol.asyncIterator in decided;
}

/** A program's code may have no types: its result is checked, and errors use the field names of the program. */
function toChunks(decision: unknown): readonly Chunk[] {
  if (!isObject(decision)) throw wrong('a program must return an object such as { say: "…" }', decision);
  const { say = "", call = [], output, state, set, notes = [], warnings = [], end } = decision;
  if (typeof say !== "string") throw wrong("`say` must be text", say);
  if (set !== undefined && !isObject(set)) throw wrong("`set` must be an object of values by key", set);
  const chunks: Chunk[] = say === "" ? [] : [{ type: "text", text: say }];
  const calls = toList(call, "call");
  for (const one of calls) {
    if (!isObject(one) || typeof one["tool"] !== "string") throw wrong("an item of `call` must be { tool, args }", one);
    const args = toJson(one["args"] ?? {}, `the arguments of ${one["tool"]}`);
    chunks.push({ type: "call", tool: one["tool"], args: JSON.stringify(args) });
  }
  for (const one of toList(notes, "notes")) {
    if (!isObject(one) || typeof one["kind"] !== "string")
      throw wrong("an item of `notes` must be { kind, data }", one);
    chunks.push({ type: "note", kind: one["kind"], data: toJson(one["data"], `note ${one["kind"]}`) });
  }
  for (const text of toList(warnings, "warnings")) {
    if (typeof text !== "string") throw wrong("an item of `warnings` must be text", text);
    chunks.push({ type: "warning", text });
  }
  const extra = {
    ...(state === undefined ? {} : { state: toJson(state, "`state`") }),
    ...(set === undefined ? {} : { set: toValues(set) }),
    ...(output === undefined ? {} : { output: toJson(output, "`output`") }),
    ...(end === true ? { end: true as const } : {}),
  };
  return [...chunks, { type: "end", finish: calls.length === 0 ? "stop" : "calls", usage: NO_USAGE, ...extra }];
}

const toValues = (set: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(set).map(([key, value]) => [key, toStateValue(key, value)]));

function toList(value: unknown, name: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw wrong(`\`${name}\` must be a list`, value);
}

function toJson(value: unknown, what: string): Json {
  const bounded = boundOutput(value);
  if (!bounded.ok) throw new TypeError(`${what} of a program cannot be used: ${bounded.why}`);
  if (bounded.wholeChars === undefined) return bounded.output;
  throw new TypeError(`${what} of a program has ${toFigure(bounded.wholeChars)} characters; at most 1 MiB is kept`);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function wrong(rule: string, given: unknown): TypeError {
  const what = given === null ? "null" : Array.isArray(given) ? "a list" : typeof given;
  return new TypeError(`${rule}, not ${what}`);
}
