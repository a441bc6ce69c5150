/**
 * Text arguments: what was written between a call's brackets, as the tool's arguments.
 *
 * Positional ones fill the required names first, then the others, in the schema's order. A value is read as the
 * schema's type if possible; the tool's own schema then checks it.
 */
import type { Json } from "@baton/core";
import type { ToolSpec } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { isJsonArray, isJsonObject } from "../../json.ts";
import type { RawArgument } from "./text-scan.ts";

/** The arguments as JSON text. */
export function toArguments(raw: readonly RawArgument[], tool: ToolSpec): string {
  const types = toTypes(tool.inputSchema);
  const whole = toWhole(raw, types);
  if (whole !== undefined) return whole;
  const names = [...types.keys()];
  const values = new Map<string, Json>();
  let next = 0;
  for (const argument of raw) {
    let { key } = argument;
    if (key === undefined) {
      key = names[next] ?? `argument${next + 1}`;
      next += 1;
    }
    values.set(key, toValue(argument.raw, types.get(key)));
  }
  return JSON.stringify(Object.fromEntries(values));
}

/** Required names first, each with its type. */
export function toTypes(schema: Json): ReadonlyMap<string, string | undefined> {
  const types = new Map<string, string | undefined>();
  if (!isJsonObject(schema)) return types;
  const properties = isJsonObject(schema["properties"]) ? schema["properties"] : {};
  const required = isJsonArray(schema["required"]) ? schema["required"] : [];
  const names = [...required.filter((name) => typeof name === "string"), ...Object.keys(properties)];
  for (const name of names) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const type = isJsonObject(property) ? property["type"] : undefined;
    if (!types.has(name)) types.set(name, typeof type === "string" ? type : undefined);
  }
  return types;
}

/** `Tool({"a": 1})`: one object that is the arguments themselves. */
function toWhole(raw: readonly RawArgument[], types: ReadonlyMap<string, string | undefined>): string | undefined {
  const [only] = raw;
  if (raw.length !== 1 || only === undefined || only.key !== undefined || !only.raw.startsWith("{")) return undefined;
  const value = parseJson(only.raw);
  if (!isJsonObject(value)) return undefined;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => types.has(key)) ? only.raw : undefined;
}

const WORDS: ReadonlyMap<string, Json> = new Map([
  ["True", true],
  ["False", false],
  ["None", null],
]);

function toValue(raw: string, type: string | undefined): Json {
  const quote = raw.charAt(0);
  if (raw.length >= 2 && (quote === '"' || quote === "'") && raw.endsWith(quote)) {
    const text = unquote(raw);
    if (type === undefined || type === "string" || text === "") return text;
    const meant = parseJson(text);
    return typeof meant === "number" || typeof meant === "boolean" ? meant : text;
  }
  if (type === "string") return raw;
  const value = WORDS.has(raw) ? WORDS.get(raw) : parseJson(raw);
  return value === undefined ? raw : value;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
]);

function unquote(raw: string): string {
  if (!raw.includes("\\")) return raw.slice(1, -1);
  const pieces: string[] = [];
  for (let at = 1; at < raw.length - 1; at++) {
    const char = raw.charAt(at);
    const escaped = raw.charAt(at + 1);
    if (char !== "\\" || at + 1 >= raw.length - 1) {
      pieces.push(char);
    } else if (escaped === "u" && isHex(raw.slice(at + 2, at + 6))) {
      pieces.push(String.fromCharCode(Number.parseInt(raw.slice(at + 2, at + 6), 16)));
      at += 5;
    } else {
      pieces.push(ESCAPES.get(escaped) ?? escaped);
      at += 1;
    }
  }
  return pieces.join("");
}

const isHex = (text: string): boolean => /^[0-9a-fA-F]{4}$/.test(text);
