/**
 * Table: rows of text in aligned columns below a line of titles.
 */
import { toOneLine } from "../terminal/printable.ts";
import { cutLine, type Line, styleLine } from "../terminal/styled-line.ts";
import { displayWidth } from "../terminal/width.ts";

/** A row: its cells, and whether it is about something that is no longer active. */
export interface TableRow {
  readonly cells: readonly string[];
  readonly isInactive: boolean;
}

const GAP = "  ";

/** The titles, and a line for each row, truncated to the width. */
export function toTableLines(
  titles: readonly string[],
  rows: readonly TableRow[],
  { width }: { readonly width: number },
): readonly Line[] {
  const shown = rows.map(({ cells, isInactive }) => ({ cells: cells.map(toOneLine), isInactive }));
  const widths = titles.map((title, index) =>
    Math.max(title.length, ...shown.map(({ cells }) => displayWidth(cells[index] ?? ""))),
  );
  const toRow = (cells: readonly string[]) =>
    cells
      .map((cell, index) => cell + " ".repeat((widths[index] ?? 0) - displayWidth(cell)))
      .join(GAP)
      .trimEnd();
  return [
    styleLine([toRow(titles), "dim"]),
    ...shown.map(({ cells, isInactive }) => styleLine([toRow(cells), isInactive ? "dim" : "plain"])),
  ].map((line) => cutLine(line, width));
}
