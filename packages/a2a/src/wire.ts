/**
 * Wire: reads the JSON of the protocol without a schema library, and writes parts of its messages.
 */
import type { Json } from "@baton/core";

/** A JSON object whose fields are not checked yet. */
export type WireObject = Readonly<Record<string, unknown>>;

/** The value as an object; undefined if it is not one. */
export function readObject(value: unknown): WireObject | undefined {
  return isObject(value) ? value : undefined;
}

function isObject(value: unknown): value is WireObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as a text that is not empty; undefined if it is not one. */
export function readText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** The value as a list. */
function readList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Content of a message: its texts together, the fields of its data parts, and whether it has files. */
export interface WireContent {
  readonly text: string;
  readonly data: ReadonlyMap<string, unknown>;
  readonly hasFiles: boolean;
}

/** Reads the parts of a message or an artifact; files are not read. */
export function readParts(parts: unknown): WireContent {
  const all = readList(parts).map((part) => readObject(part) ?? {});
  const text = all.flatMap((part) => readText(part["text"]) ?? []).join("\n");
  const hasFiles = all.some((part) => part["url"] !== undefined || part["raw"] !== undefined);
  return { text, data: new Map(all.flatMap((part) => Object.entries(readObject(part["data"]) ?? {}))), hasFiles };
}

/** A part with text. */
export function toTextPart(text: string) {
  return { text, mediaType: "text/plain" };
}

/** A part with JSON. */
export function toDataPart(data: Json) {
  return { data, mediaType: "application/json" };
}

/** Whether there is a value: all that came as JSON is JSON. */
export function isJson(value: unknown): value is Json {
  return value !== undefined;
}
