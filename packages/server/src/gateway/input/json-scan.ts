/**
 * JSON scan: finds, before `JSON.parse` runs, what that would let pass or take long over: keys that come twice, values
 * too deep, too many keys or items.
 *
 * It reads each character once and holds one set of keys for each open object. Text that is not
 * JSON gives any findings or none: the parser refuses it next.
 */
import { type FieldProblem, toField } from "../problem.ts";

/** The deepest value that is read; a scalar has depth 0. */
const MAX_JSON_DEPTH = 64;

/** More keys, in all objects together, are refused: each costs time in every later step. */
const MAX_KEYS = 10_000;
/** More items, in all lists together, are refused. */
const MAX_ITEMS = 100_000;

/** More are not looked for. */
const MAX_DUPLICATES = 100;

/** An object or array that is open. */
interface Open {
  /** Of an object. */
  readonly keys: Set<string> | undefined;
  /** The key or index that is being read. */
  at: string | number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Lists keys that come twice in their object; a value that is too deep ends the scan and is the last of the list. */
export function scanJson(text: string): readonly FieldProblem[] {
  const open: Open[] = [];
  const problems: FieldProblem[] = [];
  let keys = 0;
  let items = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const top = open.at(-1);
    if (code === QUOTE) {
      const end = endOfString(text, index);
      const isOfObject = top?.keys !== undefined && isKey(text, end);
      if (isOfObject && ++keys > MAX_KEYS) return [...problems, tooMany("keys", MAX_KEYS)];
      if (isOfObject) addKey(open, problems, text.slice(index, end + 1));
      if (problems.length >= MAX_DUPLICATES) return problems;
      index = end;
    } else if (code === OPEN_OBJECT || code === OPEN_ARRAY) {
      if (open.length === MAX_JSON_DEPTH) return [...problems, tooDeep(open)];
      open.push(code === OPEN_OBJECT ? { keys: new Set(), at: "" } : { keys: undefined, at: 0 });
    } else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) open.pop();
    else if (code === COMMA && typeof top?.at === "number") {
      top.at++;
      if (++items > MAX_ITEMS) return [...problems, tooMany("list items", MAX_ITEMS)];
    }
  }
  return problems;
}

/** The place of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return text.length;
}

function isKey(text: string, end: number): boolean {
  let index = end + 1;
  while (isSpace(text.charCodeAt(index))) index++;
  return text.charCodeAt(index) === COLON;
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

function addKey(open: readonly Open[], problems: FieldProblem[], quoted: string): void {
  const top = open.at(-1);
  if (top?.keys === undefined) return;
  const key = toKey(quoted);
  top.at = key;
  if (top.keys.has(key)) problems.push({ field: pathOf(open), message: "is given more than once" });
  top.keys.add(key);
}

/** `"a"` and `"\u0061"` are the same key. */
function toKey(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

function tooDeep(open: readonly Open[]): FieldProblem {
  return { field: `${pathOf(open.slice(0, 4))}.…`, message: `is nested deeper than ${MAX_JSON_DEPTH} levels` };
}

function tooMany(what: string, max: number): FieldProblem {
  return { field: "", message: `has more than ${max.toLocaleString("en-US")} ${what}` };
}

function pathOf(open: readonly Open[]): string {
  return toField(open.map(({ at }) => at));
}
