/**
 * Place: where runs are kept, opened as often as it is needed.
 *
 * A program and the server that it starts each have a store of their own on the same data, as two processes would.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Database, MemoryDatabase, Store } from "@baton/store";
import type { BatonOptions } from "./options.ts";

/** Opens a store on the data that is meant. */
export type OpenStore = () => Promise<Store>;

const FILE = "baton.db";
const FOLDER = ".baton";

/** Where the options say that runs are kept. */
export function toPlace({ data, postgres, store, env = process.env }: BatonOptions): OpenStore {
  if (store === "memory") {
    const shared = new MemoryDatabase();
    return () => Store.open({ database: shared });
  }
  if (postgres !== undefined) return () => openStore(() => openAtPostgres(postgres));
  const folder = data ?? (env["BATON_DATA"] || FOLDER);
  return () => openStore(() => openFolder(folder));
}

async function openStore(open: () => Promise<Database>): Promise<Store> {
  const database = await open();
  try {
    return await Store.open({ database });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

async function openAtPostgres(url: string): Promise<Database> {
  const { openPostgres } = await import("@baton/store/postgres");
  return openPostgres({ url });
}

async function openFolder(folder: string): Promise<Database> {
  const path = join(folder, FILE);
  const isNew = !existsSync(path);
  const { openSqlite } = await import("@baton/store/sqlite");
  const database = await openSqlite({ path });
  // What people said to a crew is not source code. A file that is there already stays as it is.
  if (isNew) await writeFile(join(folder, ".gitignore"), "*\n", { flag: "wx" }).catch(() => undefined);
  return database;
}
