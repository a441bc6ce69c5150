/**
 * Character references: `&amp;` and `&#8217;` in text from outside, read in one pass. A name that is not known stays as
 * it stands; nothing is ever expanded twice.
 */
import { readTable } from "../../../tables.ts";

const MAX_REFERENCE = 12;

/** The five of XML. */
export const XML_NAMES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Those that filings use; numbers are those of Windows in old documents. */
export const HTML_NAMES: ReadonlyMap<string, string> = new Map([
  ...XML_NAMES,
  ...readTable("filings/character-references").map(([name = "", code = ""]) => [name, toCharacter(code)] as const),
]);

function toCharacter(code: string): string {
  return code === "" ? "" : String.fromCodePoint(Number.parseInt(code.slice("U+".length), 16));
}

/** The text with its references read. */
export function decodeReferences(text: string, names: ReadonlyMap<string, string>): string {
  let at = text.indexOf("&");
  if (at < 0) return text;
  const parts: string[] = [];
  let from = 0;
  while (at >= 0) {
    const window = text.slice(at + 1, at + MAX_REFERENCE);
    const length = window.indexOf(";");
    const sign = length <= 0 ? undefined : decodeOne(window.slice(0, length), names);
    if (sign !== undefined) {
      parts.push(text.slice(from, at), sign);
      from = at + length + 2;
    }
    at = text.indexOf("&", Math.max(from, at + 1));
  }
  parts.push(text.slice(from));
  return parts.join("");
}

function decodeOne(reference: string, names: ReadonlyMap<string, string>): string | undefined {
  if (!reference.startsWith("#")) return names.get(reference);
  const isHex = reference[1] === "x" || reference[1] === "X";
  const digits = reference.slice(isHex ? 2 : 1);
  if (!(isHex ? /^[\da-f]{1,6}$/i : /^\d{1,7}$/).test(digits)) return undefined;
  const code = Number.parseInt(digits, isHex ? 16 : 10);
  const isSign = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  if (!isSign) return " ";
  return HTML_NAMES.get(`${code}`) ?? String.fromCodePoint(code);
}
