/**
 * JSON Schema: whether a JSON value fits a schema, and every way in which it does not.
 *
 * Checks type, enum, const, properties, required, additionalProperties, items, sizes, anyOf and `$ref` to the schema's
 * own `$defs`; other keywords are ignored, and `findKeyword` finds them.
 */
import { isEqualJson, type Json } from "../json.ts";
import type { Issue, JsonSchema } from "./schema.ts";

/** Deeper than any value a model writes, and far from the end of the stack. */
const MAX_DEPTH = 100;

type Spot = Readonly<{ path: string; defs: JsonSchema; depth: number }>;

/** Every way in which a value does not fit; empty if it fits. */
export function checkJson(schema: Json, value: Json): readonly Issue[] {
  const defs = isObject(schema) ? schema["$defs"] : undefined;
  return [...check(schema, value, { path: "", defs: isObject(defs) ? defs : {}, depth: 0 })];
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "type enum const properties required additionalProperties items minItems maxItems minimum maximum minLength " +
    "maxLength anyOf $defs $ref title description default examples $schema $id $comment"
  ).split(" "),
);

/** A keyword anywhere in the schema that is not checked here. */
export function findKeyword(schema: Json | undefined): string | undefined {
  if (!isObject(schema)) return undefined;
  const own = Object.keys(schema).find((name) => !KEYWORDS.has(name));
  if (own !== undefined) return own;
  const { properties, $defs: defs, anyOf, items, additionalProperties: others } = schema;
  const parts = [...valuesOf(properties), ...valuesOf(defs), ...(isList(anyOf) ? anyOf : []), items, others];
  for (const part of parts) {
    const found = findKeyword(part);
    if (found !== undefined) return found;
  }
  return undefined;
}

const valuesOf = (value: Json | undefined): readonly Json[] => (isObject(value) ? Object.values(value) : []);

/** The schemas that a dotted path may lead to, and the names that the last object on its way knows. */
export function schemasAt(schema: JsonSchema, path: string): { schemas: readonly JsonSchema[]; known: string[] } {
  const defs = isObject(schema["$defs"]) ? schema["$defs"] : {};
  let schemas: readonly JsonSchema[] = alternatives(schema, defs);
  let known: string[] = [];
  for (const name of path.split(".")) {
    const all = schemas.map(({ properties }) => (isObject(properties) ? properties : {}));
    known = all.flatMap((properties) => Object.keys(properties));
    schemas = all.flatMap((properties) =>
      Object.hasOwn(properties, name) ? alternatives(properties[name], defs) : [],
    );
  }
  return { schemas, known };
}

/** The schemas that apply: the schema itself, what it refers to, and each of its alternatives. */
function alternatives(schema: Json | undefined, defs: JsonSchema, depth = 0): readonly JsonSchema[] {
  if (!isObject(schema) || depth > MAX_DEPTH) return [];
  const { $ref: ref, anyOf } = schema;
  const next = typeof ref === "string" ? [defs[ref.replace(/^#\/\$defs\//, "")]] : isList(anyOf) ? anyOf : [];
  return [schema, ...next.flatMap((one) => alternatives(one, defs, depth + 1))];
}

function* check(schema: Json | undefined, value: Json, spot: Spot): Iterable<Issue> {
  if (schema === false) yield issue(spot, "is not allowed");
  if (!isObject(schema)) return;
  if (spot.depth > MAX_DEPTH) {
    yield issue(spot, "is nested too deeply");
    return;
  }
  const { $ref: ref, enum: words, const: constant, anyOf } = schema;
  if (typeof ref === "string") yield* check(spot.defs[ref.replace(/^#\/\$defs\//, "")], value, deeper(spot));
  const type = schema["type"];
  const types = typeof type === "string" ? [type] : isList(type) ? type : [];
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    yield issue(spot, `must be ${types.map(String).join(" or ")}, not ${typeOf(value)}`);
    return;
  }
  if (isList(words) && !words.some((word) => isEqualJson(word, value)))
    yield issue(spot, `must be one of ${words.map((word) => JSON.stringify(word)).join(", ")}`);
  if (constant !== undefined && !isEqualJson(constant, value)) yield issue(spot, `must be ${JSON.stringify(constant)}`);
  if (isList(anyOf) && !anyOf.some((one) => isNone(check(one, value, deeper(spot)))))
    yield issue(spot, "fits none of the alternatives");
  yield* checkSize(schema, value, spot);
  if (isObject(value)) yield* checkObject(schema, value, spot);
  if (isList(value) && schema["items"] !== undefined) {
    for (const [index, item] of value.entries()) yield* check(schema["items"], item, deeper(spot, index));
  }
}

function* checkObject(schema: JsonSchema, value: JsonSchema, spot: Spot): Iterable<Issue> {
  const { required, properties, additionalProperties: others } = schema;
  const known = isObject(properties) ? properties : {};
  for (const name of isList(required) ? required : []) {
    if (typeof name === "string" && !Object.hasOwn(value, name)) yield issue(deeper(spot, name), "is missing");
  }
  for (const [name, item] of Object.entries(value)) {
    yield* check(Object.hasOwn(known, name) ? known[name] : others, item, deeper(spot, name));
  }
}

function* checkSize(schema: JsonSchema, value: Json, spot: Spot): Iterable<Issue> {
  const [of, size] =
    typeof value === "number"
      ? (["imum", value] as const)
      : typeof value === "string"
        ? (["Length", Array.from(value).length] as const)
        : (["Items", isList(value) ? value.length : undefined] as const);
  if (size === undefined) return;
  const { [`min${of}`]: min, [`max${of}`]: max } = schema;
  const unit = { imum: "", Length: " characters", Items: " items" }[of];
  if (typeof min === "number" && size < min) yield issue(spot, `must be at least ${min}${unit}, is ${size}`);
  if (typeof max === "number" && size > max) yield issue(spot, `must be at most ${max}${unit}, is ${size}`);
}

function issue({ path }: Spot, message: string): Issue {
  return { path, message };
}

function deeper({ path, defs, depth }: Spot, name?: string | number): Spot {
  const below = name === undefined ? path : path === "" ? `${name}` : `${path}.${name}`;
  return { path: below, defs, depth: depth + 1 };
}

function typeOf(value: Json): string {
  return value === null ? "null" : isList(value) ? "array" : typeof value;
}

function isOfType(value: Json, type: Json): boolean {
  return type === "integer" ? Number.isInteger(value) : type === typeOf(value);
}

const isNone = (issues: Iterable<Issue>): boolean => Iterator.from(issues).next().done === true;

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

function isObject(value: Json | undefined): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
