/**
 * Claims: which processes are alive, and which runs, sessions and requests they own.
 */
import type { Claims } from "../database.ts";
import type { Claim } from "../record.ts";
import type { SqliteConnection } from "./connection.ts";

const TAKE = `INSERT INTO claims (key, owner, number) VALUES (?, ?, ?) ON CONFLICT (key)
  DO UPDATE SET owner = excluded.owner, number = excluded.number`;

/** The claims of a database. They survive the process, but a power failure may take back the last ones. */
export function sqliteClaims(connection: SqliteConnection, now: () => number): Claims {
  return {
    renew: async (owner, leaseMs) =>
      connection.writeLightly(() => {
        connection.run("DELETE FROM leases WHERE ends_at <= ?", now());
        const sql = `INSERT INTO leases (owner, ends_at) VALUES (?, ?)
          ON CONFLICT (owner) DO UPDATE SET ends_at = excluded.ends_at`;
        connection.run(sql, owner, now() + leaseMs);
      }),
    take: async (claim) => connection.writeLightly(() => takeClaim(connection, claim, now())),
    takeOver: async ({ key, owner, number }) =>
      connection.writeLightly(() => {
        connection.run(TAKE, key, owner, number);
      }),
    release: async (claim) => connection.writeLightly(() => releaseClaim(connection, claim)),
    leave: async (owner) =>
      connection.writeLightly(() => {
        connection.run("DELETE FROM leases WHERE owner = ?", owner);
        connection.run("DELETE FROM claims WHERE owner = ?", owner);
      }),
    isInUse: async () =>
      connection.readShared(() => connection.get("SELECT 1 FROM leases WHERE ends_at > ?", now()) !== undefined),
  };
}

/** Takes a claim, unless a process that is alive owns it. */
export function takeClaim(connection: SqliteConnection, { key, owner, number }: Claim, now: number): boolean {
  const sql = `${TAKE} WHERE NOT EXISTS (SELECT 1 FROM leases WHERE leases.owner = claims.owner AND ends_at > ?)`;
  return connection.run(sql, key, owner, number, now) > 0;
}

/** Whether no process that is alive owns this. */
export function isFree(connection: SqliteConnection, key: string, now: number): boolean {
  const sql = "SELECT 1 FROM claims JOIN leases USING (owner) WHERE key = ? AND ends_at > ?";
  return connection.get(sql, key, now) === undefined;
}

/** Whether no process has taken a claim since. */
export function isHeld(connection: SqliteConnection, { key, owner, number }: Claim): boolean {
  const row = connection.get("SELECT owner, number FROM claims WHERE key = ?", key);
  return row?.["owner"] === owner && row["number"] === number;
}

/** Releases a claim, if it was not lost. */
export function releaseClaim(connection: SqliteConnection, { key, owner, number }: Claim): void {
  connection.run("DELETE FROM claims WHERE key = ? AND owner = ? AND number = ?", key, owner, number);
}
