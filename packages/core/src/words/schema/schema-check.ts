/**
 * Schema check: whether a value from outside is a JSON Schema at all.
 *
 * Keywords that core does not know may hold anything. The work grows with the size of the value.
 */
import { isFields, isList, type Json } from "../json.ts";
import type { Issue } from "./schema.ts";

/** As deep as the body of a request may be. */
const MAX_DEPTH = 64;

type IsValid = (value: Json) => boolean;
type Rule = readonly [isValid: IsValid, mustBe: string];

const TYPES = ["object", "array", "string", "number", "integer", "boolean", "null"];

const isText: IsValid = (value) => typeof value === "string";
const isCount: IsValid = (value) => typeof value === "number" && Number.isInteger(value) && value >= 0;
const isTypeName: IsValid = (value) => typeof value === "string" && TYPES.includes(value);
const isType: IsValid = (value) => (isList(value) ? value.length > 0 && value.every(isTypeName) : isTypeName(value));

const TYPE: Rule = [isType, `one of ${TYPES.join(", ")}, or a list of them`];
const TEXT: Rule = [isText, "text"];
const COUNT: Rule = [isCount, "a whole number, 0 or more"];
const NUMBER: Rule = [(value) => typeof value === "number", "a number"];
const FLAG: Rule = [(value) => typeof value === "boolean", "true or false"];
const TEXTS: Rule = [(value) => isList(value) && value.every(isText), "a list of texts"];
const LIST: Rule = [isList, "a list"];
const MAP: Rule = [isFields, "an object"];
const SCHEMAS: Rule = [(value) => isList(value) && value.length > 0, "a list of schemas, not empty"];

const RULES: ReadonlyMap<string, Rule> = new Map(
  (
    [
      ["type", TYPE],
      ["$ref title description format pattern", TEXT],
      ["minItems maxItems minLength maxLength minProperties maxProperties", COUNT],
      ["minimum maximum exclusiveMinimum exclusiveMaximum multipleOf", NUMBER],
      ["uniqueItems", FLAG],
      ["required", TEXTS],
      ["enum examples", LIST],
      ["properties $defs definitions patternProperties", MAP],
      ["anyOf oneOf allOf prefixItems", SCHEMAS],
    ] as const
  ).flatMap(([names, rule]) => names.split(" ").map((name) => [name, rule] as const)),
);

/** Keywords whose value is a schema, or a list or an object of schemas. */
const SINGLE: ReadonlySet<string> = new Set(["items", "additionalProperties", "propertyNames", "not", "contains"]);
const NESTED: readonly (Rule | undefined)[] = [MAP, SCHEMAS];

/** Finds every way in which a value is not a JSON Schema; `path` says where, as `properties.a.type`. */
export function* findSchemaIssues(schema: Json, path = "", depth = 0): Iterable<Issue> {
  if (depth > MAX_DEPTH) {
    yield { path, message: `is nested deeper than ${MAX_DEPTH} levels` };
    return;
  }
  if (typeof schema === "boolean") return;
  if (!isFields(schema)) {
    yield { path, message: "is not a JSON Schema: it must be an object" };
    return;
  }
  for (const [name, value] of Object.entries(schema)) {
    const at = path === "" ? name : `${path}.${name}`;
    const rule = RULES.get(name);
    if (rule !== undefined && !rule[0](value)) yield { path: at, message: `must be ${rule[1]}` };
    // Before draft 2020-12 a list of `items` was what `prefixItems` is now.
    else if (SINGLE.has(name) && !isList(value)) yield* findSchemaIssues(value, at, depth + 1);
    else if (SINGLE.has(name) || NESTED.includes(rule)) {
      const parts = isFields(value) ? Object.entries(value) : isList(value) ? value.entries() : [];
      for (const [key, part] of parts) yield* findSchemaIssues(part, `${at}.${key}`, depth + 1);
    }
  }
}
