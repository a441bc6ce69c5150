/**
 * Schema: makes the tables of a new store, upgrades those of the version before, and refuses others.
 *
 * That happens at open under a lock: if several processes start together, one of them does it.
 */
import { BatonError } from "@baton/core";
import type { SqliteConnection } from "../connection.ts";
import { damagedFileError } from "../sqlite-error.ts";
import { numberOf } from "../columns.ts";
import { SCHEMA } from "./tables.ts";

/** Marks the file as Baton's: "Batn". */
const APPLICATION = 0x4261_746e;

/** Earlier ones than the one before were never released. */
const VERSION = 11;
/** Removes triggers that the version before had. */
const UPGRADE = "DROP TRIGGER IF EXISTS run_texts_added; DROP TRIGGER IF EXISTS run_texts_changed;";

/** Makes the tables of a new file; refuses those of another Baton or program. */
export function makeTables(connection: SqliteConnection): void {
  // The lock is needed only if there is something to do.
  if (versionOf(connection) === VERSION) return;
  checkSearch(connection);
  connection.transact(() => {
    const version = versionOf(connection);
    if (version === VERSION) return;
    connection.execute(version === 0 ? SCHEMA : UPGRADE);
    connection.execute(`PRAGMA application_id=${APPLICATION}; PRAGMA user_version=${VERSION}`);
  });
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
  if (version === 0 || version === VERSION - 1 || version === VERSION) return version;
  throw new BatonError(
    "invalid",
    `the store ${connection.path} was written by ${toOther(version)}, or choose another path`,
  );
}

/** Names the Baton that wrote tables of another version, and says what to do. */
function toOther(version: number): string {
  const schema = `(schema ${version}, this one has ${VERSION})`;
  return version > VERSION
    ? `a newer Baton ${schema}: install that version`
    : `a Baton from before the first release ${schema}: export its runs with that one`;
}
