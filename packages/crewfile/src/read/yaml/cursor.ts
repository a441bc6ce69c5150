/**
 * Cursor: a value of a file together with its place, and the ways to read it as a type.
 *
 * A value of the wrong type is a finding and reads as undefined; null reads as undefined, as if it were not there.
 */
import type { Json } from "@baton/core";
import type { Defect, TextSpan } from "./finding.ts";
import type { SourceFile } from "./source-file.ts";
import type { YamlValue } from "./yaml-tree.ts";

/** A value, its place in the file, and the name of its field. */
export interface Cursor {
  readonly source: SourceFile;
  /** `routing.signals.teacher[0]` */
  readonly path: string;
  readonly value: YamlValue;
  /** Of an entry of a map: its key. */
  readonly key?: TextSpan;
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ["yes", true],
  ["on", true],
  ["no", false],
  ["off", false],
]);

/** The most values in a JSON value of a script, with aliases expanded. */
const MAX_JSON_VALUES = 10_000;

/** Records a defect of the value. */
export function report(cursor: Cursor, defect: Defect): void {
  cursor.source.report(cursor.value.span, cursor.path, defect);
}

/** Records a defect of the value's key. */
export function reportKey(cursor: Cursor, defect: Defect): void {
  cursor.source.report(cursor.key ?? cursor.value.span, cursor.path, defect);
}

/** Whether there is a value at all. */
export function isGiven({ value }: Cursor): boolean {
  return value.kind !== "scalar" || value.value !== null;
}

/** Text; a number or a truth value counts as it is written. */
export function readText(cursor: Cursor): string | undefined {
  const { value } = cursor;
  if (value.kind === "scalar") return value.value === null ? undefined : value.text;
  return refuse(cursor, "text");
}

/** Text that must be there. */
export function readTextItem(cursor: Cursor): string | undefined {
  return isGiven(cursor) ? readText(cursor) : refuse(cursor, "text");
}

/** A number; infinity and text that looks like a number are refused. */
export function readNumber(cursor: Cursor): number | undefined {
  const { value } = cursor;
  if (!isGiven(cursor)) return undefined;
  if (value.kind === "scalar" && typeof value.value === "number" && Number.isFinite(value.value)) return value.value;
  return refuse(cursor, "a number");
}

/** True or false, also as yes, no, on and off. */
export function readFlag(cursor: Cursor): boolean | undefined {
  const { value } = cursor;
  if (!isGiven(cursor)) return undefined;
  if (value.kind === "scalar" && typeof value.value === "boolean") return value.value;
  const word = value.kind === "scalar" ? WORDS.get(value.text.toLowerCase()) : undefined;
  return word ?? refuse(cursor, "true or false");
}

/** The items of a list. */
export function readItems(cursor: Cursor): readonly Cursor[] | undefined {
  const { value } = cursor;
  if (!isGiven(cursor)) return undefined;
  if (value.kind !== "list") return refuse(cursor, "a list");
  return value.items.flatMap((_, index) => itemAt(cursor, index) ?? []);
}

/** One item of a list, if it is one that has it. */
export function itemAt({ source, path, value }: Cursor, index: number): Cursor | undefined {
  const item = value.kind === "list" ? value.items[index] : undefined;
  return item === undefined ? undefined : { source, path: `${path}[${index}]`, value: item };
}

/** The entries of a map whose keys are names from outside. */
export function readEntries(cursor: Cursor): ReadonlyMap<string, Cursor> | undefined {
  const { value } = cursor;
  if (!isGiven(cursor)) return undefined;
  if (value.kind !== "map") return refuse(cursor, "a map");
  const entries = new Map<string, Cursor>();
  for (const name of value.entries.keys()) {
    const entry = entryAt(cursor, name);
    if (entry !== undefined) entries.set(name, entry);
  }
  return entries;
}

/** One entry of a map, if it is one that has it. */
export function entryAt({ source, path, value }: Cursor, name: string): Cursor | undefined {
  const entry = value.kind === "map" ? value.entries.get(name) : undefined;
  return entry === undefined ? undefined : { source, path: path === "" ? name : `${path}.${name}`, ...entry };
}

/** Text from a closed set. */
export function readChoice<T extends string>(cursor: Cursor, choices: readonly T[]): T | undefined {
  const text = readText(cursor);
  if (text === undefined) return undefined;
  const choice = choices.find((one) => one === text);
  if (choice !== undefined) return choice;
  const near = cursor.source.nearest(text, choices);
  const all = `${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}`;
  const fix = near === undefined ? `write ${all}` : `did you mean \`${near}\`?`;
  report(cursor, { code: "invalid_value", message: `${toFieldName(cursor)} cannot be \`${shorten(text)}\``, fix });
  return undefined;
}

/** Any JSON value. */
export function readJson(cursor: Cursor): Json | undefined {
  const budget = { left: MAX_JSON_VALUES };
  const json = convert(cursor.value, budget);
  if (budget.left >= 0) return json;
  const message = `${toFieldName(cursor)} has more than ${MAX_JSON_VALUES} values, with its aliases written out`;
  report(cursor, { code: "too_large", message, fix: "make it smaller" });
  return undefined;
}

function convert(value: YamlValue, budget: { left: number }): Json {
  budget.left -= 1;
  if (budget.left < 0 || value.kind === "scalar") return value.kind === "scalar" ? value.value : null;
  if (value.kind === "list") return value.items.map((item) => convert(item, budget));
  // `fromEntries` defines its properties, so that even `__proto__` is an ordinary one.
  return Object.fromEntries([...value.entries].map(([name, entry]) => [name, convert(entry.value, budget)]));
}

/** The field as messages name it: the last part of its path. */
export function toFieldName({ path }: Cursor): string {
  return path === "" ? "the file" : `\`${path.slice(path.lastIndexOf(".") + 1)}\``;
}

function refuse(cursor: Cursor, wanted: string): undefined {
  const message = `${toFieldName(cursor)} must be ${wanted}, not ${describe(cursor.value)}`;
  report(cursor, { code: "wrong_type", message, fix: `write ${wanted}` });
}

function describe(value: YamlValue): string {
  if (value.kind !== "scalar") return `a ${value.kind}`;
  if (value.value === null) return "nothing";
  return typeof value.value === "string" ? `the text "${shorten(value.text)}"` : shorten(value.text);
}

function shorten(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 60)}…`;
}
