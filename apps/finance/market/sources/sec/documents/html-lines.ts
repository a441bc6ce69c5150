/**
 * HTML lines: the visible text of a filing, one line a paragraph, heading or row of a table, in one pass.
 *
 * Scripts, styles, the hidden facts of inline XBRL and whatever is not displayed are left out. The cells of a row
 * stand on one line, because headings are often spread over cells.
 */
import { decodeReferences, HTML_NAMES } from "./character-references.ts";

const SKIPPED: ReadonlySet<string> = new Set([
  "script",
  "style",
  "head",
  "title",
  "ix:header",
  "ix:hidden",
  "noscript",
]);
const BLOCKS: ReadonlySet<string> = new Set(
  "address article blockquote body br center dd div dl dt footer h1 h2 h3 h4 h5 h6 header hr li ol p pre section table tr ul".split(
    " ",
  ),
);
const VOID: ReadonlySet<string> = new Set(["br", "hr", "img", "input", "meta", "link", "col"]);
/** A cell with more text than that is not a part of a heading but a page laid out by a table. */
const LONG_CELL = 300;
const MAX_NAME = 40;

/** The lines of a page. */
export function toHtmlLines(html: string): readonly string[] {
  const writer = new LineWriter();
  const { length } = html;
  let at = 0;
  while (at < length) {
    const next = html.indexOf("<", at);
    const end = next < 0 ? length : next;
    if (end > at) writer.write(decodeReferences(html.slice(at, end), HTML_NAMES));
    if (next < 0) break;
    at = readMarkup(html, next, writer);
  }
  return writer.end();
}

/** Reads a tag or a comment; returns the position at which the text continues. */
function readMarkup(html: string, at: number, writer: LineWriter): number {
  if (html.startsWith("<!--", at)) return after(html, "-->", at + 4);
  const name = readName(html, at);
  if (name === "") {
    const isMarkup = html[at + 1] === "!" || html[at + 1] === "?";
    if (isMarkup) return after(html, ">", at);
    writer.write("<");
    return at + 1;
  }
  const close = after(html, ">", at);
  const tag = html.slice(at, close);
  const isEnd = html[at + 1] === "/";
  const isEmpty = tag.endsWith("/>") || VOID.has(name);
  if (!isEnd && !isEmpty && (SKIPPED.has(name) || isHidden(tag))) return skipElement(html, name, close);
  writer.tag(name, isEnd ? "end" : "start");
  return close;
}

/** The name of a tag in lower case, without its slash; "" if no tag begins here. */
function readName(html: string, at: number): string {
  const from = html[at + 1] === "/" ? at + 2 : at + 1;
  return /^[a-z][a-z0-9:-]*/i.exec(html.slice(from, from + MAX_NAME))?.[0].toLowerCase() ?? "";
}

function isHidden(tag: string): boolean {
  if (!tag.includes("none") && !tag.includes("hidden") && !tag.includes("NONE")) return false;
  const plain = tag.slice(0, 2_000).replaceAll(" ", "").toLowerCase();
  return plain.includes("display:none") || plain.includes("visibility:hidden");
}

/** Behind the end of an element, with elements of the same name in it. */
function skipElement(html: string, name: string, from: number): number {
  let depth = 1;
  let at = from;
  while (depth > 0) {
    at = html.indexOf("<", at);
    if (at < 0) return html.length;
    const close = after(html, ">", at);
    if (readName(html, at) === name) {
      const isEmpty = html[close - 2] === "/";
      if (html[at + 1] === "/") depth--;
      else if (!isEmpty) depth++;
    }
    at = close;
  }
  return at;
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

/** Puts text together to lines. */
class LineWriter {
  readonly #lines: string[] = [];
  #parts: string[] = [];
  #cells = 0;
  #cellChars = 0;

  write(text: string): void {
    this.#parts.push(text);
    this.#cellChars += text.length;
  }

  tag(name: string, kind: "start" | "end"): void {
    if (name === "td" || name === "th") {
      this.#parts.push(" ");
      this.#cells = Math.max(0, this.#cells + (kind === "start" ? 1 : -1));
      this.#cellChars = 0;
    } else if (BLOCKS.has(name)) {
      const isInRow = this.#cells > 0 && this.#cellChars < LONG_CELL && name !== "tr" && name !== "table";
      if (isInRow) this.#parts.push(" ");
      else this.#flush();
    }
  }

  end(): readonly string[] {
    this.#flush();
    return this.#lines;
  }

  #flush(): void {
    const line = this.#parts.join("").split(/\s+/).filter(Boolean).join(" ");
    this.#parts = [];
    if (line !== "") this.#lines.push(line);
  }
}
