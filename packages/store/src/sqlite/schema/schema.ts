/**
 * Schema: makes the tables of a new store, and upgrades those of an older Baton.
 *
 * That happens at open under a lock: if several processes start together, one of them does it.
 */
import { BatonError } from "@baton/core";
import type { SqliteConnection } from "../connection.ts";
import { damagedFileError } from "../sqlite-error.ts";
import { numberOf } from "../columns.ts";
import { MIGRATIONS } from "./migrations.ts";
import { SCHEMA } from "./tables.ts";

/** Marks the file as Baton's: "Batn". */
const APPLICATION = 0x4261_746e;

const VERSION = MIGRATIONS.length + 1;

/** Brings the tables up to date; refuses those of a newer Baton, of another program, and those that others still use. */
export function migrateSqlite(connection: SqliteConnection, now: number): void {
  // The lock is needed only if there is something to do.
  if (versionOf(connection) === VERSION) return;
  checkSearch(connection);
  connection.write(() => {
    const version = versionOf(connection);
    if (version === 0) connection.execute(SCHEMA);
    else if (version < VERSION) upgrade(connection, version, now);
    connection.execute(`PRAGMA application_id=${APPLICATION}; PRAGMA user_version=${VERSION}`);
  });
}

function upgrade(connection: SqliteConnection, version: number, now: number): void {
  checkUnused(connection, now);
  for (const { sql, change } of MIGRATIONS.slice(version - 1)) {
    connection.execute(sql);
    change?.(connection);
  }
}

/** The SQLite of Node has it since 22.16; a system may have built Node with another SQLite. */
function checkSearch(connection: SqliteConnection): void {
  if (connection.get("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'") !== undefined) return;
  throw new BatonError(
    "invalid",
    `the store ${connection.path} cannot be opened: the SQLite of this Node has no full-text search (FTS5); ` +
      "use Node 22.18 or newer from nodejs.org",
  );
}

/** A process of an older Baton would not understand the new tables. */
function checkUnused(connection: SqliteConnection, now: number): void {
  if (connection.get("SELECT 1 FROM leases WHERE ends_at > ?", now) === undefined) return;
  throw new BatonError(
    "busy",
    `the store ${connection.path} is in use by an older Baton and must be brought up to date: stop the older one first`,
    { retryable: true },
  );
}

function versionOf(connection: SqliteConnection): number {
  const state = connection.get(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
      (SELECT application_id FROM pragma_application_id) AS application,
      (SELECT count(*) FROM sqlite_schema) AS tables`,
  );
  const version = state === undefined ? 0 : numberOf(state, "version");
  const isEmpty = version === 0 && state?.["tables"] === 0;
  if (!isEmpty && (state?.["application"] !== APPLICATION || version < 1))
    throw damagedFileError(connection.path, "its tables are not Baton's");
  if (version <= VERSION) return version;
  throw new BatonError(
    "invalid",
    `the store ${connection.path} was written by a newer Baton (schema ${version}, this one knows up to ` +
      `${VERSION}): install that version, or choose another path`,
  );
}
