/**
 * Data folder: the folder that stores the runs of a command: `--data`, `BATON_DATA`, or `.baton`.
 *
 * The store's code is loaded on first use. Reading does not create the folder.
 */
import { dataFolderOf, hasDatabase, openDatabase, openStore } from "@baton/baton/store";
import { BatonError } from "@baton/core";
import { toBatonError } from "@baton/core/util";
import type { Database, Store } from "@baton/store";
import { type CommandLine, valueOf } from "../command-line.ts";
import { toOneLine } from "../terminal/printable.ts";

const WATCH_MS = 500;

/** The data folder that a command line names. */
export function folderOf(commandLine: CommandLine): string {
  return dataFolderOf(valueOf(commandLine, "data"), process.env);
}

/** Opens the database of a folder to read it; throws if there is none. */
export async function requireDatabase(folder: string): Promise<Database> {
  if (hasDatabase({ data: folder })) return openDatabase({ data: folder });
  const hint = "start one with `baton run`, or name another folder with --data DIR";
  throw new BatonError("not_found", `there are no runs in ${folder}; ${hint}`);
}

/** Opens the store of a folder to resume its runs; throws if there is none. */
export async function requireStore(folder: string): Promise<Store> {
  return openStore(await requireDatabase(folder));
}

/** Opens the store of a folder. If that fails, prints a warning and uses memory instead. */
export async function openStoreOrMemory(folder: string): Promise<Store> {
  try {
    return await openStore(await openDatabase({ data: folder }));
  } catch (error) {
    const { message } = toBatonError(error, "invalid");
    const next = "name another folder with --data DIR";
    process.stderr.write(`baton: this run is not stored: ${toOneLine(message)}; ${next}\n`);
    return openStore(await openDatabase({ data: folder, store: "memory" }));
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
