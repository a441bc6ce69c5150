/**
 * Schema fields: an agent's `output` or `input` in YAML as a JSON Schema.
 *
 * Every keyword that core does not check is a finding at its own line, so that a typo does not make a schema weaker.
 */
import type { Json } from "@baton/core";
import { FORMAT_NAMES } from "@baton/core/util";
import {
  type Cursor,
  entryAt,
  isGiven,
  report,
  reportKey,
  readEntries,
  toFieldName,
  readFlag,
  readItems,
  readJson,
  readNumber,
  readTextItem,
} from "../yaml/cursor.ts";

type Schema = Readonly<Record<string, Json>>;
type Check = (cursor: Cursor, root: Cursor) => void;

const CODE = "invalid_schema";
const TYPES: readonly string[] = ["string", "number", "integer", "boolean", "object", "array", "null"];
const DEFS = "#/$defs/";

const anything: Check = () => undefined;
const number: Check = (cursor) => readNumber(cursor);
const text: Check = (cursor) => readTextItem(cursor);
const texts: Check = (cursor) => readItems(cursor)?.map(readTextItem);
const flag: Check = (cursor) => readFlag(cursor);
const list: Check = (cursor, root) => readItems(cursor)?.forEach((item) => checkSchema(item, root));
const schemas: Check = (cursor, root) => {
  for (const entry of readEntries(cursor)?.values() ?? []) checkSchema(entry, root);
};

/** The values that each keyword accepts. */
const KEYWORDS: ReadonlyMap<string, Check> = new Map<string, Check>([
  ["type", checkType],
  ["enum", checkEnum],
  ["const", anything],
  ["properties", schemas],
  ["required", texts],
  ["additionalProperties", checkSchema],
  ["propertyNames", checkSchema],
  ["items", checkSchema],
  ["prefixItems", list],
  ["anyOf", list],
  ["oneOf", list],
  ["allOf", list],
  ["$defs", schemas],
  ["$ref", checkReference],
  ["minItems", number],
  ["maxItems", number],
  ["uniqueItems", flag],
  ["minimum", number],
  ["maximum", number],
  ["exclusiveMinimum", number],
  ["exclusiveMaximum", number],
  ["multipleOf", number],
  ["minLength", number],
  ["maxLength", number],
  ["format", checkFormat],
  ["title", text],
  ["description", text],
  ["default", anything],
  ["examples", anything],
  ["$schema", text],
  ["$id", text],
  ["$comment", text],
]);

/** The schema that a map describes. */
export function readSchema(cursor: Cursor): Schema | undefined {
  const entries = readEntries(cursor);
  if (entries === undefined) return undefined;
  checkSchema(cursor, cursor);
  const json = readJson(cursor);
  return isObject(json) ? json : undefined;
}

function checkSchema(cursor: Cursor, root: Cursor): void {
  // `true` and `false` are schemas too: anything fits the one, nothing the other.
  if (cursor.value.kind === "scalar" && isGiven(cursor)) {
    readFlag(cursor);
    return;
  }
  for (const [keyword, value] of readEntries(cursor) ?? []) {
    const check = KEYWORDS.get(keyword);
    if (check === undefined) reportUnknown(value, keyword);
    else check(value, root);
  }
}

function reportUnknown(cursor: Cursor, keyword: string): void {
  const near = cursor.source.nearest(keyword, KEYWORDS.keys());
  const message = `the keyword \`${keyword.slice(0, 60)}\` of JSON Schema is not supported`;
  const fix = near === undefined ? "remove it, or say it in the prompt" : `did you mean \`${near}\`?`;
  reportKey(cursor, { code: CODE, message, fix });
}

function checkType(cursor: Cursor): void {
  const items = cursor.value.kind === "list" ? (readItems(cursor) ?? []) : [cursor];
  for (const item of items) checkWord(item, TYPES, "is not a type of JSON");
}

function checkFormat(cursor: Cursor): void {
  checkWord(cursor, FORMAT_NAMES, "is not a format that is checked");
}

function checkWord(cursor: Cursor, words: readonly string[], problem: string): void {
  const word = readTextItem(cursor);
  if (word === undefined || words.includes(word)) return;
  const near = cursor.source.nearest(word, words);
  const fix = near === undefined ? `use one of ${words.join(", ")}` : `did you mean \`${near}\`?`;
  report(cursor, { code: CODE, message: `\`${word.slice(0, 60)}\` ${problem}`, fix });
}

function checkEnum(cursor: Cursor): void {
  if (readItems(cursor)?.length !== 0) return;
  report(cursor, {
    code: CODE,
    message: `${toFieldName(cursor)} is empty, so nothing fits it`,
    fix: "list the values",
  });
}

function checkReference(cursor: Cursor, root: Cursor): void {
  const to = readTextItem(cursor);
  if (to === undefined) return;
  const defs = entryAt(root, "$defs");
  const name = to.startsWith(DEFS) ? to.slice(DEFS.length) : undefined;
  if (name !== undefined && defs !== undefined && entryAt(defs, name) !== undefined) return;
  const known = defs?.value.kind === "map" ? [...defs.value.entries.keys()] : [];
  const near = cursor.source.nearest(name ?? to, known);
  const fix = `write \`${DEFS}\` and a name that the \`$defs\` of the output have`;
  report(cursor, {
    code: CODE,
    message: `there is no schema \`${to.slice(0, 60)}\``,
    fix: near === undefined ? fix : `did you mean \`${DEFS}${near}\`?`,
  });
}

function isObject(value: Json | undefined): value is Schema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
