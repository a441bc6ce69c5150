/**
 * JSON-RPC: whether a value from a server is a message at all.
 */
import type { Json } from "@baton/core";
import { parseJson } from "@baton/core/util";
import type { JSONRPCMessage } from "@modelcontextprotocol/client";

/** Whether a value is a request, a notification or an answer. */
export function isJSONRPCMessage(value: Json | undefined): value is JSONRPCMessage & Json {
  if (typeof value !== "object" || value === null || !("jsonrpc" in value) || value["jsonrpc"] !== "2.0") return false;
  if ("method" in value) return typeof value["method"] === "string";
  return "result" in value ? isObject(value["result"]) : "error" in value && isObject(value["error"]);
}

/** A private copy of a value as JSON; null if it has none. */
export function toJson(value: unknown): Json {
  return parseJson(JSON.stringify(value) ?? "null") ?? null;
}

/** Whether a value is an object with fields. */
export function isObject(value: unknown): value is Readonly<Record<string, Json>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
