/**
 * Sealed: columns of a row that must be trusted, with a checksum over them and the name they are kept under.
 */
import { BatonError } from "@baton/core";
import { crc32 } from "node:zlib";
import type { Row } from "./connection.ts";

/** What every sealed row is asked for; a checksum that became too large for a number must not hide the other rows. */
export const SEALED = "CAST(checksum AS REAL) AS checksum, body";

/** The checksum of a text under a name. */
export function checksumOf(name: string, body: string): number {
  return crc32(`${name}\n${body}`);
}

/** The `body` of a row; throws `damaged` where it is not what was written under this name. */
export function bodyOf(name: string, row: Row): string {
  const body = textOf(row, "body");
  if (checksumOf(name, body) === row["checksum"]) return body;
  throw changed(name);
}

/** A column that holds a text. */
export function textOf(row: Row, column: string): string {
  const value = row[column];
  if (typeof value === "string") return value;
  throw changed(column);
}

/** A column that holds a number. */
export function numberOf(row: Row, column: string): number {
  const value = row[column];
  if (typeof value === "number") return value;
  throw changed(column);
}

/** The error of something that is not what was written. */
export function changed(name: string): BatonError {
  return new BatonError("damaged", `what is stored of ${name} was changed or lost`);
}
