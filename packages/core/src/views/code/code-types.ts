/**
 * Code types: tools as TypeScript, for a model that calls them by writing code.
 *
 * Made of their JSON Schemas, with what a type cannot say in comments, each of a field once; shorter than the schemas. References are followed
 * inside the schema only, and to a bounded depth.
 */
import type { Json } from "../../words/json.ts";
import type { Tool } from "../../definitions/tool.ts";

type Fields = { readonly [name: string]: Json };

const MAX_DEPTH = 12;
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** The declaration of these tools. */
export function toDeclaration(tools: readonly Tool[]): string {
  const told = new Set<string>();
  return `declare const tools: {\n${tools.map((tool) => toMethod(tool, told)).join("\n")}\n};`;
}

function toMethod({ name, description, effect, inputSchema, outputSchema }: Tool, told: Set<string>): string {
  const args = toType(inputSchema, { root: inputSchema, depth: 0, told });
  const result = outputSchema === undefined ? "any" : toType(outputSchema, { root: outputSchema, depth: 0, told });
  const isOptional = listOf(fieldsOf(inputSchema)["required"]).length === 0;
  const doc = toComment(`${description.trim()} [${effect}]`);
  return `  /** ${doc} */\n  ${toKey(name)}(args${isOptional ? "?" : ""}: ${args}): Promise<${result}>;`;
}

const toKey = (name: string): string => (IDENTIFIER.test(name) ? name : JSON.stringify(name));

const toComment = (text: string): string => text.replaceAll("*/", "* /").replaceAll(/\s*\n\s*/g, " ");

/** The schema that references are looked up in, how deep it is, and the comments that were made. */
type Place = Readonly<{ root: Json; depth: number; told: Set<string> }>;

function toType(schema: Json, place: Place): string {
  if (place.depth > MAX_DEPTH) return "any";
  const fields = fieldsOf(schema);
  const inner = { ...place, depth: place.depth + 1 };
  const { $ref, enum: values, type } = fields;
  if (typeof $ref === "string") return toType(find(place.root, $ref), inner);
  if ("const" in fields) return JSON.stringify(fields["const"]);
  if (Array.isArray(values)) return toUnion(listOf(values).map((value) => JSON.stringify(value)));
  const options = [...listOf(fields["anyOf"]), ...listOf(fields["oneOf"])];
  if (options.length > 0) return toUnion(options.map((option) => toType(option, inner)));
  const all = listOf(fields["allOf"]);
  if (all.length > 0) return all.map((part) => toType(part, inner)).join(" & ");
  if (Array.isArray(type)) return toUnion(listOf(type).map((one) => toType({ ...fields, type: one }, inner)));
  return toPlainType(fields, inner);
}

function toPlainType(fields: Fields, inner: Place): string {
  switch (fields["type"]) {
    case "string":
    case "number":
    case "boolean":
    case "null":
      return fields["type"];
    case "integer":
      return "number";
    case "array": {
      const tuple = listOf(fields["prefixItems"]);
      if (tuple.length > 0) return `[${tuple.map((item) => toType(item, inner)).join(", ")}]`;
      const item = toType(fields["items"] ?? {}, inner);
      return /^[\w.]+$/.test(item) ? `${item}[]` : `(${item})[]`;
    }
    case "object":
      return toObject(fields, inner);
    default:
      return fields["properties"] === undefined ? "any" : toObject(fields, inner);
  }
}

function toObject(fields: Fields, inner: Place): string {
  const required = new Set(listOf(fields["required"]));
  const others = fields["additionalProperties"];
  const index = typeof others === "object" && others !== null ? [`[key: string]: ${toType(others, inner)}`] : [];
  const own = Object.entries(fieldsOf(fields["properties"] ?? {})).map(([name, schema]) => {
    const note = toNote(fieldsOf(schema));
    const isTold = inner.told.has(`${name} ${note}`);
    inner.told.add(`${name} ${note}`);
    const comment = note === "" || isTold ? "" : ` /* ${toComment(note)} */`;
    return `${toKey(name)}${required.has(name) ? "" : "?"}: ${toType(schema, inner)}${comment}`;
  });
  const members = [...own, ...index];
  return members.length === 0 ? "object" : `{ ${members.join("; ")} }`;
}

/** Facts that the type does not say: the default, bounds, and the description. */
function toNote(fields: Fields): string {
  const { default: value, minimum, maximum, format, description } = fields;
  const bounds = minimum === undefined && maximum === undefined ? "" : `${toBound(minimum)}..${toBound(maximum)}`;
  const parts = [
    value === undefined ? "" : `= ${JSON.stringify(value)}`,
    bounds,
    typeof format === "string" ? format : "",
    typeof description === "string" ? description.trim() : "",
  ];
  return parts.filter((part) => part !== "").join("; ");
}

/** A bound that only says that a number is safe says nothing. */
const toBound = (bound: Json | undefined): string =>
  typeof bound !== "number" || Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? "" : String(bound);

const toUnion = (types: readonly string[]): string => [...new Set(types)].join(" | ") || "never";

function find(root: Json, reference: string): Json {
  if (!reference.startsWith("#")) return {};
  const names = reference.slice(1).split("/").slice(1);
  return names.reduce<Json>((at, name) => fieldsOf(at)[name] ?? {}, root);
}

function fieldsOf(value: Json): Fields {
  return typeof value === "object" && value !== null && !isList(value) ? value : {};
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value);

const listOf = (value: Json | undefined): readonly Json[] => (isList(value) ? value : []);
