/**
 * Markdown: tables, lists and text from outside that stays text.
 */
import { findLinks } from "@baton/assistant";

const SPECIAL: ReadonlySet<string> = new Set(["\\", "`", "*", "_", "[", "]", "<", ">", "|", "~"]);

/** Text from outside: on one line, and nothing in it is markup, a link or a reference. */
export function toPlainText(text: string): string {
  let out = "";
  const line = withoutLinks(text.replaceAll(/[\s\p{C}]+/gu, " ").trim());
  // Braces would make a reference to a fact of it.
  for (const character of line.replaceAll("{", "(").replaceAll("}", ")")) {
    out += SPECIAL.has(character) ? `\\${character}` : character;
  }
  return out;
}

const withoutLinks = (line: string): string =>
  findLinks(line).reduceRight((rest, { start, end }) => `${rest.slice(0, start)}…${rest.slice(end)}`, line);

/** A table; rows are as long as the head. Columns of figures stand to the right. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  const isFigure = (cell = "") => cell.startsWith("{") || cell === "–";
  const rule = head.map((_, index) => (rows.every((row) => isFigure(row[index])) ? "---:" : "---"));
  return [line(head), line(rule), ...rows.map(line)].join("\n");
}

/** A list. */
export const toList = (items: readonly string[]): string => items.map((item) => `- ${item}`).join("\n");
