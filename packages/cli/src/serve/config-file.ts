/**
 * Config file: reads the settings of `baton.config.yaml`, each with its line and column for errors.
 *
 * Checks that all settings are known, but not their values.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { BatonError } from "@baton/core";
import { nearest, toBatonError } from "@baton/core/util";
import { type Document, isMap, isScalar, LineCounter, type Pair, parseDocument } from "yaml";
import { listSettings } from "./settings.ts";

/** A value and its place in the file. */
export interface ConfigEntry {
  readonly value: unknown;
  /** `baton.config.yaml:3:7` */
  readonly place: string;
}

/** The name of the file if none is given. */
export const DEFAULT_FILE = "baton.config.yaml";
const MAX_BYTES = 256 * 1_024;

/** Reads the named file, or the default file if it exists. */
export async function readConfigFile(named: string | undefined): Promise<ReadonlyMap<string, ConfigEntry>> {
  const path = named ?? DEFAULT_FILE;
  if (named === undefined && !existsSync(path)) return new Map();
  const source = await readText(path);
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
  const at = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const problems = document.errors.map(({ pos, message }) => `${at(pos[0])}: ${toSentence(message)}`);
  if (problems.length > 0) throw refuse(problems);
  return new Map(toEntries(document, at).map(({ name, ...entry }) => [name, entry]));
}

/** Throws if a setting is unknown. */
function toEntries(document: Document.Parsed, at: (offset: number) => string) {
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  if (!isMap(contents)) throw refuse([`${at(0)}: write settings here, each as \`name: value\``]);
  const entries = contents.items.map((pair) => ({ ...toNamed(pair), value: toValue(pair, document) }));
  const names = listSettings().map(({ name }) => name);
  const unknown = entries.filter(({ name }) => !names.includes(name));
  if (unknown.length > 0) throw refuse(unknown.map(({ name, start }) => `${at(start)}: ${toUnknown(name, names)}`));
  return entries.map(({ name, value, valueStart }) => ({ name, value, place: at(valueStart) }));
}

function toNamed({ key, value }: Pair) {
  const start = rangeStart(key);
  return { name: isScalar(key) ? String(key.value) : "", start, valueStart: rangeStart(value) || start };
}

function toValue({ value }: Pair, document: Document.Parsed): unknown {
  const plain: unknown = document.createNode(value).toJS(document);
  return plain;
}

function rangeStart(node: unknown): number {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : undefined;
  const start: unknown = Array.isArray(range) ? range[0] : undefined;
  return typeof start === "number" ? start : 0;
}

function toUnknown(name: string, names: readonly string[]): string {
  const near = nearest(name.replaceAll("-", "_"), names);
  const hint = near === undefined ? `the settings are ${names.join(", ")}` : `did you mean \`${near}\`?`;
  return `there is no setting \`${name}\`; ${hint}`;
}

async function readText(path: string): Promise<string> {
  try {
    const bytes = await readFile(path);
    if (bytes.length > MAX_BYTES) throw new BatonError("invalid", `it is larger than ${MAX_BYTES / 1_024} KB`);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    const { message } = toBatonError(error, "invalid");
    throw new BatonError("invalid", `cannot read the configuration ${path}: ${message}`);
  }
}

function toSentence(message: string): string {
  return message.slice(0, 1).toLowerCase() + message.slice(1, 300);
}

function refuse(problems: readonly string[]): BatonError {
  return new BatonError("invalid", problems.join("\n"));
}
