/**
 * Tool line: a tool and its arguments on one line, as a planner reads it: `name(symbol, period?: integer): …`.
 */
import type { Json, Tool } from "@baton/core";
import { lookInto } from "@baton/core/util";

const MAX_DESCRIPTION = 160;

/** The line of a tool. */
export function toToolLine({
  name,
  description,
  inputSchema,
}: Pick<Tool, "name" | "description" | "inputSchema">): string {
  const properties = lookInto(inputSchema, "properties");
  const required = lookInto(inputSchema, "required");
  const names: readonly Json[] = Array.isArray(required) ? required : [];
  const fields = typeof properties === "object" && properties !== null ? Object.entries(properties) : [];
  const args = fields.map(([field, schema]) => `${field}${names.includes(field) ? "" : "?"}${toType(schema)}`);
  const [sentence = ""] = description.split(". ", 1);
  return `${name}(${args.join(", ")}): ${sentence.slice(0, MAX_DESCRIPTION)}`;
}

/** `: a|b|c` of an enum, `: [a|b]` of a list of them, `: number`; nothing for a plain text. */
function toType(schema: Json): string {
  const items = lookInto(schema, "items");
  if (items !== undefined) return `: [${toType(items).slice(2) || "text"}]`;
  const values = lookInto(schema, "enum");
  if (Array.isArray(values)) return `: ${values.join("|")}`;
  const type = lookInto(schema, "type");
  if (type === "object") {
    const properties = lookInto(schema, "properties");
    const names = typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
    return `: {${names.join(", ")}}`;
  }
  return type === "string" || typeof type !== "string" ? "" : `: ${type}`;
}
