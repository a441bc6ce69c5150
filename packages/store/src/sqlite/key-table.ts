/**
 * Key table: API keys, as their hashes.
 */
import { orDamaged, toDamagedKey } from "../damaged-record.ts";
import type { KeyRecord } from "../database.ts";
import type { Connection, Row } from "./connection.ts";
import { bodyOf, changed, checksumOf, SEALED, textOf } from "./sealed.ts";

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
  return connection.all(`SELECT id, ${SEALED} FROM keys ORDER BY created_at, id`).map(toKey);
}

/** Notes when a key was revoked; false where there is none, or it was before. Of one that is damaged only that is kept. */
export function revokeKey(connection: Connection, id: string, at: number): boolean {
  const row = connection.get(`SELECT id, ${SEALED} FROM keys WHERE id = ?`, id);
  if (row === undefined) return false;
  const { error, ...key } = toKey(row);
  if (error === undefined && key.revokedAt !== undefined) return false;
  saveKey(connection, { ...key, revokedAt: at });
  return true;
}

/** Removes all keys; gives how many. */
export function deleteKeys(connection: Connection): number {
  return connection.run("DELETE FROM keys");
}

function toKey(row: Row): KeyRecord {
  const id = textOf(row, "id");
  return orDamaged(
    () => {
      const key: unknown = JSON.parse(bodyOf(`key ${id}`, row));
      if (isKey(key)) return key;
      throw changed(`key ${id}`);
    },
    (error) => toDamagedKey(id, error),
  );
}

/** What was written was a key, and the checksum says that this is what was written. */
function isKey(value: unknown): value is KeyRecord {
  return typeof value === "object" && value !== null && "hash" in value;
}
