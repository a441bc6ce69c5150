/**
 * Requests: those that are carried out once, each as JSON.
 *
 * Each write removes a few expired ones, so none stays for long and no write is slow.
 */
import type { Requests } from "../database.ts";
import type { RequestRecord } from "../record.ts";
import { toRequest } from "../stored-record.ts";
import type { Connection } from "./connection.ts";

const REMOVED_AT_ONCE = 16;

/** The requests of a database. */
export function requestsIn(connection: Connection, now: () => number): Requests {
  return {
    find: async (key) => {
      const sql = "SELECT body FROM requests WHERE key = ? AND kept_until > ?";
      const row = connection.read(() => connection.get(sql, key, now()));
      return row && toRequest(key, row["body"]);
    },
  };
}

/** Writes a request in place of the one with its key. */
export function saveRequest(connection: Connection, record: RequestRecord, now: number): void {
  const { key, begun, keptUntil } = record;
  connection.run(
    `INSERT INTO requests (key, run, kept_until, body) VALUES (?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
      run = excluded.run, kept_until = excluded.kept_until, body = excluded.body`,
    key,
    begun?.run ?? null,
    keptUntil,
    JSON.stringify(record),
  );
  connection.run(
    "DELETE FROM requests WHERE rowid IN (SELECT rowid FROM requests WHERE kept_until <= ? ORDER BY kept_until LIMIT ?)",
    now,
    REMOVED_AT_ONCE,
  );
}
