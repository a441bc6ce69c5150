/**
 * Sealed: what is kept in a row, with a checksum over it and the name it is kept under.
 *
 * Postgres stores neither NUL nor half a surrogate pair. The texts that are kept are JSON, which escapes both; names
 * are escaped as JSON escapes them, so that different names stay different.
 */
import { BatonError } from "@baton/core";
import { crc32 } from "node:zlib";

/** A text and its checksum, as they stand in a row. */
export interface Sealed {
  readonly body: string;
  readonly checksum: number;
}

/** What every table with sealed rows is asked for. */
export const SEALED = "body, checksum::double precision as checksum";

/** A name as it stands in a column. */
export function toName(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The name that stands in a column; one that somebody broke stands for itself, and fits no checksum. */
export function parseName(column: string): string {
  try {
    return String(JSON.parse(`"${column}"`));
  } catch {
    return column;
  }
}

/** A text with its checksum under a name. */
export function seal(name: string, body: string): Sealed {
  return { body, checksum: crc32(`${name}\n${body}`) };
}

/** The text of a row; throws `damaged` where it is not what was sealed under this name. */
export function unseal(name: string, { body, checksum }: Sealed): string {
  if (seal(name, body).checksum === checksum) return body;
  throw new BatonError("damaged", `what is stored of ${name} was changed`);
}

/** A record with its checksum. */
export function sealRecord(name: string, record: object): Sealed {
  return seal(name, JSON.stringify(record));
}

/** The record of a row; throws `damaged` where it is not what was sealed under this name. */
export function unsealRecord<T>(name: string, row: Sealed, isRecord: (value: unknown) => value is T): T {
  const record: unknown = JSON.parse(unseal(name, row));
  if (isRecord(record)) return record;
  throw new BatonError("damaged", `what is stored of ${name} is no record of its kind`);
}
