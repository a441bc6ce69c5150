/**
 * Shown schema: a tool's arguments as models read them, without the limits that only a refusal needs.
 */
import type { Json } from "@baton/core";
import { z } from "zod";

/** Limits that arguments are checked against, and that a model need not read. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "$schema",
  "pattern",
  "minLength",
  "maxLength",
  "minItems",
  "additionalProperties",
]);
const MAX_BOUND = 1e6;

/** The JSON Schema of arguments, short. */
export function toShownSchema(schema: z.ZodType): Json {
  return shorten(z.json().parse(z.toJSONSchema(schema, { io: "input" })));
}

function shorten(value: Json): Json {
  if (Array.isArray(value)) return value.map(shorten);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value);
  const isTold = fields.some(
    ([name, text]) => name === "description" && typeof text === "string" && text.includes("efault"),
  );
  const kept = fields.filter(([name, part]) => {
    if (LEFT_OUT.has(name) || (name === "default" && isTold)) return false;
    return !(name === "minimum" || name === "maximum") || (typeof part === "number" && Math.abs(part) < MAX_BOUND);
  });
  return Object.fromEntries(kept.map(([name, part]) => [name, shorten(part)]));
}
