/**
 * Place: where the options say that runs are kept.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Database, Store } from "@baton/store";
import type { BatonOptions } from "./options.ts";

const FILE = "baton.db";
const FOLDER = ".baton";

/** Opens the store that the options ask for. */
export async function openPlace(options: BatonOptions): Promise<Store> {
  const database = await openDatabase(options);
  try {
    return await Store.open({ database });
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}

async function openDatabase({ data, postgres, store, env = process.env }: BatonOptions): Promise<Database> {
  if (store === "memory") return openInMemory();
  if (postgres !== undefined) return openAtPostgres(postgres);
  return openFolder(data ?? (env["BATON_DATA"] || FOLDER));
}

async function openInMemory(): Promise<Database> {
  const { openMemory } = await import("@baton/store/sqlite");
  return openMemory();
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
