/**
 * Plain: a result as JSON in which nothing is null and every number is finite.
 *
 * A field whose value is not known is absent. A list has no gaps: a value in it that is not known is a defect.
 */
import { type Json, ToolError } from "@baton/core";

/** The value as JSON, without fields that are undefined or not a finite number. */
export function toJson(value: unknown): Json {
  const plain = convert(value);
  if (plain === undefined) throw defect("the whole result");
  return plain;
}

function convert(value: unknown): Json | undefined {
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) return value.map((item) => convert(item) ?? refuse());
  const fields: [string, Json][] = [];
  for (const [name, field] of Object.entries(value)) {
    const plain = convert(field);
    if (plain !== undefined) fields.push([name, plain]);
  }
  return Object.fromEntries(fields);
}

function refuse(): never {
  throw defect("an item of a list");
}

const defect = (what: string) => new ToolError("crash", `${what} is not a value that JSON has`);
