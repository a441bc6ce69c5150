/**
 * Watched crews: reads served crews again when one of their files changes.
 *
 * A crew with errors keeps its last good version and shows what is wrong with the new one. Code (tools.ts, code.ts,
 * assistant.ts) is loaded once by Node: a change of it is told, and needs a restart.
 */
import { type FSWatcher, watch } from "node:fs";
import { dirname, extname, join } from "node:path";
import { type Clock, toMessage } from "@baton/core/ports";
import type { ToolThreads } from "@baton/crewfile";
import { loadCrew } from "../crew/crew-loader.ts";
import type { FoundCrew } from "./served-crews.ts";

/** What it works with. */
export interface WatchOptions {
  readonly crews: readonly FoundCrew[];
  readonly threads: ToolThreads;
  readonly clock: Clock;
  /** Serves these from now on. */
  readonly serve: (crews: readonly FoundCrew[]) => Promise<void>;
  readonly warn: (text: string) => void;
}

/** An editor writes a file in several steps. */
const SETTLE_MS = 120;
const READ: ReadonlySet<string> = new Set([".yaml", ".yml", ".md", ".txt", ".json"]);
const CODE: ReadonlySet<string> = new Set([".ts", ".mts", ".js", ".mjs"]);

/** Watches until it is disposed of. */
export function watchCrews(options: WatchOptions): AsyncDisposable {
  const { clock, warn } = options;
  const changed = new Set<string>();
  let crews = options.crews;
  let timer: { cancel(): void } | undefined;
  let work = Promise.resolve();
  const readAgain = async (): Promise<void> => {
    const paths = new Set(changed);
    changed.clear();
    const read = await Promise.all(crews.map(async (crew) => (paths.has(crew.path) ? reread(crew, options) : crew)));
    await options.serve(read);
    crews = read;
  };
  const settle = (): void => {
    timer?.cancel();
    timer = clock.after(SETTLE_MS, () => {
      work = work.then(readAgain).catch((error: unknown) => warn(`crews were not read again: ${toMessage(error)}`));
    });
  };
  const watchers = crews.flatMap(({ path }) =>
    watchFolder(toFolder(path), warn, (file) => {
      if (CODE.has(extname(file)))
        warn(`${join(toFolder(path), file)} has changed: code is read at the start, so restart`);
      if (!READ.has(extname(file))) return;
      changed.add(path);
      settle();
    }),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      for (const watcher of watchers) watcher.close();
      timer?.cancel();
      await work;
    },
  };
}

/** The crew as its files are now; as it was, with what is wrong, if they have errors. */
async function reread(crew: FoundCrew, { threads }: WatchOptions): Promise<FoundCrew> {
  const file = await loadCrew(crew.path, threads);
  const { crew: read, findings } = file;
  return { ...crew, file: read === undefined ? { ...crew.file, findings } : { ...file, crew: read } };
}

function watchFolder(
  folder: string,
  warn: WatchOptions["warn"],
  changed: (file: string) => void,
): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { recursive: true, persistent: false });
    watcher.on("change", (_kind, name) => changed(String(name)));
    watcher.on("error", (error) => warn(`${folder} is not watched any more: ${toMessage(error)}`));
    return [watcher];
  } catch (error) {
    warn(`${folder} is not watched: ${toMessage(error)}`);
    return [];
  }
}

function toFolder(path: string): string {
  return READ.has(extname(path)) ? dirname(path) : path;
}
