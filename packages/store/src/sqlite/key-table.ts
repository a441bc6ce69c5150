/**
 * Key table: API keys, as their hashes.
 *
 * Reads: database, connection, sealed. Read by: sqlite-database.
 */
import type { KeyRecord } from "../database.ts";
import type { Connection, Row } from "./connection.ts";
import { bodyOf, changed, checksumOf, textOf } from "./sealed.ts";

/** Writes a key, in the place of what it was before. */
export function saveKey(connection: Connection, key: KeyRecord): void {
  const body = JSON.stringify(key);
  connection.run(
    `INSERT INTO keys (id, created_at, checksum, body) VALUES (?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET checksum = excluded.checksum, body = excluded.body`,
    key.id,
    key.createdAt,
    checksumOf(`key ${key.id}`, body),
    body,
  );
}

/** All keys, oldest first. */
export function findKeys(connection: Connection): readonly KeyRecord[] {
  return connection.all("SELECT id, checksum, body FROM keys ORDER BY created_at, id").map(toKey);
}

/** Notes when a key was revoked; false where there is none, or it was before. */
export function revokeKey(connection: Connection, id: string, at: number): boolean {
  const row = connection.get("SELECT id, checksum, body FROM keys WHERE id = ?", id);
  const key = row === undefined ? undefined : toKey(row);
  if (key === undefined || key.revokedAt !== undefined) return false;
  saveKey(connection, { ...key, revokedAt: at });
  return true;
}

function toKey(row: Row): KeyRecord {
  const name = `key ${textOf(row, "id")}`;
  const key: unknown = JSON.parse(bodyOf(name, row));
  if (isKey(key)) return key;
  throw changed(name);
}

/** What was written was a key, and the checksum says that this is what was written. */
function isKey(value: unknown): value is KeyRecord {
  return typeof value === "object" && value !== null && "hash" in value;
}
