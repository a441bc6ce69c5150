/**
 * JSON Schema: whether a JSON value fits a schema, and every way in which it does not.
 *
 * The work grows with the size of the value, however a schema refers to itself. Keywords that are not checked are
 * ignored, and `findUnsupported` finds them.
 */
import { FORMAT_NAMES, isOfFormat } from "./format.ts";
import { isEqualJson, isFields, isList, type Json, toCanonicalJson } from "../json.ts";
import type { Issue, JsonSchema, PlainInput } from "./schema.ts";

/** Deeper than any value a model writes, and far from the end of the stack. */
const MAX_DEPTH = 100;
const MAX_ISSUES = 1_000;

/** Parts of a schema that are compared with parts of a value: so many in any case, and so many for each part of the value. */
const MIN_WORK = 100_000;
const WORK_PER_VALUE = 20;

/** Limits of a check of a schema from outside: how deep it may go, and whether formats are checked. */
export type CheckLimits = Readonly<{ maxDepth?: number; formats?: "checked" | "ignored" }>;

type Spot = Readonly<{ path: string; root: Json; depth: number; work: { left: number } }> & Required<CheckLimits>;

/** Every way in which a value does not fit, as far as a reader could use them; empty if it fits. */
export function checkJson(schema: Json, value: Json, limits: CheckLimits = {}): readonly Issue[] {
  const work = { left: MIN_WORK + WORK_PER_VALUE * sizeOf(value) };
  const { maxDepth = MAX_DEPTH, formats = "checked" } = limits;
  const spot = { path: "", root: schema, depth: 0, work, maxDepth, formats };
  return [...Iterator.from(check(schema, value, spot)).take(MAX_ISSUES)];
}

/** A JSON Schema as the schema of a tool's input, checked here. */
export function toPlainInput(jsonSchema: JsonSchema): PlainInput<Json> {
  return {
    jsonSchema,
    validate: (value) => {
      const issues = checkJson(jsonSchema, value);
      return issues.length === 0 ? { ok: true, value } : { ok: false, issues };
    },
  };
}

function sizeOf(value: Json, depth = 0): number {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return 1;
  return Object.values(value).reduce((sum: number, item: Json) => sum + sizeOf(item, depth + 1), 1);
}

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    "type enum const properties required additionalProperties propertyNames items prefixItems minItems maxItems " +
    "uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength format anyOf oneOf " +
    "allOf not if then else contains minContains maxContains minProperties maxProperties dependentRequired " +
    "dependentSchemas $defs definitions $ref title description default examples $schema $id $comment deprecated " +
    "readOnly writeOnly"
  ).split(" "),
);

const MAPS = ["properties", "$defs", "definitions", "dependentSchemas"] as const;
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"] as const;
const SINGLE = ["items", "additionalProperties", "propertyNames", "not", "if", "then", "else", "contains"] as const;

/** Something in a schema that is not checked here, and where. */
export type Unsupported = Readonly<{ path: readonly (string | number)[]; what: string }>;

/** Finds everything in a schema that is not checked here. */
export function* findUnsupported(schema: Json | undefined, path: Unsupported["path"] = []): Iterable<Unsupported> {
  if (!isFields(schema) || path.length > MAX_DEPTH) return;
  for (const name of Object.keys(schema)) {
    if (!KEYWORDS.has(name)) yield { path: [...path, name], what: `the keyword \`${name.slice(0, MAX_DEPTH)}\`` };
  }
  const format = schema["format"];
  if (typeof format === "string" && !FORMAT_NAMES.includes(format))
    yield { path: [...path, "format"], what: `the format \`${format.slice(0, MAX_DEPTH)}\`` };
  for (const keyword of MAPS)
    for (const [name, part] of Object.entries(mapOf(schema[keyword])))
      yield* findUnsupported(part, [...path, keyword, name]);
  for (const keyword of LISTS)
    for (const [index, part] of listOf(schema[keyword]).entries())
      yield* findUnsupported(part, [...path, keyword, index]);
  for (const keyword of SINGLE) yield* findUnsupported(schema[keyword], [...path, keyword]);
}

/** The schemas that a dotted path may lead to, and the names that the last object on its way knows. */
export function schemasAt(schema: JsonSchema, path: string): { schemas: readonly JsonSchema[]; known: string[] } {
  let schemas = alternatives([schema], schema);
  let known: string[] = [];
  for (const name of path.split(".")) {
    const all = schemas.map(({ properties }) => mapOf(properties));
    known = all.flatMap((properties) => Object.keys(properties));
    schemas = alternatives(
      all.map((properties) => ownOf(properties, name)),
      schema,
    );
  }
  return { schemas, known };
}

/** The schemas that apply: each itself, what it refers to, and each of its alternatives. */
function alternatives(schemas: readonly (Json | undefined)[], root: Json): readonly JsonSchema[] {
  const all = new Set(schemas.filter(isFields));
  // A set that grows while it is read is read to its end.
  for (const { $ref: ref, anyOf, oneOf, allOf } of all) {
    const next = [resolve(ref, root), ...[anyOf, oneOf, allOf].flatMap(listOf)];
    for (const one of next.filter(isFields)) all.add(one);
  }
  return [...all];
}

function* check(schema: Json | undefined, value: Json, spot: Spot): Iterable<Issue> {
  if (schema === false) yield issue(spot, "is not allowed");
  if (!isFields(schema)) return;
  const problem =
    spot.depth > spot.maxDepth ? "is nested too deeply" : spot.work.left <= 0 ? "takes too long to check" : "";
  if (problem !== "") {
    yield issue(spot, problem);
    return;
  }
  spot.work.left -= 1;
  const { $ref: ref, enum: words, const: constant, type } = schema;
  if (ref !== undefined) yield* check(resolve(ref, spot.root), value, deeper(spot));
  const types = typeof type === "string" ? [type] : listOf(type);
  if (types.length > 0 && !types.some((one) => isOfType(value, one))) {
    yield issue(spot, `must be ${types.map(String).join(" or ")}, not ${typeOf(value)}`);
    return;
  }
  if (isList(words)) {
    spot.work.left -= words.length;
    if (!words.some((word) => isEqualJson(word, value)))
      yield issue(spot, `must be one of ${words.map((word) => JSON.stringify(word)).join(", ")}`);
  }
  if (constant !== undefined && !isEqualJson(constant, value)) yield issue(spot, `must be ${JSON.stringify(constant)}`);
  yield* checkChoices(schema, value, spot);
  yield* checkSize(schema, value, spot);
  if (typeof value === "number") yield* checkNumber(schema, value, spot);
  if (typeof value === "string") yield* checkText(schema, value, spot);
  if (isFields(value)) yield* checkObject(schema, value, spot);
  if (isList(value)) yield* checkList(schema, value, spot);
}

function* checkChoices(schema: JsonSchema, value: Json, spot: Spot): Iterable<Issue> {
  const { anyOf, oneOf, allOf, not, if: condition, then, else: otherwise } = schema;
  const fits = (one: Json): boolean => isNone(check(one, value, deeper(spot)));
  if (not !== undefined && fits(not)) yield issue(spot, "fits what it must not be");
  if (condition !== undefined) yield* check(fits(condition) ? then : otherwise, value, deeper(spot));
  if (isList(anyOf) && !anyOf.some(fits)) yield issue(spot, "fits none of the alternatives");
  if (isList(oneOf)) {
    const count = oneOf.filter(fits).length;
    if (count === 0) yield issue(spot, "fits none of the alternatives");
    if (count > 1) yield issue(spot, `fits ${count} of the alternatives, and must fit one`);
  }
  for (const one of listOf(allOf)) yield* check(one, value, deeper(spot));
}

function* checkNumber(schema: JsonSchema, value: number, spot: Spot): Iterable<Issue> {
  const { exclusiveMinimum: above, exclusiveMaximum: below, multipleOf: unit } = schema;
  if (typeof above === "number" && value <= above) yield issue(spot, `must be more than ${above}, is ${value}`);
  if (typeof below === "number" && value >= below) yield issue(spot, `must be less than ${below}, is ${value}`);
  if (typeof unit === "number" && unit > 0 && !isWhole(value / unit))
    yield issue(spot, `must be a multiple of ${unit}, is ${value}`);
}

/** Whether a quotient is whole but for the last digits, which a fraction such as 0.1 does not have exactly. */
const isWhole = (quotient: number): boolean =>
  Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * 4 * Math.max(1, Math.abs(quotient));

function* checkText({ format }: JsonSchema, value: string, spot: Spot): Iterable<Issue> {
  if (spot.formats === "checked" && typeof format === "string" && !isOfFormat(value, format))
    yield issue(spot, `must be a valid ${format}`);
}

function* checkContained(schema: JsonSchema, value: readonly Json[], spot: Spot): Iterable<Issue> {
  const { contains, minContains: min = 1, maxContains: max } = schema;
  if (contains === undefined) return;
  const count = value.filter((item, index) => isNone(check(contains, item, deeper(spot, index)))).length;
  if (typeof min === "number" && count < min)
    yield issue(spot, `must have at least ${min} fitting items, has ${count}`);
  if (typeof max === "number" && count > max) yield issue(spot, `must have at most ${max} fitting items, has ${count}`);
}

function* checkList(schema: JsonSchema, value: readonly Json[], spot: Spot): Iterable<Issue> {
  const { items, prefixItems, uniqueItems } = schema;
  yield* checkContained(schema, value, spot);
  const first = listOf(prefixItems);
  if (items !== undefined || first.length > 0) {
    for (const [index, item] of value.entries())
      yield* check(index < first.length ? first[index] : items, item, deeper(spot, index));
  }
  if (uniqueItems !== true) return;
  const seen = new Map<string, number>();
  for (const [index, item] of value.entries()) {
    const text = toCanonicalJson(item);
    const other = seen.get(text);
    if (other !== undefined) yield issue(deeper(spot, index), `is the same as item ${other}`);
    else seen.set(text, index);
  }
}

function* checkObject(schema: JsonSchema, value: JsonSchema, spot: Spot): Iterable<Issue> {
  const { required, properties, propertyNames: names, additionalProperties: others } = schema;
  const known = mapOf(properties);
  // Patterns are not checked, so any other name may fit one of them.
  const rest = schema["patternProperties"] === undefined ? others : undefined;
  for (const name of listOf(required)) {
    if (typeof name === "string" && !Object.hasOwn(value, name)) yield issue(deeper(spot, name), "is missing");
  }
  for (const [name, item] of Object.entries(value)) {
    const below = deeper(spot, name);
    if (names !== undefined) {
      for (const { message } of check(names, name, below)) yield issue(below, `has a name that ${message}`);
    }
    yield* check(Object.hasOwn(known, name) ? known[name] : rest, item, below);
  }
  for (const [name, needed] of Object.entries(mapOf(schema["dependentRequired"])))
    for (const other of Object.hasOwn(value, name) ? listOf(needed) : [])
      if (typeof other === "string" && !Object.hasOwn(value, other))
        yield issue(deeper(spot, other), `is missing, and \`${name}\` needs it`);
  for (const [name, part] of Object.entries(mapOf(schema["dependentSchemas"])))
    if (Object.hasOwn(value, name)) yield* check(part, value, deeper(spot));
}

function* checkSize(schema: JsonSchema, value: Json, spot: Spot): Iterable<Issue> {
  const [of, size] =
    typeof value === "number"
      ? (["imum", value] as const)
      : typeof value === "string"
        ? (["Length", Array.from(value).length] as const)
        : isList(value)
          ? (["Items", value.length] as const)
          : (["Properties", isFields(value) ? Object.keys(value).length : undefined] as const);
  if (size === undefined) return;
  const { [`min${of}`]: min, [`max${of}`]: max } = schema;
  const unit = { imum: "", Length: " characters", Items: " items", Properties: " fields" }[of];
  if (typeof min === "number" && size < min) yield issue(spot, `must be at least ${min}${unit}, is ${size}`);
  if (typeof max === "number" && size > max) yield issue(spot, `must be at most ${max}${unit}, is ${size}`);
}

function issue({ path }: Spot, message: string): Issue {
  return { path, message };
}

function deeper({ path, depth, ...spot }: Spot, name?: string | number): Spot {
  const below = name === undefined ? path : path === "" ? `${name}` : `${path}.${name}`;
  return { ...spot, path: below, depth: depth + 1 };
}

function typeOf(value: Json): string {
  return value === null ? "null" : isList(value) ? "array" : typeof value;
}

function isOfType(value: Json, type: Json): boolean {
  return type === "integer" ? Number.isInteger(value) : type === typeOf(value);
}

const isNone = (issues: Iterable<Issue>): boolean => Iterator.from(issues).next().done === true;

/** The part of the same document that a reference names, `#` or `#/$defs/a`; no other document is ever read. */
function resolve(ref: Json | undefined, root: Json): Json | undefined {
  if (typeof ref !== "string" || (ref !== "#" && !ref.startsWith("#/"))) return undefined;
  let part: Json | undefined = root;
  for (const name of ref.split("/").slice(1)) {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    part = isList(part) ? part[Number(key)] : ownOf(mapOf(part), key);
  }
  return part;
}

const ownOf = (map: JsonSchema, name: string): Json | undefined => (Object.hasOwn(map, name) ? map[name] : undefined);

const mapOf = (value: Json | undefined): JsonSchema => (isFields(value) ? value : {});

const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
