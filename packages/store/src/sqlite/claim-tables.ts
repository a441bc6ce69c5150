/**
 * Claim tables: which processes live, and which runs and sessions they hold.
 *
 * A claim is taken, not asked for: one statement takes it where its owner lives no more.
 */
import type { Claim } from "../database.ts";
import type { Connection } from "./connection.ts";

/** Says that a process lives for so long, and forgets those that do not: a lease that is over is none. */
export function renew(
  connection: Connection,
  owner: string,
  { now, leaseMs }: Readonly<Record<"now" | "leaseMs", number>>,
): void {
  connection.run("DELETE FROM leases WHERE ends_at <= ?", now);
  connection.run(
    "INSERT INTO leases (owner, ends_at) VALUES (?, ?) ON CONFLICT (owner) DO UPDATE SET ends_at = excluded.ends_at",
    owner,
    now + leaseMs,
  );
}

/** Takes a claim, unless a process that lives now holds it. */
export function takeClaim(connection: Connection, { key, owner, number }: Claim, now: number): boolean {
  const taken = connection.run(
    `INSERT INTO claims (key, owner, number) VALUES (?, ?, ?) ON CONFLICT (key)
      DO UPDATE SET owner = excluded.owner, number = excluded.number
      WHERE NOT EXISTS (SELECT 1 FROM leases WHERE leases.owner = claims.owner AND ends_at > ?)`,
    key,
    owner,
    number,
    now,
  );
  return taken > 0;
}

/** Whether any process lives now. */
export function isInUse(connection: Connection, now: number): boolean {
  return connection.get("SELECT 1 FROM leases WHERE ends_at > ?", now) !== undefined;
}

/** Whether no process that lives now holds this. */
export function isFree(connection: Connection, key: string, now: number): boolean {
  const sql = "SELECT 1 FROM claims JOIN leases USING (owner) WHERE key = ? AND ends_at > ?";
  return connection.get(sql, key, now) === undefined;
}

/** Whether nobody has taken a claim since. */
export function isHeld(connection: Connection, { key, owner, number }: Claim): boolean {
  const row = connection.get("SELECT owner, number FROM claims WHERE key = ?", key);
  return row?.["owner"] === owner && row["number"] === number;
}

/** Gives a claim back, if it is still held. */
export function release(connection: Connection, { key, owner, number }: Claim): void {
  connection.run("DELETE FROM claims WHERE key = ? AND owner = ? AND number = ?", key, owner, number);
}

/** Forgets a process and all it held. */
export function leave(connection: Connection, owner: string): void {
  connection.run("DELETE FROM leases WHERE owner = ?", owner);
  connection.run("DELETE FROM claims WHERE owner = ?", owner);
}
