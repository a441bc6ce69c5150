/**
 * Output schema: what a provider wants to know of a JSON Schema before it is given one.
 *
 * Keywords that some provider refuses are left out of the schema and told to the model as text; what tells a model nothing
 * is not sent.
 */
import type { Json } from "@baton/core";
import { isJsonArray, isJsonObject, type JsonObject } from "../json.ts";

/** Keywords that every provider which takes a schema takes. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    "type enum const properties required additionalProperties items minItems maxItems minimum maximum minLength " +
    "maxLength anyOf $defs $ref title description default examples $id"
  ).split(" "),
);

const TEXTS: ReadonlyMap<string, string> = new Map([
  ["format", ""],
  ["exclusiveMinimum", "> "],
  ["exclusiveMaximum", "< "],
  ["multipleOf", "multiple of "],
  ["pattern", "matches "],
]);

const MAX_DEPTH = 100;

/** The schema with the keywords that providers take; the others stand in the description of their part. */
export function toProviderSchema(schema: Json, depth = 0): Json {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return schema;
  // Of alternatives that exclude each other it is enough that one fits: the reply itself is checked by the whole schema.
  const { oneOf, ...others } = schema;
  const all: JsonObject = oneOf === undefined || "anyOf" in schema ? schema : { ...others, anyOf: oneOf };
  const entries = Object.entries(all).filter(([keyword]) => TAKEN.has(keyword));
  const kept = mapParts(Object.fromEntries(entries), (part) => toProviderSchema(part, depth + 1));
  const told = Object.entries(all).flatMap(([keyword, value]) => (TAKEN.has(keyword) ? [] : toText(keyword, value)));
  if (told.length === 0) return kept;
  const own = typeof all["description"] === "string" ? [all["description"]] : [];
  return { ...kept, description: [...own, told.join("; ")].join("\n") };
}

/**
 * The schema without what tells a model nothing: which draft it is of, limits of every whole number, and the long
 * pattern of a format. Libraries write these for parsers, and each may cost more than the rest.
 */
export function toModelSchema(schema: Json, depth = 0): Json {
  if (!isJsonObject(schema) || depth > MAX_DEPTH) return schema;
  const isLong = JSON.stringify(schema["pattern"] ?? "").length > MAX_PATTERN_CHARS;
  const isSilent = ([keyword, value]: readonly [string, Json]): boolean =>
    SILENT.has(keyword) || LEAST.get(keyword) === value || (keyword === "pattern" && isLong && "format" in schema);
  const kept = Object.entries(schema).filter((entry) => !isSilent(entry));
  return mapParts(Object.fromEntries(kept), (part) => toModelSchema(part, depth + 1));
}

/** Beside a format a longer pattern is the library's own for that format. */
const MAX_PATTERN_CHARS = 60;
const SILENT: ReadonlySet<string> = new Set(["$schema", "$comment"]);
const LEAST: ReadonlyMap<string, Json> = new Map([
  ["minimum", Number.MIN_SAFE_INTEGER],
  ["maximum", Number.MAX_SAFE_INTEGER],
]);

const MAPS: ReadonlySet<string> = new Set(["properties", "patternProperties", "$defs", "definitions"]);
const LISTS: ReadonlySet<string> = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const PARTS: ReadonlySet<string> = new Set(["items", "additionalProperties", "propertyNames", "contains", "not"]);

/** A schema with every schema right below it changed. */
function mapParts(schema: JsonObject, change: (part: Json) => Json): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]): readonly [string, Json] => {
      if (MAPS.has(keyword) && isJsonObject(value))
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, change(part)]))];
      if (LISTS.has(keyword) && isJsonArray(value)) return [keyword, value.map(change)];
      return [keyword, PARTS.has(keyword) ? change(value) : value];
    }),
  );
}

function toText(keyword: string, value: Json): string {
  const before = TEXTS.get(keyword) ?? `${keyword}: `;
  return before + (typeof value === "string" ? value : JSON.stringify(value));
}

/** Whether the value it asks for is an object, as most providers demand. */
export function isObjectSchema(schema: Json | undefined): boolean {
  return isJsonObject(schema) && schema["type"] === "object";
}

/**
 * Whether OpenAI's strict mode accepts it: every schema says its type, every object is closed with all of it required,
 * and no text has a length. Asking for strict with any other is an error at the provider.
 */
export function isStrictSchema(schema: Json | undefined): boolean {
  if (schema === undefined) return true;
  if (!isJsonObject(schema)) return false;
  if ((schema["type"] ?? schema["anyOf"] ?? schema["$ref"]) === undefined) return false;
  if ((schema["minLength"] ?? schema["maxLength"]) !== undefined) return false;
  if (isObject(schema) && (schema["additionalProperties"] !== false || countOptional(schema) > 0)) return false;
  return [...partsOf(schema), ...valuesOf(schema["$defs"])].every((part) => isStrictSchema(part));
}

const MAX_OPTIONAL = 10;

/**
 * Whether Anthropic takes it: no object with names of its own choice, few optional properties, and no definition that
 * refers to another.
 */
export function isClosableSchema(schema: Json | undefined): boolean {
  if (!isJsonObject(schema)) return false;
  const defs = isJsonObject(schema["$defs"]) ? schema["$defs"] : {};
  if (Object.values(defs).some((def) => hasRef(def))) return false;
  const all = [...everyPart(schema, defs)];
  if (all.some((part) => part["$ref"] === "#" || isOpen(part))) return false;
  return all.reduce((sum, part) => sum + countOptional(part), 0) <= MAX_OPTIONAL;
}

function isOpen(schema: JsonObject): boolean {
  const { additionalProperties: others, properties } = schema;
  if (others === true || isJsonObject(others)) return true;
  return isObject(schema) && properties === undefined && others !== false;
}

/** A schema and all below it, a definition as often as it is referred to. */
function* everyPart(schema: Json, defs: JsonObject): Iterable<JsonObject> {
  if (!isJsonObject(schema)) return;
  yield schema;
  const { $ref: ref } = schema;
  const name = typeof ref === "string" ? ref.replace("#/$defs/", "") : "";
  const target = Object.hasOwn(defs, name) ? defs[name] : undefined;
  for (const part of [...partsOf(schema), ...(target === undefined ? [] : [target])]) yield* everyPart(part, defs);
}

function hasRef(schema: Json): boolean {
  if (!isJsonObject(schema)) return false;
  return schema["$ref"] !== undefined || partsOf(schema).some((part) => hasRef(part));
}

/** The schemas right below one. */
function partsOf({ properties, items, anyOf, additionalProperties: others }: JsonObject): readonly Json[] {
  const one = [items, others].filter((part) => isJsonObject(part));
  return [...valuesOf(properties), ...one, ...(isJsonArray(anyOf) ? anyOf : [])];
}

function isObject({ type, properties }: JsonObject): boolean {
  return type === "object" || (isJsonArray(type) && type.includes("object")) || properties !== undefined;
}

function countOptional({ properties, required }: JsonObject): number {
  const names = isJsonArray(required) ? required : [];
  return isJsonObject(properties) ? Object.keys(properties).filter((name) => !names.includes(name)).length : 0;
}

const valuesOf = (value: Json | undefined): readonly Json[] => (isJsonObject(value) ? Object.values(value) : []);
