/**
 * Schema: how a tool says what input it takes.
 *
 * Either a Standard Schema that also gives JSON Schema (zod ≥ 4.2 does, by `~standard.jsonSchema.input`), or a JSON
 * Schema with a function that validates. The types below follow standardschema.dev, so that core needs no library.
 */
import { BatonError, toMessage } from "../error.ts";
import { freezeDeep, parseJson, type Json } from "../json.ts";

/** A JSON Schema, as an object. */
export type JsonSchema = { readonly [keyword: string]: Json };

/** One way in which input does not fit; `path` says where, as `a.b.0`, and is empty for the whole. */
export type Issue = Readonly<{ path: string; message: string }>;

/** Every way in which input does not fit. */
export type Refused = Readonly<{ ok: false; issues: readonly Issue[] }>;

/** Input that fits, or why it does not. */
export type Parsed<T> = { readonly ok: true; readonly value: T } | Refused;

type StandardPath = readonly (PropertyKey | { readonly key: PropertyKey })[];
type StandardIssue = Readonly<{ message: string; path?: StandardPath | undefined }>;
type StandardResult<T> = Readonly<{ value: T; issues?: undefined }> | Readonly<{ issues: readonly StandardIssue[] }>;

/** Any Standard Schema. */
export interface StandardSchema<Input = unknown, Output = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Options for the JSON Schema of a Standard Schema; libraries may know more of them. */
type JsonSchemaOptions = { target: "draft-2020-12"; libraryOptions?: Record<string, unknown> };

/** A Standard Schema that is also a Standard JSON Schema. */
export interface StandardInput<T = unknown> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>;
    readonly jsonSchema: { readonly input: (options: JsonSchemaOptions) => Record<string, unknown> };
    readonly types?: { readonly input: unknown; readonly output: T } | undefined;
  };
}

/** A JSON Schema with the function that checks and types the input. */
export interface PlainInput<T = unknown> {
  readonly jsonSchema: Json;
  readonly validate: (value: Json) => Parsed<T> | Promise<Parsed<T>>;
}

export type InputSchema<T = unknown> = StandardInput<T> | PlainInput<T>;

/** Schema of an agent's output: a JSON Schema, or a schema that parses by itself. */
export type OutputSchema<T = unknown> = JsonSchema | InputSchema<T>;

/** Either kind of schema as a JSON Schema, frozen. */
export function toOutputSchema(schema: OutputSchema, agent: string): JsonSchema {
  const plain = hasParser(schema) ? schema : { jsonSchema: schema };
  return toJsonSchema(plain, `agent "${agent}": its output`);
}

/** The given schema's own parser; undefined if it is a JSON Schema, which core checks. */
export function toParser(schema: OutputSchema | undefined): PlainInput["validate"] | undefined {
  return schema === undefined || !hasParser(schema) ? undefined : parserOf(schema);
}

/** Whether a schema parses by itself. */
export function hasParser(schema: OutputSchema): schema is InputSchema {
  return "~standard" in schema || typeof schema.validate === "function";
}

/** Either kind of schema as the plain one, frozen; throws `invalid`, naming the tool, if it gives no JSON Schema. */
export function toInput<T>(
  schema: InputSchema<T>,
  toolName: string,
): PlainInput<T> & { readonly jsonSchema: JsonSchema } {
  const jsonSchema = toJsonSchema(schema, `tool "${toolName}": its schema`);
  return { jsonSchema, validate: parserOf(schema) };
}

function parserOf<T>(schema: InputSchema<T>): PlainInput<T>["validate"] {
  if (!("~standard" in schema)) return schema.validate;
  return (value) => {
    const result = schema["~standard"].validate(value);
    return result instanceof Promise ? result.then(toParsed) : toParsed(result);
  };
}

/** A value as its schema parses it; throws `invalid` if the schema needs time for that. */
export function parseNow<T>(schema: StandardSchema<unknown, T>, value: unknown, what: string): Parsed<T> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise)
    throw new BatonError("invalid", `${what}: its schema is asynchronous; use one that is not`);
  return toParsed(result);
}

function toJsonSchema(schema: StandardInput | Pick<PlainInput, "jsonSchema">, what: string): JsonSchema {
  try {
    const given = "~standard" in schema ? toStandardJson(schema) : schema.jsonSchema;
    // A copy: the caller may still change the schema.
    const copy = parseJson(JSON.stringify(given));
    if (!isObject(copy)) throw new TypeError("it is not an object");
    return freezeDeep(copy);
  } catch (error) {
    const why = `${what} gives no JSON Schema: ${toMessage(error)}`;
    throw new BatonError("invalid", why, { cause: error });
  }
}

/** A type that JSON Schema does not have is any value there: a date is text, and the schema's own parser decides. */
function toStandardJson(schema: StandardInput): Record<string, unknown> {
  const { input } = schema["~standard"].jsonSchema;
  try {
    return input({ target: "draft-2020-12" });
  } catch {
    return input({ target: "draft-2020-12", libraryOptions: { unrepresentable: "any", override: describeDate } });
  }
}

/** Tells zod how a date is written in JSON. */
function describeDate({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }): void {
  if (typeof zodSchema !== "object" || zodSchema === null || !("type" in zodSchema) || zodSchema.type !== "date")
    return;
  jsonSchema["type"] = "string";
  jsonSchema["format"] = "date-time";
}

function isObject(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function toParsed<T>(result: StandardResult<T>): Parsed<T> {
  if (result.issues === undefined) return { ok: true, value: result.value };
  const toText = (path: StandardPath) =>
    path.map((part) => String(typeof part === "object" ? part.key : part)).join(".");
  return { ok: false, issues: result.issues.map(({ message, path = [] }) => ({ path: toText(path), message })) };
}
