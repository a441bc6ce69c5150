/**
 * Sample: the smallest value that fits a JSON Schema, as far as a few rules go.
 *
 * Used if no model can fill it; deterministic, and bounded however the schema refers to itself.
 */
import type { Json } from "@baton/core";
import { isJsonArray, isJsonObject, type JsonObject } from "../json.ts";

const MAX_DEPTH = 12;

/** A value for the schema; `text` goes where any text will do. */
export function sampleOf(schema: Json, text: string): Json {
  const root = isJsonObject(schema) ? schema : {};
  return fill(root, { root, text, depth: 0 });
}

interface Place {
  readonly root: JsonObject;
  readonly text: string;
  readonly depth: number;
}

function fill(given: Json | undefined, place: Place): Json {
  const schema = isJsonObject(given) ? given : {};
  const below = { ...place, depth: place.depth + 1 };
  if (place.depth > MAX_DEPTH) return null;
  const fixed = schema["const"] ?? schema["default"];
  if (fixed !== undefined) return fixed;
  if (isJsonArray(schema["enum"])) return fromEnum(schema["enum"], place.text);
  if (typeof schema["$ref"] === "string") return fill(find(place.root, schema["$ref"]), below);
  const choice = schema["anyOf"] ?? schema["oneOf"] ?? schema["allOf"];
  if (isJsonArray(choice)) return fill(choice[0], below);
  const type = isJsonArray(schema["type"]) ? schema["type"][0] : schema["type"];
  switch (type) {
    case "string":
      return toText(schema, place.text);
    case "integer":
    case "number":
      return toNumber(schema["minimum"]) ?? 0;
    case "boolean":
      return false;
    case "null":
      return null;
    case "array":
      return Array.from({ length: Math.min(toNumber(schema["minItems"]) ?? 0, 100) }, () =>
        fill(schema["items"], below),
      );
    default:
      return toObject(schema, below);
  }
}

function toObject(schema: JsonObject, place: Place): Json {
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = isJsonArray(schema["required"]) ? schema["required"] : [];
  const names = required.filter((name) => typeof name === "string");
  return Object.fromEntries(
    names.map((name) => [name, fill(Object.hasOwn(properties, name) ? properties[name] : undefined, place)]),
  );
}

/** The first value that the text names, else the first. */
function fromEnum(values: readonly Json[], text: string): Json {
  const heard = text.toLowerCase();
  const named = values.find(
    (value) => typeof value === "string" && value !== "" && heard.includes(value.toLowerCase()),
  );
  return named ?? values[0] ?? null;
}

function toText(schema: JsonObject, text: string): string {
  const longest = toNumber(schema["maxLength"]) ?? 200;
  const shortest = toNumber(schema["minLength"]) ?? 0;
  return text.slice(0, longest).toWellFormed().padEnd(Math.min(shortest, 1_000), ".");
}

function find(root: JsonObject, ref: string): Json | undefined {
  let at: Json | undefined = root;
  for (const key of ref.split("/").slice(1)) at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at;
}

const toNumber = (value: Json | undefined): number | undefined => (typeof value === "number" ? value : undefined);
