/**
 * Table: rows of figures in columns, as plain text that is Markdown too.
 */

/** Rows with a head; the first column to the left, all others to the right. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((name, column) => Math.max(name.length, ...rows.map((row) => row[column]?.length ?? 0), 2));
  const toLine = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? "";
      return column === 0 ? cell.padEnd(width) : cell.padStart(width);
    });
    return `| ${padded.join(" | ")} |`;
  };
  const rule = widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`));
  return [toLine(head), `| ${rule.join(" | ")} |`, ...rows.map(toLine)].join("\n");
}
