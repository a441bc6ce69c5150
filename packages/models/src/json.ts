/**
 * JSON: reading text and values of which nothing is known yet.
 */
import type { Json } from "@baton/core";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a JSON value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** Whether a JSON value is an array; `Array.isArray` would forget what it holds. */
export function isJsonArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Objects merged: a key of `over` wins, objects are merged key by key, and any other value is replaced. */
export function mergeJson<T extends JsonObject>(base: T, over: JsonObject): T & JsonObject {
  const merged: Record<string, Json> = {};
  for (const [key, value] of [...Object.entries(base), ...Object.entries(over)]) {
    const known = Object.hasOwn(merged, key) ? merged[key] : undefined;
    const next = isJsonObject(known) && isJsonObject(value) ? mergeJson(known, value) : value;
    Object.defineProperty(merged, key, { value: next, enumerable: true, configurable: true, writable: true });
  }
  return { ...base, ...merged };
}

/** Whether anything at all is an object with keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
