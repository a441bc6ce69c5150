/**
 * XML: a small reader for documents from outside, in one pass over the text.
 *
 * It keeps elements and text by their names without prefix. Document types are refused, so there are no entities but
 * the five of XML; depth and the number of elements are bounded.
 */
import { MarketError } from "../../../port/market-error.ts";
import { decodeReferences, XML_NAMES } from "./character-references.ts";

/** An element; attributes are not kept. */
export interface XmlElement {
  /** Without prefix. */
  readonly name: string;
  /** Its own text, without that of elements in it. */
  readonly text: string;
  readonly children: readonly XmlElement[];
}

type Open = { readonly name: string; readonly full: string; text: string; readonly children: Open[] };

const MAX_DEPTH = 50;
const MAX_ELEMENTS = 600_000;
const NAME = /^[A-Za-z_][\w.:-]{0,200}/;

/** The root element, or an `upstream` error. */
export function parseXml(text: string): XmlElement {
  const root: Open = { name: "", full: "", text: "", children: [] };
  const open: Open[] = [root];
  let count = 0;
  let at = 0;
  while (at < text.length) {
    const next = text.indexOf("<", at);
    const end = next < 0 ? text.length : next;
    const current = open.at(-1) ?? root;
    if (current !== root) current.text += decodeReferences(text.slice(at, end), XML_NAMES);
    if (next < 0) break;
    const special = skipSpecial(text, next, current);
    if (special !== undefined) {
      at = special;
      continue;
    }
    const close = findTagEnd(text, next);
    const tag = text.slice(next + 1, close);
    if (++count > MAX_ELEMENTS) throw refuse("has too many elements");
    readTag(tag, open);
    at = close + 1;
  }
  const [first, ...rest] = root.children;
  if (open.length !== 1 || first === undefined || rest.length > 0) throw refuse("does not have one complete root");
  return first;
}

/** Where a comment, an instruction or a block of plain text ends; undefined if a tag begins here. */
function skipSpecial(text: string, at: number, current: Open): number | undefined {
  const marks = [
    ["<!--", "-->"],
    ["<![CDATA[", "]]>"],
    ["<?", "?>"],
  ] as const;
  for (const [begin, end] of marks) {
    if (!text.startsWith(begin, at)) continue;
    const close = text.indexOf(end, at + begin.length);
    if (close < 0) throw refuse("ends too early");
    if (begin === "<![CDATA[") current.text += text.slice(at + begin.length, close);
    return close + end.length;
  }
  if (text.startsWith("<!", at)) throw refuse("has a document type");
  return undefined;
}

/** The `>` of a tag; one within quotes does not end it. */
function findTagEnd(text: string, at: number): number {
  let quote = "";
  for (let index = at + 1; index < text.length; index++) {
    const sign = text[index] ?? "";
    if (quote !== "") {
      if (sign === quote) quote = "";
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === ">") return index;
    else if (sign === "<") throw refuse("is not well formed");
  }
  throw refuse("ends too early");
}

function readTag(tag: string, open: Open[]): void {
  const isEnd = tag.startsWith("/");
  const full = NAME.exec(isEnd ? tag.slice(1) : tag)?.[0];
  if (full === undefined) throw refuse("is not well formed");
  if (isEnd) {
    if (open.length < 2 || open.pop()?.full !== full) throw refuse("is not well formed");
    return;
  }
  const name = full.slice(full.lastIndexOf(":") + 1);
  const element: Open = { name, full, text: "", children: [] };
  open.at(-1)?.children.push(element);
  if (tag.endsWith("/")) return;
  if (open.length > MAX_DEPTH) throw refuse("is too deep");
  open.push(element);
}

const refuse = (why: string): MarketError => new MarketError("upstream", `the SEC answered with XML that ${why}`);

/** The elements of a name below an element. */
export const childrenOf = (element: XmlElement | undefined, name: string): readonly XmlElement[] =>
  element?.children.filter((child) => child.name === name) ?? [];

/** The first element at a path such as `issuer/issuerCik`. */
export function elementAt(element: XmlElement | undefined, path: string): XmlElement | undefined {
  let found = element;
  for (const name of path.split("/")) found = found?.children.find((child) => child.name === name);
  return found;
}

/** The text of the first element at a path; undefined if there is none or it is empty. */
export function textAt(element: XmlElement | undefined, path: string): string | undefined {
  const text = elementAt(element, path)?.text.trim();
  return text === "" ? undefined : text;
}

/** The number at a path; undefined if there is none. */
export function numberAt(element: XmlElement | undefined, path: string): number | undefined {
  const text = textAt(element, path)?.replaceAll(",", "");
  const isNumber = text !== undefined && /^-?\d{0,20}(?:\.\d{1,20})?$/.test(text) && /\d/.test(text);
  return isNumber ? Number(text) : undefined;
}
