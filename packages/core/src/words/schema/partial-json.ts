/**
 * Partial JSON: the largest value that can be read of JSON text whose end has not come yet.
 *
 * One forward pass. A string that is not closed counts as it is so far; a name without a value, and a number or word that
 * may go on, are left out.
 */
import { type Json, parseJson } from "../json.ts";

const MAX_CHARS = 4 * 1_024 * 1_024;
const MAX_DEPTH = 64;

/** Reads what is there so far; undefined if that is nothing yet. */
export function partialJson(text: string): Json | undefined {
  const start = text.search(/\S/);
  if (start === -1 || text.length > MAX_CHARS) return undefined;
  const whole = parseJson(text.trim());
  if (whole !== undefined) return whole;
  const { end, closers } = findEnd(text, start);
  return end === undefined ? undefined : parseJson(text.slice(start, end) + closers);
}

type Cut = Readonly<{ end: number | undefined; closers: string }>;

/** The last place at which the value can be closed, and what closes it. */
function findEnd(text: string, start: number): Cut {
  const open: string[] = [];
  let cut: Cut = { end: undefined, closers: "" };
  const mark = (end: number, more = "") => (cut = { end, closers: more + open.toReversed().join("") });
  for (let at = start; at < text.length;) {
    const char = text.charAt(at);
    if (char === "{" || char === "[") {
      if (open.length >= MAX_DEPTH) return cut;
      open.push(char === "{" ? "}" : "]");
      mark(++at);
    } else if (char === "}" || char === "]") {
      if (open.pop() !== char) return cut;
      mark(++at);
    } else if (char === '"') {
      const close = endOfString(text, at);
      const isName = open.at(-1) === "}" && isNamePlace(text, at);
      if (close === undefined) return isName ? cut : mark(cutString(text, at), '"');
      at = close;
      if (!isName) mark(at);
    } else if (/[\s,:]/.test(char)) at++;
    else {
      const from = at;
      while (at < text.length && !/[\s,:{}[\]"]/.test(text.charAt(at))) at++;
      // A number or word at the very end may go on.
      if (at < text.length && parseJson(text.slice(from, at)) !== undefined) mark(at);
    }
  }
  return cut;
}

/** Whether a string at this place of an object is the name of a field. */
function isNamePlace(text: string, at: number): boolean {
  let before = at - 1;
  while (before >= 0 && /\s/.test(text.charAt(before))) before--;
  return text[before] === "{" || text[before] === ",";
}

function endOfString(text: string, open: number): number | undefined {
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++;
    else if (text[at] === '"') return at + 1;
  }
  return undefined;
}

/** The end of an open string without an escape that is not complete. */
function cutString(text: string, open: number): number {
  const slash = text.lastIndexOf("\\");
  if (slash <= open) return text.length;
  let slashes = 0;
  for (let at = slash; at > open && text[at] === "\\"; at--) slashes++;
  const isEscape = slashes % 2 === 1;
  if (!isEscape) return text.length;
  const length = text[slash + 1] === "u" ? 6 : 2;
  return slash + length <= text.length ? text.length : slash;
}
