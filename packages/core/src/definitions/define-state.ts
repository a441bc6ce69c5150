/**
 * Typed state: a schema for each key of a run's state.
 *
 * The log keeps values as JSON. A value is parsed when it is set and again when it is read, so that a reader has the
 * schema's output type whichever process, tool or client has set the value.
 */
import { BatonError } from "../words/error.ts";
import { isEqualJson, type Json } from "../words/json.ts";
import { nearest } from "../words/nearest.ts";
import { boundOutput, toStateValue } from "../words/output.ts";
import { parseNow, type Parsed, type StandardSchema } from "../words/schema/schema.ts";
import type { CallContext, RunState } from "./tool.ts";

type Schemas = { readonly [key: string]: StandardSchema };

type InputOf<Schema> = Schema extends StandardSchema<infer Input> ? Input : never;
type ParsedOf<Schema> = Schema extends StandardSchema<infer _, infer Output> ? Output : never;

/** A value as it is read; undefined is possible only if the schema has no default. */
type ValueOf<Schema> = undefined extends InputOf<Schema> ? ParsedOf<Schema> : ParsedOf<Schema> | undefined;

/** A tool's or hook's context, or a program's or model's prompt. */
type StateSource = Readonly<{ values: ReadonlyMap<string, Json> }> | Readonly<{ state: Pick<RunState, "get"> }>;

/** A run's state with a type for each key. */
export interface TypedState<All extends Schemas = Schemas> {
  /** The names that it has. */
  readonly keys: readonly string[];
  /** The parsed value; if none is set, the schema's default or else undefined. Throws `invalid` if the value does not fit. */
  readonly get: <Key extends keyof All & string>(from: StateSource, key: Key) => ValueOf<All[Key]>;
  /** Sets a value from a tool; throws `invalid` if it does not fit. */
  readonly set: <Key extends keyof All & string>(
    context: Pick<CallContext, "state">,
    key: Key,
    value: InputOf<All[Key]>,
  ) => void;
  /** Values as a program gives them in `set`; throws `invalid` if one does not fit. */
  readonly toSet: (values: { readonly [Key in keyof All]?: InputOf<All[Key]> }) => { readonly [key: string]: Json };
}

/** Types the state of a crew's runs, one Standard Schema a key. */
export function defineState<const All extends Schemas>(schemas: All): TypedState<All>;
export function defineState(schemas: Schemas): TypedState {
  const all = new Map(Object.entries(schemas));
  const keys = Object.freeze([...all.keys()]);
  const schemaOf = (key: string): StandardSchema => {
    const schema = all.get(key);
    if (schema !== undefined) return schema;
    const near = nearest(key, keys);
    throw new BatonError(
      "invalid",
      `there is no state "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`,
    );
  };
  const toJson = (key: string, value: unknown): Json => toStored(key, value, schemaOf(key));
  return Object.freeze({
    keys,
    get(from: StateSource, key: string): unknown {
      const stored = "values" in from ? from.values.get(key) : from.state.get(key);
      const parsed = parseNow(schemaOf(key), stored, `state "${key}"`);
      if (parsed.ok) return parsed.value;
      if (stored !== undefined) throw toInvalid(key, parsed);
      return undefined;
    },
    set(context: Pick<CallContext, "state">, key: string, value: unknown): void {
      context.state.set(key, toJson(key, value));
    },
    toSet: (values: object) =>
      Object.fromEntries(
        Object.entries(values)
          .filter(([, value]) => value !== undefined)
          .map(([key, value]) => [key, toJson(key, value)]),
      ),
  });
}

/** The parsed value, if that is JSON which parses to itself; else the value as it was given. */
function toStored(key: string, value: unknown, schema: StandardSchema): Json {
  const what = `state "${key}"`;
  const parsed = parseNow(schema, value, what);
  if (!parsed.ok) throw toInvalid(key, parsed);
  const bounded = boundOutput(parsed.value);
  if (bounded.ok && bounded.wholeChars === undefined) {
    const again = parseNow(schema, bounded.output, what);
    const output = again.ok ? boundOutput(again.value) : again;
    if (output.ok && isEqualJson(output.output, bounded.output)) return bounded.output;
  }
  const given = toStateValue(key, value);
  const again = parseNow(schema, given, what);
  if (again.ok) return given;
  throw new BatonError("invalid", `${what}: the value cannot be kept as JSON; ${toText(again)}`);
}

const toInvalid = (key: string, refused: Extract<Parsed<unknown>, { ok: false }>): BatonError =>
  new BatonError("invalid", `state "${key}" does not fit: ${toText(refused)}`);

const toText = ({ issues }: Extract<Parsed<unknown>, { ok: false }>): string =>
  issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`)).join("; ");
