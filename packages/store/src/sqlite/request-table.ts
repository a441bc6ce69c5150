/**
 * Request table: the requests that are to be carried out once, each as JSON.
 *
 * With each that is written a few are removed that nobody keeps any longer, so none stays for long and no write is
 * slow.
 */
import type { RequestRecord } from "../database.ts";
import type { Connection } from "./connection.ts";
import { bodyOf, changed, checksumOf, SEALED } from "./sealed.ts";

const REMOVED_AT_ONCE = 16;

/** Writes a request, in the place of what it was before. */
export function saveRequest(connection: Connection, record: RequestRecord, now: number): void {
  const { key, begun, keptUntil } = record;
  const body = JSON.stringify(record);
  connection.run(
    `INSERT INTO requests (key, run, kept_until, checksum, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (key) DO UPDATE SET
      run = excluded.run, kept_until = excluded.kept_until, checksum = excluded.checksum, body = excluded.body`,
    key,
    begun?.run ?? null,
    keptUntil,
    checksumOf(key, body),
    body,
  );
  connection.run(
    "DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests WHERE kept_until <= ? ORDER BY kept_until LIMIT ?)",
    now,
    REMOVED_AT_ONCE,
  );
}

/** Removes what is known of a run's requests: their answers tell of it. */
export function deleteRequests(connection: Connection, run: string): void {
  connection.run("DELETE FROM requests WHERE run = ?", run);
}

/** The request under a key, while it is kept. */
export function findRequest(connection: Connection, key: string, now: number): RequestRecord | undefined {
  const row = connection.get(`SELECT ${SEALED} FROM requests WHERE key = ? AND kept_until > ?`, key, now);
  if (row === undefined) return undefined;
  const record: unknown = JSON.parse(bodyOf(key, row));
  if (isRequest(record)) return record;
  throw changed(key);
}

/** What was written was a request, and the checksum says that this is what was written. */
function isRequest(value: unknown): value is RequestRecord {
  return typeof value === "object" && value !== null && "fingerprint" in value && "keptUntil" in value;
}
