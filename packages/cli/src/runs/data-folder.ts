/**
 * Data folder: where runs are kept from one command to the next; `.baton`, or what `--data` or `BATON_DATA` names.
 *
 * The store is loaded when it is opened, and a folder is made only to write to it.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BatonError } from "@baton/core";
import { toBatonError } from "@baton/core/ports";
import type { Database, Store } from "@baton/store";
import { type Invocation, valueOf } from "../command-line.ts";
import { toOneLine } from "../terminal/printable.ts";

const FILE = "baton.db";
const DEFAULT = ".baton";
const WATCH_MS = 500;

/** The folder that is meant. */
export function dataFolderOf(invocation: Invocation): string {
  return valueOf(invocation, "data") ?? (process.env["BATON_DATA"] || DEFAULT);
}

/** Opens what is kept in a folder, to look at it; throws where there is nothing. */
export async function requireDatabase(folder: string): Promise<Database> {
  if (!hasStore(folder)) {
    const hint = "`baton run` keeps them, --data DIR looks elsewhere";
    throw new BatonError("not_found", `no runs are kept in ${folder}; ${hint}`);
  }
  const { openSqlite } = await import("@baton/store/sqlite");
  return openSqlite({ path: join(folder, FILE) });
}

/** Opens what is kept in a folder, to go on with it; throws where there is nothing. */
export async function requireStore(folder: string): Promise<Store> {
  return toStore(await requireDatabase(folder));
}

/** Whether anything was ever kept there. */
export function hasStore(folder: string): boolean {
  return existsSync(join(folder, FILE));
}

/** Opens the store of a folder; where that cannot be, says so, and what happens is kept in memory only. */
export async function openAnyStore(folder: string): Promise<Store> {
  try {
    return await toStore(await openFolder(folder));
  } catch (error) {
    const { message } = toBatonError(error, "invalid");
    process.stderr.write(`baton: nothing of this is kept: ${toOneLine(message)}; --data DIR names another folder\n`);
    const { MemoryDatabase } = await import("@baton/store");
    return toStore(new MemoryDatabase());
  }
}

/** Opens what is kept in a folder, and makes it where there is nothing yet. */
export async function openFolder(folder: string): Promise<Database> {
  const isNew = !hasStore(folder);
  const { openSqlite } = await import("@baton/store/sqlite");
  const database = await openSqlite({ path: join(folder, FILE) });
  if (isNew) await hideFromGit(folder);
  return database;
}

/** What people said to a crew is nobody's source code. */
async function hideFromGit(folder: string): Promise<void> {
  // A file that is there already, or no room for one, is no reason not to run.
  await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(() => undefined);
}

/** Says that this process uses a database; it is closed with the store. */
export async function toStore(database: Database): Promise<Store> {
  const { Store: Opened } = await import("@baton/store");
  try {
    return await Opened.open({ database });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

/** Says once that nothing can be written now, as when the disk is full; what waits for that goes on by itself. */
export function watchStore(store: Store, settle: () => void): Disposable {
  let isTold = false;
  const timer = setInterval(() => {
    const { problem } = store;
    if (problem !== undefined && !isTold) {
      settle();
      process.stderr.write(
        `baton: the run cannot be kept now: ${toOneLine(problem.message)}; it goes on when that is put right, Ctrl-C twice ends it\n`,
      );
    }
    isTold = problem !== undefined;
  }, WATCH_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
