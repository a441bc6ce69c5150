/**
 * Table: a CSV file as rows of named cells.
 *
 * Plain CSV: a header, commas, no quotes. The first column labels the rows (a month); a column is numeric if all its
 * cells are.
 */
import { ToolError } from "@baton/core";

/** One line of the file. */
type Row = ReadonlyMap<string, string>;

/** A parsed file. */
export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly Row[];
}

/** Keeps only the rows whose cell has this value. */
interface Where {
  readonly column: string;
  readonly value: string;
}

/** A number and the label of its row or step. */
interface Point {
  readonly label: string;
  readonly value: number;
}

/** Reads a CSV text; a line with another number of cells than the header is an error that names it. */
export function parseCsv(text: string): Table {
  const [header = "", ...lines] = text
    .replaceAll("\r", "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const columns = header.split(",").map((name) => name.trim());
  const rows = lines.map((line, index) => {
    const cells = line.split(",");
    if (cells.length !== columns.length) {
      throw new ToolError("permanent", `line ${index + 2} has ${cells.length} cells, the header ${columns.length}`);
    }
    return new Map(columns.map((column, at) => [column, cells[at]?.trim() ?? ""]));
  });
  return { columns, rows };
}

/** The rows that fit; an unknown column or a value nothing has is a tool error that lists what there is. */
export function filterRows(table: Table, where: Where | undefined): readonly Row[] {
  if (where === undefined) return table.rows;
  checkColumn(table, where.column);
  const rows = table.rows.filter((row) => row.get(where.column) === where.value);
  if (rows.length > 0) return rows;
  const values = distinct(table, where.column).slice(0, 10).join(", ");
  throw new ToolError("validation", `no row has ${where.column} = "${where.value}"; values are: ${values}`);
}

/** The numbers of a column, one a row. */
export function numbers(table: Table, column: string, where?: Where): readonly number[] {
  if (!isNumeric(table, column)) {
    const numeric = table.columns.filter((name) => isNumeric(table, name)).join(", ");
    throw new ToolError("validation", `"${column}" is not a column of numbers; those are: ${numeric}`);
  }
  return filterRows(table, where).map((row) => Number(row.get(column)));
}

/** The mean of a column for each label, in the order of the file: a series over time. */
export function series(table: Table, column: string, where?: Where): readonly Point[] {
  const values = numbers(table, column, where);
  const byLabel = new Map<string, number[]>();
  filterRows(table, where).forEach((row, index) => {
    const label = row.get(table.columns[0] ?? "") ?? "";
    const group = byLabel.get(label) ?? [];
    group.push(values[index] ?? NaN);
    byLabel.set(label, group);
  });
  return [...byLabel].map(([label, group]) => ({ label, value: group.reduce((a, b) => a + b, 0) / group.length }));
}

/** The different values of a column, in the order of the file. */
export function distinct(table: Table, column: string): readonly string[] {
  checkColumn(table, column);
  return [...new Set(table.rows.map((row) => row.get(column) ?? ""))];
}

/** Whether every cell of the column is a number. */
export function isNumeric(table: Table, column: string): boolean {
  checkColumn(table, column);
  return table.rows.every((row) => {
    const cell = row.get(column) ?? "";
    return cell !== "" && Number.isFinite(Number(cell));
  });
}

function checkColumn(table: Table, column: string): void {
  if (table.columns.includes(column)) return;
  throw new ToolError("validation", `no column "${column}"; columns are: ${table.columns.join(", ")}`);
}
