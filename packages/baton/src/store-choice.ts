/**
 * Store choice: where runs are kept: in SQLite in a folder, in Postgres, or in memory.
 *
 * Only the driver that is needed is loaded, on first use.
 */
import { existsSync, statSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BatonError } from "@baton/core";
import type { Environment } from "@baton/models";
import type { Database, Store } from "@baton/store";

/** A folder, unless it is Postgres or memory. */
export interface StoreChoice {
  readonly data: string;
  readonly postgres?: string | undefined;
  readonly store?: "memory" | undefined;
}

const FILE = "baton.db";
const FOLDER = ".baton";
/** The bit of a file mode that lets all users write. */
const OTHERS_WRITE = 0o002;

/** The folder that keeps runs: the one that was named, else `BATON_DATA`, else `.baton`. */
export function dataFolderOf(named: string | undefined, env: Environment): string {
  return named ?? (env["BATON_DATA"] || FOLDER);
}

/** The path of the database in a folder. */
export function databasePathOf(folder: string): string {
  return join(folder, FILE);
}

/** Whether the database exists; Postgres always does. */
export function hasDatabase({ data, postgres }: StoreChoice): boolean {
  return postgres !== undefined || existsSync(databasePathOf(data));
}

/** The chosen place as text for messages. */
export function describeStore({ data, postgres }: StoreChoice): string {
  return postgres === undefined ? data : "Postgres";
}

/** A warning if every user of this machine may change the data folder; undefined if it is safe or does not exist yet. */
export function folderWarningOf({ data, postgres, store }: StoreChoice): string | undefined {
  if (postgres !== undefined || store === "memory" || process.platform === "win32") return undefined;
  const mode = (statSync(data, { throwIfNoEntry: false })?.mode ?? 0) & 0o777;
  if ((mode & OTHERS_WRITE) === 0) return undefined;
  return `the data folder ${data} has mode 0${mode.toString(8)}, so every user of this machine can replace its files: run chmod 700 ${data}`;
}

/** Opens the chosen database, and creates it if there is none; `setting` names the one of Postgres in errors. */
export async function openDatabase(choice: StoreChoice, setting = "`postgres`"): Promise<Database> {
  const { data, postgres, store } = choice;
  if (store === "memory") return (await import("@baton/store/sqlite")).openMemory();
  return postgres === undefined ? openFolder(data) : openAtPostgres(postgres, setting);
}

/** Opens a store on a database; closing the store closes the database. */
export async function openStore(database: Database): Promise<Store> {
  const { Store: Opened } = await import("@baton/store");
  try {
    return await Opened.open({ database });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

async function openFolder(folder: string): Promise<Database> {
  const path = databasePathOf(folder);
  const isNew = !existsSync(path);
  const { openSqlite } = await import("@baton/store/sqlite");
  const database = await openSqlite({ path });
  // Conversations do not belong into version control. If the file exists or cannot be written, runs are kept all the same.
  if (isNew) await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(() => undefined);
  return database;
}

async function openAtPostgres(url: string, setting: string): Promise<Database> {
  const { openPostgres } = await import("@baton/store/postgres");
  try {
    return await openPostgres({ url });
  } catch (error) {
    // The user can fix the URL or the rights of the database user.
    if (!(error instanceof BatonError) || error.code !== "internal") throw error;
    throw new BatonError("invalid", `${error.message}; check the URL in ${setting}, and the rights of its user`, {
      cause: error,
    });
  }
}
