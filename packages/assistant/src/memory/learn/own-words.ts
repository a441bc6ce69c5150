/**
 * Own words: a message without what the user did not say: quotations, code, tables, and text that is only to be worked
 * on.
 */
import { toBare } from "./token.ts";

/** More of a message is a paste, not what somebody says. */
const MAX_CHARS = 2_000;
/** A quotation of so few words after `call me` is a name. */
const MAX_NAME_WORDS = 3;
const QUOTES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
  ["‘", "’"],
  ["「", "」"],
  ["`", "`"],
]);
/** Requests whose object is text: what follows a colon or a line break is not the user's own. */
const WORKS =
  /\b(?:translate|summari[sz]e|rewrite|rephrase|paraphrase|proofread|correct|edit|analy[sz]e|explain|dich|tom tat|viet lai|giai thich|sua|phan tich)\b/;
const NAMING = /(?:call me|name is|name|me|la|as)\s*$/;

/** The message without quotations, code and material. */
export function toOwnWords(message: string): string {
  const text = message.slice(0, MAX_CHARS).normalize("NFC");
  const lines = withoutTables(withoutFences(text).split("\n")).filter((line) => !line.trimStart().startsWith(">"));
  return withoutMaterial(withoutQuotes(lines.join("\n")));
}

function withoutFences(text: string): string {
  return text
    .split("```")
    .filter((_, index) => index % 2 === 0)
    .join("\n");
}

/** Two lines or more with the same number of cells are a table. */
function withoutTables(lines: readonly string[]): readonly string[] {
  const cells = lines.map(countCells);
  return lines.filter((_, at) => {
    const count = cells[at] ?? 0;
    return count === 0 || (count !== cells[at - 1] && count !== cells[at + 1]);
  });
}

/** How many cells a line has, between bars, tabs, or commas and semicolons with no blank after them; 0 if it has none. */
function countCells(line: string): number {
  const bars = line.split(/[|\t]/).length;
  if (bars > 2) return bars;
  const cells = line.trim().split(/[,;](?=\S)/).length;
  return cells > 2 || (cells === 2 && !/\s/.test(line.trim())) ? cells : 0;
}

function withoutQuotes(text: string): string {
  let own = "";
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? "";
    const close = isOpening(text, at) ? QUOTES.get(char) : undefined;
    const end = close === undefined ? -1 : text.indexOf(close, at + 1);
    if (end === -1) {
      own += char;
    } else {
      const inner = text.slice(at + 1, end);
      own += isName(own, inner) ? inner : " ¤ ";
      at = end;
    }
  }
  return own;
}

/** A quotation mark begins a quotation if no letter stands before it. */
const isOpening = (text: string, at: number): boolean => at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "");

function isName(before: string, inner: string): boolean {
  const words = inner.trim().split(/\s+/);
  return words.length <= MAX_NAME_WORDS && NAMING.test(toBare(before.slice(-20)));
}

function withoutMaterial(text: string): string {
  const folded = toBare(text);
  const work = WORKS.exec(folded);
  if (work === null || folded.length !== text.length) return work === null ? text : beforeBreak(text, 0);
  return beforeBreak(text, work.index);
}

/** The text up to the first colon or line break after a place. */
function beforeBreak(text: string, from: number): string {
  const ends = [text.indexOf(":", from), text.indexOf("\n", from)].filter((end) => end !== -1);
  return ends.length === 0 ? text : text.slice(0, Math.min(...ends));
}
