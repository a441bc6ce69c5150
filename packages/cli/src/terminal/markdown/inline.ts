/**
 * Inline: parses emphasis, code and links of one line of Markdown into spans.
 *
 * A marker that is not closed is plain text. Linear in the line: the search for a missing end happens once.
 */
import { type Line, type StyledText, styleLine, type Tone } from "../styled-line.ts";

const MAX_DEPTH = 3;

/** Longer markers come first. `_` inside a word is not a marker. */
const MARKERS: readonly Readonly<{ mark: string; tone: Tone; isCode?: true }>[] = [
  { mark: "``", tone: "code", isCode: true },
  { mark: "`", tone: "code", isCode: true },
  { mark: "**", tone: "strong" },
  { mark: "__", tone: "strong" },
  { mark: "~~", tone: "strike" },
  { mark: "*", tone: "italic" },
  { mark: "_", tone: "italic" },
];
const ESCAPABLE = "\\`*_{}[]()#+-.!|~>";
const WORD = /[\p{Letter}\p{Number}_]/u;

/** A parsed element, and the index after it. */
interface Found {
  readonly spans: Line;
  readonly end: number;
}

/** The spans of a line of Markdown. */
export function toInline(text: string, depth = 0): Line {
  const spans: StyledText[] = [];
  const missing = new Set<string>();
  let plain = "";
  let index = 0;
  const flush = (): void => {
    if (plain !== "") spans.push(...styleLine(plain));
    plain = "";
  };
  while (index < text.length) {
    const char = text.charAt(index);
    if (char === "\\" && ESCAPABLE.includes(text.charAt(index + 1)) && index + 1 < text.length) {
      plain += text.charAt(index + 1);
      index += 2;
      continue;
    }
    const found = depth < MAX_DEPTH ? findPiece(text, index, { missing, depth }) : undefined;
    if (found === undefined) {
      plain += char;
      index += 1;
      continue;
    }
    flush();
    spans.push(...found.spans);
    index = found.end;
  }
  flush();
  return spans;
}

interface Search {
  readonly missing: Set<string>;
  readonly depth: number;
}

function findPiece(text: string, at: number, search: Search): Found | undefined {
  const char = text.charAt(at);
  if (char === "[") return findLink(text, at, search);
  if (!"`*_~".includes(char)) return undefined;
  for (const marker of MARKERS) {
    const found = text.startsWith(marker.mark, at) ? findMarked(text, at, { ...search, marker }) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

type MarkedSearch = Search & { readonly marker: (typeof MARKERS)[number] };

function findMarked(text: string, at: number, { marker, missing, depth }: MarkedSearch): Found | undefined {
  const { mark, tone, isCode = false } = marker;
  const start = at + mark.length;
  const isWordMark = mark.startsWith("_");
  if (missing.has(mark)) return undefined;
  if (!isCode && /^\s?$/.test(text.charAt(start))) return undefined;
  if (isWordMark && WORD.test(text.charAt(at - 1))) return undefined;
  const close = text.indexOf(mark, start + 1);
  if (close === -1) {
    missing.add(mark);
    return undefined;
  }
  const isWhole =
    isCode || (text.charAt(close - 1) !== " " && !(isWordMark && WORD.test(text.charAt(close + mark.length))));
  if (!isWhole) return undefined;
  const inner = text.slice(start, close);
  const spans = isCode ? styleLine([inner, tone]) : toInline(inner, depth + 1).map((span) => withTone(span, tone));
  return { spans, end: close + mark.length };
}

function withTone(span: StyledText, tone: Tone): StyledText {
  return span.tone === "plain" ? { ...span, tone } : span;
}

/** `[text](address)`: shows the text, and the address if it differs. */
function findLink(text: string, at: number, { missing, depth }: Search): Found | undefined {
  if (missing.has("](")) return undefined;
  const middle = text.indexOf("](", at + 1);
  if (middle === -1) {
    missing.add("](");
    return undefined;
  }
  const label = text.slice(at + 1, middle);
  const end = text.indexOf(")", middle + 2);
  if (end === -1 || label.trim() === "" || label.includes("[")) return undefined;
  const address = text.slice(middle + 2, end).trim();
  const shown = toInline(label, depth + 1).map((span) => withTone(span, "link"));
  const more = address === "" || address === label ? [] : styleLine([` (${address})`, "dim"]);
  return { spans: [...shown, ...more], end: end + 1 };
}
