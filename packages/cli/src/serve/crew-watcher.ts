/**
 * Crew watcher: reloads served crews when their files change.
 *
 * If the new version has errors, the old one stays in use, with the findings of the new one. Node loads code (tools.ts,
 * code.ts, assistant.ts) only once: a change prints a warning that a restart is needed.
 */
import { type FSWatcher, watch } from "node:fs";
import { dirname, extname, join } from "node:path";
import type { Clock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import type { ToolThreads } from "@baton/durable/threads";
import { loadCrew } from "../crew/crew-loader.ts";
import { type FoundCrew, toFoundCrew, withScript } from "./served-crews.ts";

/** The crews to watch, and the functions to call. */
export interface CrewWatchOptions {
  readonly crews: readonly FoundCrew[];
  readonly threads: ToolThreads;
  readonly clock: Clock;
  /** A script that replaces the crew's own. */
  readonly script: string | undefined;
  /** Replaces the served crews. */
  readonly serve: (crews: readonly FoundCrew[]) => Promise<void>;
  readonly warn: (text: string) => void;
}

/** An editor writes a file in several steps. */
const SETTLE_MS = 120;
const READ: ReadonlySet<string> = new Set([".yaml", ".yml", ".md", ".txt", ".json"]);
const CODE: ReadonlySet<string> = new Set([".ts", ".mts", ".js", ".mjs"]);

/** Watches until it is disposed. */
export function watchCrews(options: CrewWatchOptions): AsyncDisposable {
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
      work = work
        .then(readAgain)
        .catch((error: unknown) => warn(`the crews could not be reloaded: ${toMessage(error)}`));
    });
  };
  const watchers = crews.flatMap(({ path }) =>
    watchFolder(toFolder(path), warn, (file) => {
      if (CODE.has(extname(file)))
        warn(`${join(toFolder(path), file)} has changed; restart the server to load the new code`);
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

/** The new version of a crew; if it has errors, the old version with the new findings. */
async function reread(crew: FoundCrew, { threads, script }: CrewWatchOptions): Promise<FoundCrew> {
  const file = await loadCrew(crew.path, threads);
  const { crew: read, findings } = file;
  if (read === undefined) return { ...crew, served: { ...crew.served, findings: [...findings] } };
  return toFoundCrew(crew, await withScript({ ...file, crew: read }, script));
}

function watchFolder(
  folder: string,
  warn: CrewWatchOptions["warn"],
  changed: (file: string) => void,
): readonly FSWatcher[] {
  try {
    const watcher = watch(folder, { recursive: true, persistent: false });
    watcher.on("change", (_kind, name) => changed(String(name)));
    watcher.on("error", (error) => warn(`stopped watching ${folder}: ${toMessage(error)}`));
    return [watcher];
  } catch (error) {
    warn(`cannot watch ${folder}: ${toMessage(error)}`);
    return [];
  }
}

function toFolder(path: string): string {
  return READ.has(extname(path)) ? dirname(path) : path;
}
