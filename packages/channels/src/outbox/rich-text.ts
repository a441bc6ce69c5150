/**
 * Rich text: an answer in Markdown as plain text with entities, and in parts that a platform takes.
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
const RULE = /^\|?[\s:|-]+\|[\s:|-]*$/;

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
  return (lines[at] ?? "").includes("|") && (lines[at + 1] ?? "").includes("-") && RULE.test(lines[at + 1] ?? "");
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
  for (let at = 0; at < line.length;) {
    const next = findInline(line, at);
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

function findInline(line: string, at: number): Inline | undefined {
  if (line[at] === "`") {
    const end = line.indexOf("`", at + 1);
    return end === -1 ? undefined : { entity: { type: "code" }, text: line.slice(at + 1, end), end: end + 1 };
  }
  if (line[at] === "[") return findLink(line, at);
  for (const [mark, type] of MARKS) {
    if (!line.startsWith(mark, at)) continue;
    const end = line.indexOf(mark, at + mark.length);
    const text = end === -1 ? "" : line.slice(at + mark.length, end);
    const isWord = mark === "_" && /\w/.test(line[at - 1] ?? " ");
    if (text === "" || text !== text.trim() || isWord) return undefined;
    return { entity: { type }, text, end: end + mark.length };
  }
  return undefined;
}

function findLink(line: string, at: number): Inline | undefined {
  const middle = line.indexOf("](", at);
  const end = middle === -1 ? -1 : line.indexOf(")", middle);
  if (end === -1) return undefined;
  const text = line.slice(at + 1, middle);
  const url = line.slice(middle + 2, end);
  if (text === "" || text.includes("[") || !/^https?:\/\/\S+$/.test(url)) return undefined;
  return { entity: { type: "text_link", url }, text, end: end + 1 };
}

/** Text that grows, with its entities. */
class Writer {
  #text = "";
  readonly #entities: TextEntity[] = [];

  add(text: string): void {
    this.#text += text;
  }

  addAs(entity: Omit<TextEntity, "offset" | "length">, text: string): void {
    this.within(entity, () => this.add(text));
  }

  within(entity: Omit<TextEntity, "offset" | "length">, write: () => void): void {
    const offset = this.#text.length;
    write();
    const length = this.#text.length - offset;
    if (length > 0) this.#entities.push({ ...entity, offset, length });
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

/** Parts of at most so many UTF-16 units; spans continue in the next part. */
export function splitText({ text, entities }: RichText, maxUnits: number): readonly RichText[] {
  const parts: RichText[] = [];
  for (let from = 0; from < text.length;) {
    const to = text.length - from <= maxUnits ? text.length : findCut(text, from, from + maxUnits);
    const part = text.slice(from, to).trimEnd();
    const own = entities.flatMap((entity) => toWithin(entity, from, from + part.length));
    if (part.trim() !== "") parts.push({ text: part, entities: own });
    from = to;
    while (text[from] === "\n" || text[from] === " ") from++;
  }
  return parts;
}

function toWithin(entity: TextEntity, from: number, to: number): readonly TextEntity[] {
  const begin = Math.max(entity.offset, from);
  const end = Math.min(entity.offset + entity.length, to);
  return end > begin ? [{ ...entity, offset: begin - from, length: end - begin }] : [];
}

const BREAKS = ["\n\n", "\n", ". ", " "] as const;

/** A paragraph, line, sentence or word ends there; else between two graphemes. */
function findCut(text: string, from: number, to: number): number {
  for (const mark of BREAKS) {
    const at = text.lastIndexOf(mark, to - mark.length);
    if (at > from + (to - from) / 4) return at + mark.length;
  }
  const around = text.slice(Math.max(from, to - 64), to + 64);
  const start = Math.max(from, to - 64);
  let cut = start;
  for (const { index } of new Intl.Segmenter().segment(around)) if (start + index <= to) cut = start + index;
  return cut > from ? cut : to;
}
