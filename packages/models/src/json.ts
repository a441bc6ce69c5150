/**
 * JSON: reading text and values of which nothing is known yet.
 *
 * Reads: nothing. Read by: every file that meets a provider's data or a model's text.
 */
import type { Json } from "@baton/core";

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** The value of JSON text; undefined where it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: Json | undefined): value is JsonObject {
  return isRecord(value);
}

/** Whether anything at all is an object with keys. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
