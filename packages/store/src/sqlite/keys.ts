/**
 * Keys: API keys, as their hashes; and definitions of crews.
 */
import type { Definitions, Keys } from "../database.ts";
import type { KeyRecord } from "../record.ts";
import { toListedKey } from "../stored-record.ts";
import { textOf } from "./columns.ts";
import type { Connection, Row } from "./connection.ts";

/** The keys of a database. */
export function keysIn(connection: Connection): Keys {
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
export function definitionsIn(connection: Connection): Definitions {
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

function save(connection: Connection, key: KeyRecord): void {
  const sql = `INSERT INTO keys (id, created_at, body) VALUES (?, ?, ?)
    ON CONFLICT (id) DO UPDATE SET body = excluded.body`;
  connection.run(sql, key.id, key.createdAt, JSON.stringify(key));
}

function toKey(row: Row): KeyRecord {
  return toListedKey(textOf(row, "id"), row["body"]);
}
