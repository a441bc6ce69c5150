/**
 * Rich text: an answer in Markdown as plain text with entities.
 *
 * Reads every character once or twice, however the text is made; what is not Markdown stays as it is.
 */
import type { TextEntity } from "../platform/platform.ts";

/** A text with its entities. */
export interface RichText {
  readonly text: string;
  readonly entities: readonly TextEntity[];
}

const FENCE = "```";
const MARKS = [
  ["**", "bold"],
  ["__", "bold"],
  ["~~", "strikethrough"],
  ["*", "italic"],
  ["_", "italic"],
] as const;
const HEADING = /^#{1,6} /;
const ITEM = /^(\s{0,12})[-*+] /;
/** The characters of the line under a table's head. */
const RULE: ReadonlySet<string> = new Set("|-: \t");

/** Reads Markdown. */
export function toRichText(markdown: string): RichText {
  const writer = new Writer();
  const lines = markdown.replaceAll("\r\n", "\n").trim().split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (at > 0) writer.add("\n");
    if (line.startsWith(FENCE)) {
      const end = findFence(lines, at + 1);
      writer.addAs(
        { type: "pre", ...(line.length > 3 ? { language: line.slice(3).trim() } : {}) },
        lines.slice(at + 1, end).join("\n"),
      );
      at = end;
    } else if (isTable(lines, at)) {
      const end = lines.findIndex((one, index) => index > at && !one.includes("|"));
      const last = end === -1 ? lines.length : end;
      writer.addAs({ type: "pre" }, toTable(lines.slice(at, last)));
      at = last - 1;
    } else addLine(writer, line);
  }
  return writer.end();
}

function findFence(lines: readonly string[], from: number): number {
  const end = lines.findIndex((line, index) => index >= from && line.startsWith(FENCE));
  return end === -1 ? lines.length : end;
}

function isTable(lines: readonly string[], at: number): boolean {
  const rule = lines[at + 1] ?? "";
  if (!(lines[at] ?? "").includes("|") || !rule.includes("-") || !rule.includes("|")) return false;
  return Array.from(rule).every((char) => RULE.has(char));
}

/** Columns as wide as their widest cell. */
function toTable(lines: readonly string[]): string {
  const rows = lines.filter((_, index) => index !== 1).map(toCells);
  const widths: number[] = [];
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function toCells(line: string): readonly string[] {
  const cells = line.trim().replace(/^\|/, "").replace(/\|$/, "").split("|");
  return cells.map((cell) => cell.trim().replaceAll("**", "").replaceAll("`", ""));
}

function addLine(writer: Writer, line: string): void {
  if (HEADING.test(line))
    return writer.within({ type: "bold" }, () => addInline(writer, line.slice(line.indexOf(" ") + 1)));
  if (line.startsWith("> ")) return writer.within({ type: "blockquote" }, () => addInline(writer, line.slice(2)));
  const item = ITEM.exec(line);
  if (item === null) return addInline(writer, line);
  writer.add(`${item[1] ?? ""}• `);
  addInline(writer, line.slice(item[0].length));
}

function addInline(writer: Writer, line: string): void {
  const marks = new Marks(line);
  for (let at = 0; at < line.length;) {
    const next = findInline(marks, at);
    if (next === undefined) {
      const end = nextMark(line, at + 1);
      writer.add(line.slice(at, end));
      at = end;
      continue;
    }
    const { entity, text, end } = next;
    if (entity.type === "code") writer.addAs(entity, text);
    else writer.within(entity, () => addInline(writer, text));
    at = end;
  }
}

const STARTS = ["*", "_", "~", "`", "["] as const;

function nextMark(line: string, from: number): number {
  for (let at = from; at < line.length; at++) if (STARTS.some((mark) => mark === line[at])) return at;
  return line.length;
}

interface Inline {
  readonly entity: Omit<TextEntity, "offset" | "length">;
  readonly text: string;
  readonly end: number;
}

/** Marks of one line; one that does not come again is searched for once. */
class Marks {
  readonly line: string;
  readonly #missing = new Set<string>();

  constructor(line: string) {
    this.line = line;
  }

  find(mark: string, from: number): number {
    const at = this.#missing.has(mark) ? -1 : this.line.indexOf(mark, from);
    if (at === -1) this.#missing.add(mark);
    return at;
  }
}

function findInline(marks: Marks, at: number): Inline | undefined {
  const { line } = marks;
  if (line[at] === "`") {
    const end = marks.find("`", at + 1);
    return end === -1 ? undefined : { entity: { type: "code" }, text: line.slice(at + 1, end), end: end + 1 };
  }
  if (line[at] === "[") return findLink(marks, at);
  for (const [mark, type] of MARKS) {
    if (!line.startsWith(mark, at)) continue;
    const end = marks.find(mark, at + mark.length);
    const text = end === -1 ? "" : line.slice(at + mark.length, end);
    const isWord = mark === "_" && /\w/.test(line[at - 1] ?? " ");
    if (text === "" || text !== text.trim() || isWord) return undefined;
    return { entity: { type }, text, end: end + mark.length };
  }
  return undefined;
}

const MAX_LINK_CHARS = 2_048;

function findLink(marks: Marks, at: number): Inline | undefined {
  const { line } = marks;
  const middle = marks.find("](", at);
  const end = middle === -1 || middle - at > MAX_LINK_CHARS ? -1 : marks.find(")", middle);
  if (end === -1 || end - middle > MAX_LINK_CHARS) return undefined;
  const text = line.slice(at + 1, middle);
  const url = line.slice(middle + 2, end);
  if (text === "" || text.includes("[") || !/^https?:\/\/\S+$/.test(url)) return undefined;
  return { entity: { type: "text_link", url }, text, end: end + 1 };
}

/** Text that grows, with its entities. */
class Writer {
  #text = "";
  readonly #entities: TextEntity[] = [];
  readonly #open: TextEntity["type"][] = [];

  add(text: string): void {
    this.#text += text;
  }

  addAs(entity: Omit<TextEntity, "offset" | "length">, text: string): void {
    this.within(entity, () => this.add(text));
  }

  within(entity: Omit<TextEntity, "offset" | "length">, write: () => void): void {
    const offset = this.#text.length;
    // Telegram refuses code within other entities but quotes, and an entity within one of its own type.
    const isPlain = entity.type === "code" && this.#open.some((type) => type !== "blockquote");
    const isKept = !isPlain && !this.#open.includes(entity.type);
    this.#open.push(entity.type);
    write();
    this.#open.pop();
    const length = this.#text.length - offset;
    if (length > 0 && isKept) this.#entities.push({ ...entity, offset, length });
  }

  end(): RichText {
    return { text: this.#text, entities: this.#entities.toSorted((one, other) => one.offset - other.offset) };
  }
}

/** The text with the addresses of its links, for platforms without entities. */
export function toPlainText({ text, entities }: RichText): string {
  let plain = "";
  let at = 0;
  for (const { type, offset, length, url } of entities) {
    if (type !== "text_link" || offset < at) continue;
    plain += text.slice(at, offset + length);
    at = offset + length;
    plain += ` (${url ?? ""})`;
  }
  return plain + text.slice(at);
}
