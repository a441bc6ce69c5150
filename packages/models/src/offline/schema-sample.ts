/**
 * Sample: the smallest value that fits a JSON Schema, by the keywords that core checks.
 *
 * Used if no model can fill it; deterministic, and bounded however the schema refers to itself.
 */
import type { Json } from "@baton/core";
import { checkJson } from "@baton/core/util";
import { isJsonArray, isJsonObject, type JsonObject } from "../json.ts";

const MAX_DEPTH = 12;
/** Deeper, the last alternative is tried first: of a schema that contains itself it is the one that ends. */
const DEEP = 6;
const MAX_PARTS = 1_000;
const MAX_CHECKS = 20;
const MAX_ITEMS = 100;
const MAX_CHARS = 1_000;
const DEFAULT_CHARS = 200;

const OF_FORMAT: ReadonlyMap<Json | undefined, string> = new Map([
  ["date", "2000-01-01"],
  ["date-time", "2000-01-01T00:00:00Z"],
  ["time", "00:00:00Z"],
  ["email", "nobody@example.com"],
  ["uri", "https://example.com/"],
  ["uuid", "00000000-0000-4000-8000-000000000000"],
]);

/** Keywords that say the type of a schema which does not name it. */
const TYPE_OF: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ["string", ["format", "minLength", "maxLength", "pattern"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems", "uniqueItems"]],
];

/** A value for the schema; `text` goes where any text will do. */
export function sampleOf(schema: Json, text: string): Json {
  const root = isJsonObject(schema) ? schema : {};
  return fill(root, { root, text, depth: 0, nth: 0, left: { parts: MAX_PARTS, checks: MAX_CHECKS } });
}

interface Place {
  readonly root: JsonObject;
  readonly text: string;
  readonly depth: number;
  /** Place in a list whose items must differ. */
  readonly nth: number;
  readonly left: { parts: number; checks: number };
}

function fill(given: Json | undefined, place: Place): Json {
  const schema = isJsonObject(given) ? withAll(given, place.root) : {};
  const below = { ...place, depth: place.depth + 1 };
  if (place.depth > MAX_DEPTH || place.left.parts-- <= 0) return null;
  const fixed = schema["const"] ?? schema["default"];
  if (fixed !== undefined) return fixed;
  if (isJsonArray(schema["enum"])) return fromEnum(schema["enum"], place);
  const { anyOf, oneOf, ...others } = schema;
  const choice = anyOf ?? oneOf;
  if (isJsonArray(choice)) return fillOne(choice, schema, { others, place: below });
  switch (typeOf(schema)) {
    case "string":
      return toText(schema, place);
    case "integer":
      return toNumber(schema, place, 1);
    case "number":
      return toNumber(schema, place);
    case "boolean":
      return place.nth % 2 === 1;
    case "null":
      return null;
    case "array":
      return toList(schema, below);
    default:
      return toObject(schema, below);
  }
}

function typeOf(schema: JsonObject): Json | undefined {
  const type = isJsonArray(schema["type"]) ? schema["type"][0] : schema["type"];
  return type ?? TYPE_OF.find(([, keywords]) => keywords.some((keyword) => keyword in schema))?.[0];
}

/** A schema together with what it refers to and all parts that it must fit as well. */
function withAll(schema: JsonObject, root: JsonObject): JsonObject {
  let { allOf, $ref: ref, ...merged } = schema;
  // References may lead in a circle.
  for (let depth = 0; depth < MAX_DEPTH && (ref !== undefined || allOf !== undefined); depth++) {
    const parts = [...(isJsonArray(allOf) ? allOf : []), ...(typeof ref === "string" ? [find(root, ref)] : [])];
    const next = parts.filter(isJsonObject).reduce(merge, merged);
    ({ allOf, $ref: ref, ...merged } = next);
  }
  return merged;
}

function merge(one: JsonObject, other: JsonObject): JsonObject {
  const properties = { ...objectOf(one["properties"]), ...objectOf(other["properties"]) };
  const required = [...listOf(one["required"]), ...listOf(other["required"])];
  const allOf = [...listOf(one["allOf"]), ...listOf(other["allOf"])];
  const lists = { ...(required.length > 0 && { required }), ...(allOf.length > 0 && { allOf }) };
  return { ...one, ...other, ...(Object.keys(properties).length > 0 && { properties }), ...lists };
}

type Beside = Readonly<{ others: JsonObject; place: Place }>;

/** A value for the first alternative; if only one may fit, for the first whose value fits the whole. */
function fillOne(choice: readonly Json[], schema: JsonObject, { others, place }: Beside): Json {
  const whole = { ...schema, $defs: place.root["$defs"] ?? {} };
  for (const part of place.depth > DEEP ? choice.toReversed() : choice) {
    const value = fill(isJsonObject(part) ? merge(others, part) : others, place);
    if (schema["oneOf"] === undefined || place.left.checks-- <= 0 || checkJson(whole, value).length === 0) return value;
  }
  return null;
}

function toObject(schema: JsonObject, place: Place): Json {
  const properties = objectOf(schema["properties"]);
  const names = listOf(schema["required"]).filter((name) => typeof name === "string");
  return Object.fromEntries(
    names.map((name) => [name, fill(Object.hasOwn(properties, name) ? properties[name] : undefined, place)]),
  );
}

function toList(schema: JsonObject, place: Place): Json {
  const first = listOf(schema["prefixItems"]).slice(0, MAX_ITEMS);
  const length = Math.min(Math.max(numberOf(schema["minItems"]) ?? 0, first.length), MAX_ITEMS);
  const isUnique = schema["uniqueItems"] === true;
  return Array.from({ length }, (_, nth) =>
    fill(nth < first.length ? first[nth] : schema["items"], { ...place, nth: isUnique ? nth : place.nth }),
  );
}

/** The first value that the text names, else the first. */
function fromEnum(values: readonly Json[], { text, nth }: Place): Json {
  const heard = text.toLowerCase();
  const named = values.find(
    (value) => typeof value === "string" && value !== "" && heard.includes(value.toLowerCase()),
  );
  return (nth === 0 ? named : undefined) ?? values[nth % values.length] ?? null;
}

function toText(schema: JsonObject, { text, nth }: Place): string {
  const fixed = OF_FORMAT.get(schema["format"]);
  if (fixed !== undefined) return fixed;
  const longest = Math.min(numberOf(schema["maxLength"]) ?? DEFAULT_CHARS, MAX_CHARS);
  const shortest = Math.min(numberOf(schema["minLength"]) ?? 0, MAX_CHARS);
  // Limits count characters, not units.
  const chars = Array.from(`${nth === 0 ? "" : `${nth} `}${text.slice(0, 2 * longest).toWellFormed()}`).slice(
    0,
    longest,
  );
  return chars.join("") + ".".repeat(Math.max(0, shortest - chars.length));
}

/** The number nearest to zero, above it if both are near; whole steps of it if it has any. */
function toNumber(schema: JsonObject, { nth }: Place, whole?: number): number {
  const [low, above] = [numberOf(schema["minimum"]), numberOf(schema["exclusiveMinimum"])];
  const [high, under] = [numberOf(schema["maximum"]), numberOf(schema["exclusiveMaximum"])];
  const step = numberOf(schema["multipleOf"]) ?? whole;
  const from = Math.max(low ?? -Infinity, above ?? -Infinity);
  const to = Math.min(high ?? Infinity, under ?? Infinity);
  const gap = step ?? Math.min(1, (to - from) / 2);
  const fits = (value: number): boolean =>
    value >= from && value <= to && value !== above && value !== under && (step === undefined || isStep(value, step));
  const grid = (edge: number): readonly number[] => {
    const at = step === undefined ? edge : Math.round(edge / step) * step;
    return [at, at + gap, at - gap];
  };
  const start =
    [0, ...(Number.isFinite(from) ? grid(from) : []), ...(Number.isFinite(to) ? grid(to) : [])].find(fits) ?? 0;
  return [start + nth * gap, start - nth * gap].find(fits) ?? start;
}

const isStep = (value: number, step: number): boolean => Math.abs(value / step - Math.round(value / step)) < 1e-9;

function find(root: JsonObject, ref: string): Json | undefined {
  let at: Json | undefined = root;
  for (const key of ref.split("/").slice(1)) at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

const objectOf = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {});
const listOf = (value: Json | undefined): readonly Json[] => (isJsonArray(value) ? value : []);
const numberOf = (value: Json | undefined): number | undefined => (typeof value === "number" ? value : undefined);
