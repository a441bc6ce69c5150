/**
 * Data folder: the folder that stores runs: `--data`, `BATON_DATA`, or `.baton`.
 *
 * The store's code is loaded on first use. Reading does not create the folder.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BatonError } from "@baton/core";
import { toBatonError } from "@baton/core/util";
import type { Database, Store } from "@baton/store";
import { type CommandLine, valueOf } from "../command-line.ts";
import { toOneLine } from "../terminal/printable.ts";

const FILE = "baton.db";
const DEFAULT = ".baton";
const WATCH_MS = 500;

/** The data folder of a command. */
export function dataFolderOf(commandLine: CommandLine): string {
  return valueOf(commandLine, "data") ?? (process.env["BATON_DATA"] || DEFAULT);
}

/** Opens the database of a folder to read it; throws if there is none. */
export async function requireDatabase(folder: string): Promise<Database> {
  if (!hasStore(folder)) {
    const hint = "start one with `baton run`, or name another folder with --data DIR";
    throw new BatonError("not_found", `there are no runs in ${folder}; ${hint}`);
  }
  const { openSqlite } = await import("@baton/store/sqlite");
  return openSqlite({ path: join(folder, FILE) });
}

/** Opens the store of a folder to resume its runs; throws if there is none. */
export async function requireStore(folder: string): Promise<Store> {
  return toStore(await requireDatabase(folder));
}

/** Whether the folder has a database. */
export function hasStore(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/** Opens the store of a folder. If that fails, prints a warning and uses memory instead. */
export async function openStoreOrMemory(folder: string): Promise<Store> {
  try {
    return await toStore(await openFolder(folder));
  } catch (error) {
    const { message } = toBatonError(error, "invalid");
    const next = "name another folder with --data DIR";
    process.stderr.write(`baton: this run is not stored: ${toOneLine(message)}; ${next}\n`);
    const { openMemory } = await import("@baton/store/sqlite");
    return toStore(openMemory());
  }
}

/** Opens the database of a folder, and creates it if there is none. */
export async function openFolder(folder: string): Promise<Database> {
  const isNew = !hasStore(folder);
  const { openSqlite } = await import("@baton/store/sqlite");
  const database = await openSqlite({ path: join(folder, FILE) });
  if (isNew) await hideFromGit(folder);
  return database;
}

/** Conversations do not belong into version control. */
async function hideFromGit(folder: string): Promise<void> {
  // If the file exists or cannot be written, the command still works.
  await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(() => undefined);
}

/** Opens a store on a database; closing the store closes the database. */
export async function toStore(database: Database): Promise<Store> {
  const { Store: Opened } = await import("@baton/store");
  try {
    return await Opened.open({ database });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Warns once when the store cannot write, for example because the disk is full. The store itself retries. */
export function watchStore(store: Store, flush: () => void): Disposable {
  let hasWarned = false;
  const timer = setInterval(() => {
    const { problem } = store;
    if (problem !== undefined && !hasWarned) {
      flush();
      const next = "the run waits and continues when that is fixed; press Ctrl-C twice to end it";
      process.stderr.write(`baton: the run cannot be stored: ${toOneLine(problem.message)}; ${next}\n`);
    }
    hasWarned = problem !== undefined;
  }, WATCH_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
