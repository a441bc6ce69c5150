/**
 * Open SQLite: from a path to a store that can be used, or to an error that says what to do.
 *
 * Makes the folder and the file, for their owner's eyes only, and makes the tables; several processes may do so at once.
 */
import { BatonError } from "@baton/core";
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../../database.ts";
import { numberOf, textOf } from "../columns.ts";
import { SqliteConnection } from "../connection.ts";
import { damagedFileError, isBusy, toOpenError } from "../sqlite-error.ts";
import { checkIdentity, checkNotLost } from "./identity-file.ts";
import { FileWatch } from "./file-watch.ts";
import { makeTables } from "../schema/schema.ts";
import { sqliteDatabase } from "../sqlite-database.ts";
import { CommitCounterFile } from "./commit-counter-file.ts";

/** Where the store is, and the clock that leases and windows go by. */
export interface SqliteOptions {
  readonly path: string;
  readonly now?: () => number;
}

/** Time for which an open waits for other processes, and the interval of its tries. */
const OPEN_MS = 3_000;
const OPEN_POLL_MS = 20;

/** Opens the store in a file; creates the file if it does not exist. */
export async function openSqlite({ path, now = Date.now }: SqliteOptions): Promise<Database> {
  try {
    checkNotLost(path);
    makeFolder(dirname(path));
    makeFile(path);
    const connection = await connectInTurn(path);
    try {
      checkIdentity(path, identityOf(connection));
      const commitCounter = CommitCounterFile.open(path, () => countCommits(connection));
      const watch = new FileWatch(() => connection.read(() => connection.get("PRAGMA data_version")?.["data_version"]));
      return sqliteDatabase({ name: "sqlite", connection, watch, commitCounter, now });
    } catch (error) {
      connection.close();
      throw error;
    }
  } catch (error) {
    throw toOpenError(error, path);
  }
}

/** Folder by folder: Node's own recursion never ends if the system denies that an existing parent exists. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  unlessThere(() => mkdirSync(folder, { mode: 0o700 }));
}

/** SQLite would make it for everybody to read. A file that is there is not touched: closing it would lift its locks. */
function makeFile(path: string): void {
  unlessThere(() => closeSync(openSync(path, "wx", 0o600)));
}

/** Another process may make the same. */
function unlessThere(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}

/** A connection, when other processes let it: to begin a WAL, SQLite does not always wait for them by itself. */
async function connectInTurn(path: string): Promise<SqliteConnection> {
  const giveUpAt = performance.now() + OPEN_MS;
  for (;;) {
    try {
      return connect(path);
    } catch (error) {
      if (!isBusy(error) || performance.now() > giveUpAt) throw error;
      await sleep(OPEN_POLL_MS);
    }
  }
}

/** A connection to a file with tables. */
export function connect(path: string): SqliteConnection {
  const connection = new SqliteConnection(path);
  try {
    const mode = connection.get("PRAGMA journal_mode=WAL")?.["journal_mode"];
    if (mode !== "wal")
      throw new BatonError(
        "invalid",
        `the store ${path} cannot have a write-ahead log there: choose a path on a local disk`,
      );
    // A longer WAL is written back less often, and pages that changed many times only once.
    connection.execute("PRAGMA synchronous=FULL; PRAGMA cell_size_check=ON; PRAGMA wal_autocheckpoint=5000");
    makeTables(connection);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

function identityOf(connection: SqliteConnection): string {
  const row = connection.get("SELECT id FROM identity");
  if (row === undefined) throw damagedFileError(connection.path, "it has no id");
  return textOf(row, "id");
}

function countCommits(connection: SqliteConnection): number {
  const row = connection.get("SELECT count FROM commits");
  if (row === undefined) throw damagedFileError(connection.path, "it does not say how many commits it has seen");
  return numberOf(row, "count");
}
