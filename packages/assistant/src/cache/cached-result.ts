/**
 * Cached result: what a cache holds for one call of a tool, and under which key.
 *
 * Two calls have one key if their arguments mean the same: in any order of the fields, with defaults of the
 * schema written out or left away.
 */
import type { Json, Tool } from "@baton/core";
import { toCanonicalJson } from "@baton/core/util";

/** A result, when it was made, until when it is fresh, and until when it may replace a failure. */
export type CachedResult = Readonly<{ output: Json; at: number; until: number; keptUntil: number }>;

/** Parses a cached value; undefined if it is not one of this tool. */
export function parseCachedResult(value: Json | undefined, tool: string): CachedResult | undefined {
  const fields = new Map(Object.entries(isObject(value) ? value : {}));
  const { output, at, until, keptUntil } = Object.fromEntries(fields);
  if (fields.get("tool") !== tool || output === undefined) return undefined;
  if (typeof at !== "number" || typeof until !== "number" || typeof keptUntil !== "number") return undefined;
  return { output, at, until, keptUntil };
}

/** The key of a call. */
export function toCacheKey(tool: Pick<Tool, "name" | "inputSchema">, args: Json, mode: string): string {
  return `tool/${tool.name}/${encodeURIComponent(mode)}/${toCanonicalJson(withDefaults(tool.inputSchema, args))}`;
}

type Fields = { readonly [name: string]: Json };

function isObject(value: Json | undefined): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Arguments with the defaults that a JSON Schema names for fields that are not there. */
function withDefaults(schema: Json | undefined, args: Json): Json {
  if (!isObject(schema) || !isObject(args)) return args;
  const properties = schema["properties"];
  if (!isObject(properties)) return args;
  const filled = Object.entries(properties).flatMap(([name, part]): [string, Json][] => {
    const own = Object.hasOwn(args, name) ? args[name] : undefined;
    if (own !== undefined) return [[name, withDefaults(part, own)]];
    const standard = isObject(part) ? part["default"] : undefined;
    return standard === undefined ? [] : [[name, standard]];
  });
  return Object.fromEntries([...Object.entries(args), ...filled]);
}
