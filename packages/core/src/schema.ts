/**
 * Schema: how a tool says what input it takes.
 *
 * Either a Standard Schema that also gives JSON Schema (zod ≥ 4.2 does, by `~standard.jsonSchema.input`), or
 * a JSON Schema with a function that validates. The types below follow standardschema.dev, so that core needs
 * no library. Reads: error, json. Read by: tool.
 */
import { BatonError, toMessage } from "./error.ts";
import { parseJson, type Json } from "./json.ts";

/** One way in which input does not fit. */
export interface Issue {
  /** Where, as `a.b.0`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/** Input that fits, or every way in which it does not. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly issues: readonly Issue[] };

interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A Standard Schema that is also a Standard JSON Schema. */
export interface StandardInput<T = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}

/** A JSON Schema with the function that checks and types the input. */
export interface PlainInput<T = unknown> {
  readonly jsonSchema: Json;
  readonly validate: (value: Json) => Parsed<T> | Promise<Parsed<T>>;
}

export type InputSchema<T = unknown> = StandardInput<T> | PlainInput<T>;

/** What `run` gets for a schema. */
export type InputOf<S extends InputSchema> =
  S extends StandardInput<infer T> ? T : S extends PlainInput<infer T> ? T : never;

/** A schema made ready: its JSON Schema, and one way to parse. */
export interface Input<T> {
  readonly jsonSchema: Json;
  parse(args: Json): Parsed<T> | Promise<Parsed<T>>;
}

/** Makes a tool's schema ready; throws `invalid`, naming the tool, where it gives no JSON Schema. */
export function toInput<T>(schema: InputSchema<T>, toolName: string): Input<T> {
  const jsonSchema = toJsonSchema(schema, toolName);
  const validate = "~standard" in schema ? fromStandard(schema) : schema.validate;
  return {
    jsonSchema,
    parse(args) {
      try {
        const parsed = validate(args);
        return parsed instanceof Promise ? parsed.catch(toRefusal) : parsed;
      } catch (error) {
        return toRefusal(error);
      }
    },
  };
}

function toJsonSchema(schema: InputSchema, toolName: string): Json {
  try {
    const given =
      "~standard" in schema ? schema["~standard"].jsonSchema.input({ target: "draft-2020-12" }) : schema.jsonSchema;
    // A copy: whoever gave the schema may go on changing it.
    const copy = parseJson(JSON.stringify(given));
    if (typeof copy !== "object" || copy === null || Array.isArray(copy)) throw new TypeError("it is not an object");
    return deepFreeze(copy);
  } catch (error) {
    const why = `tool "${toolName}": its input gives no JSON Schema: ${toMessage(error)}`;
    throw new BatonError("invalid", why, { cause: error });
  }
}

function deepFreeze(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}

function fromStandard<T>(schema: StandardInput<T>): PlainInput<T>["validate"] {
  return (args) => {
    const result = schema["~standard"].validate(args);
    return result instanceof Promise ? result.then(toParsed) : toParsed(result);
  };
}

function toParsed<T>(result: StandardResult<T>): Parsed<T> {
  if (result.issues === undefined) return { ok: true, value: result.value };
  return { ok: false, issues: result.issues.map(({ message, path = [] }) => ({ path: toPath(path), message })) };
}

function toPath(path: NonNullable<StandardIssue["path"]>): string {
  return path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
}

/** A validator that throws accepts nothing: what it threw is the issue. */
function toRefusal(thrown: unknown): { readonly ok: false; readonly issues: readonly Issue[] } {
  return { ok: false, issues: [{ path: "", message: toMessage(thrown) }] };
}
