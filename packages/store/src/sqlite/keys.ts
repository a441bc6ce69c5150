/**
 * Keys: API keys, as their hashes; definitions of crews; and requests of clients.
 */
import type { Definitions, Keys, Requests } from "../database.ts";
import type { KeyRecord, RequestRecord } from "../record.ts";
import { toListedKey, toRequest } from "../stored-record.ts";
import { textOf } from "./columns.ts";
import type { SqliteConnection, SqliteRow } from "./connection.ts";

/** Expired requests that are removed with a write. */
const REMOVED_AT_ONCE = 16;

/** The keys of a database. */
export function sqliteKeys(connection: SqliteConnection): Keys {
  return {
    add: async (key) => connection.write(() => save(connection, key)),
    list: async () =>
      connection.readShared(() => connection.all("SELECT id, body FROM keys ORDER BY created_at, id").map(toKey)),
    /** Of a damaged key only the revocation is stored. */
    revoke: async (id, at) =>
      connection.write(() => {
        const row = connection.get("SELECT id, body FROM keys WHERE id = ?", id);
        if (row === undefined) return false;
        const { error, ...key } = toKey(row);
        if (error === undefined && key.revokedAt !== undefined) return false;
        save(connection, { ...key, revokedAt: at });
        return true;
      }),
    deleteAll: async () => connection.write(() => connection.run("DELETE FROM keys")),
  };
}

/** The definitions of a database. */
export function sqliteDefinitions(connection: SqliteConnection): Definitions {
  return {
    save: async (hash, body) =>
      connection.write(() => {
        connection.run("INSERT OR IGNORE INTO definitions (hash, body) VALUES (?, ?)", hash, body);
      }),
    find: async (hash) => {
      const row = connection.read(() => connection.get("SELECT body FROM definitions WHERE hash = ?", hash));
      return row && textOf(row, "body");
    },
  };
}

/** The requests of a database that are carried out once. */
export function sqliteRequests(connection: SqliteConnection, now: () => number): Requests {
  return {
    find: async (key) => {
      const sql = "SELECT body FROM requests WHERE key = ? AND kept_until > ?";
      const row = connection.read(() => connection.get(sql, key, now()));
      return row && toRequest(key, row["body"]);
    },
  };
}

/** Writes a request in place of the one with its key; removes a few that have expired, so no write is slow. */
export function saveRequest(connection: SqliteConnection, record: RequestRecord, now: number): void {
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

function save(connection: SqliteConnection, key: KeyRecord): void {
  const sql = `INSERT INTO keys (id, created_at, body) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET body = excluded.body`;
  connection.run(sql, key.id, key.createdAt, JSON.stringify(key));
}

function toKey(row: SqliteRow): KeyRecord {
  return toListedKey(textOf(row, "id"), row["body"]);
}
