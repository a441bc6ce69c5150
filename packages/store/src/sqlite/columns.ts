/**
 * Columns: what a row of SQLite holds, checked.
 */
import { unreadable } from "../stored-record.ts";
import type { SqliteRow } from "./connection.ts";

/** A column that holds a text. */
export function textOf(row: SqliteRow, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw unreadable(column);
}

/** A column that holds a number. */
export function numberOf(row: SqliteRow, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw unreadable(column);
}
