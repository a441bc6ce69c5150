/**
 * Crew watcher: reloads served crews when their files change, their code included.
 *
 * If the new version has errors, the old one stays in use, with the findings of the new one. An assistant.ts is loaded only
 * once: a change of it prints a warning that a restart is needed.
 */
import { basename, dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Clock } from "@baton/core/ports";
import { toMessage } from "@baton/core/util";
import { type FileFinding, isCrewCode } from "@baton/crewfile";
import type { SandboxChoice } from "@baton/baton/crews";
import type { ToolThreads } from "@baton/durable/threads";
import { CodeVersions, type OpenVersion, split } from "../crew/code-versions.ts";
import { loadCrews, requireRunnable } from "../crew/crew-loader.ts";
import { LiveCode } from "../crew/live-code.ts";
import { FolderWatcher } from "./folder-watcher.ts";
import { checkApart, type CrewReader, type FoundCrew, type RunnableFile, toFoundCrews } from "./served-crews.ts";

/** The crews to watch, and the functions to call. */
export interface CrewWatchOptions {
  readonly crews: readonly FoundCrew[];
  readonly clock: Clock;
  /** A script that replaces the crew's own. */
  readonly script: string | undefined;
  /** Replaces the served crews. */
  readonly serve: (crews: readonly FoundCrew[]) => Promise<void>;
}

/** The code of the crews at one path. */
interface WatchedCode {
  readonly live: LiveCode;
  /** The version in use. */
  version: OpenVersion;
  /** The version that was read last, if it had errors. */
  broken?: OpenVersion | undefined;
  /** Folders of the files that were read, those of sub-crews included. */
  folders: readonly string[];
  /** Errors that were told: the log may be a file that is watched. */
  told: string;
}

/** An editor writes a file in several steps. */
const SETTLE_MS = 120;
const READ: ReadonlySet<string> = new Set([".yaml", ".yml", ".md", ".txt", ".json"]);
const CODE: ReadonlySet<string> = new Set([".ts", ".mts", ".cts", ".js", ".mjs", ".cjs"]);
/** Files that belong to a crew's code as soon as they are there. */
const ENTRIES = /^(tools|code)\.ts$/;
const ASSISTANT = "assistant.ts";

/** Watches crews from before they are first read. */
export class CrewWatcher implements CrewReader {
  readonly threads: ToolThreads;
  readonly sandbox: SandboxChoice;
  readonly #warn: (text: string) => void;
  readonly #versions = new CodeVersions();
  readonly #code = new Map<string, WatchedCode>();
  /** Old versions that are being shut down. */
  readonly #ending = new Set<Promise<void>>();

  constructor({ threads, sandbox = {} }: Pick<CrewReader, "threads" | "sandbox">, warn: (text: string) => void) {
    this.threads = threads;
    this.sandbox = sandbox;
    this.#warn = warn;
  }

  codeOf(path: string): OpenVersion {
    return this.#at(path).version;
  }

  async adopt(path: string, crews: readonly RunnableFile[]): Promise<readonly RunnableFile[]> {
    const { live, version } = this.#at(path);
    this.#at(path).folders = foldersOf(path, crews);
    await live.use(version.version.id, crews);
    return toLive(live, crews);
  }

  /** Reloads crews until it is disposed. */
  watch(options: CrewWatchOptions): AsyncDisposable {
    const { clock } = options;
    const changed = new Map<string, Set<string>>();
    let crews = options.crews;
    let timer: { cancel(): void } | undefined;
    let work = Promise.resolve();
    let isClosed = false;
    const readAgain = async (): Promise<void> => {
      const paths = new Map(changed);
      changed.clear();
      for (const [from, files] of paths) {
        crews = await this.#reread(from, files, { ...options, crews });
        watchAll(from);
      }
    };
    const settle = (): void => {
      timer?.cancel();
      timer = clock.after(SETTLE_MS, () => {
        work = work
          .then(readAgain)
          .catch((error: unknown) => this.#warn(`the crews could not be reloaded: ${toMessage(error)}`));
      });
    };
    const changedFile = (from: string, file: string): void => {
      if (basename(file) === ASSISTANT) this.#warn(`${file} has changed; restart the server to load it`);
      if (!READ.has(extname(file)) && !this.#isCode(from, resolve(file))) return;
      changed.set(from, (changed.get(from) ?? new Set()).add(resolve(file)));
      settle();
    };
    const watchers = new Map<string, ReadonlyMap<string, FolderWatcher>>();
    const watchAll = (from: string): void => {
      const old = watchers.get(from) ?? new Map<string, FolderWatcher>();
      const open = (folder: string): FolderWatcher =>
        new FolderWatcher(folder, { changed: (name) => changedFile(from, join(folder, name)), warn: this.#warn });
      const folders = isClosed ? [] : this.#at(from).folders;
      watchers.set(from, new Map(folders.map((folder) => [folder, old.get(folder) ?? open(folder)])));
      for (const [folder, watcher] of old) if (!folders.includes(folder)) watcher[Symbol.dispose]();
    };
    for (const from of new Set(crews.map((crew) => crew.from))) watchAll(from);
    return {
      [Symbol.asyncDispose]: async () => {
        isClosed = true;
        for (const from of watchers.keys()) watchAll(from);
        timer?.cancel();
        await work;
        await Promise.all(this.#ending);
      },
    };
  }

  #at(path: string): WatchedCode {
    const known = this.#code.get(path) ?? {
      live: new LiveCode(this.#warn),
      version: this.#versions.next(),
      folders: [toFolder(path)],
      told: "",
    };
    this.#code.set(path, known);
    return known;
  }

  /** Whether a file is code that the crew uses, or could not use. */
  #isCode(from: string, file: string): boolean {
    const { version, broken } = this.#at(from);
    if (!CODE.has(extname(file)) || basename(file) === ASSISTANT) return false;
    const isEntry = ENTRIES.test(basename(file)) && !isCrewCode(from);
    return isEntry || broken !== undefined || hasModule(version, file);
  }

  /** Logs errors, unless they are those that were logged last. */
  #tell(code: WatchedCode, findings: readonly FileFinding[]): void {
    const errors = findings.filter(({ severity }) => severity === "error");
    const lines = errors.map(({ file, line, column, message, fix }) => `${file}:${line}:${column} ${message}; ${fix}`);
    const text = lines.join("\n");
    if (text === code.told) return;
    code.told = text;
    for (const line of lines) this.#warn(`${line} (the last version without errors stays in use)`);
  }

  /** The crews with those of a path read again; if that has errors, with the old ones and the new findings. */
  async #reread(
    from: string,
    files: ReadonlySet<string>,
    { crews, serve, script }: CrewWatchOptions,
  ): Promise<readonly FoundCrew[]> {
    const code = this.#at(from);
    const isCodeChanged = [...files].some((file) => this.#isCode(from, file));
    const next = isCodeChanged ? this.#versions.next() : (code.broken ?? code.version);
    const loaded = await loadCrews(from, this.threads, { ...next, ...this.sandbox });
    const broken = loaded.filter(({ file }) => file.crew === undefined);
    const own = crews.filter((crew) => crew.from === from);
    const [first] = own;
    if (broken.length > 0 || first === undefined) {
      if (next !== code.version) code.broken = next;
      const findings = broken.flatMap(({ file }) => file.findings);
      this.#tell(code, findings);
      return replace(
        from,
        own.map((crew) => ({ ...crew, served: { ...crew.served, findings } })),
        { crews, serve },
      );
    }
    const read = loaded.map(requireRunnable);
    code.folders = foldersOf(from, read);
    const found = await toFoundCrews(first, loaded, { served: toLive(code.live, read), script });
    checkApart([...crews.filter((crew) => crew.from !== from), ...found]);
    const served = await replace(from, found, { crews, serve });
    code.version = next;
    code.broken = undefined;
    code.told = "";
    const ending = code.live.use(next.version.id, read);
    this.#ending.add(ending);
    ending.then(
      () => this.#ending.delete(ending),
      () => this.#ending.delete(ending),
    );
    return served;
  }
}

/** Serves the crews with those of one path replaced. */
async function replace(
  from: string,
  own: readonly FoundCrew[],
  { crews, serve }: Pick<CrewWatchOptions, "crews" | "serve">,
): Promise<readonly FoundCrew[]> {
  const at = crews.findIndex((crew) => crew.from === from);
  const others = crews.filter((crew) => crew.from !== from);
  const all = at === -1 ? crews : others.toSpliced(at, 0, ...own);
  await serve(all);
  return all;
}

function toLive(live: LiveCode, crews: readonly RunnableFile[]): readonly RunnableFile[] {
  return crews.map((file) => ({ ...file, crew: live.toLive(file.crew), onShutdown: live.shutDown }));
}

function hasModule({ version }: OpenVersion, file: string): boolean {
  return [...version.modules.keys()].some((url) => fileURLToPath(split(url)[0]) === file);
}

/** The folder of a path, and those of the crews inside that lie elsewhere. */
function foldersOf(path: string, crews: readonly RunnableFile[]): readonly string[] {
  const own = toFolder(path);
  const all = crews.flatMap(({ texts }) => Array.from(texts.keys(), (file) => dirname(file)));
  const outside = [...new Set(all)].filter((folder) => !isInside(folder, own));
  return [own, ...outside.filter((folder) => outside.every((other) => other === folder || !isInside(folder, other)))];
}

function isInside(folder: string, other: string): boolean {
  const way = relative(resolve(other), resolve(folder));
  return way === "" || !(way.startsWith("..") || isAbsolute(way));
}

function toFolder(path: string): string {
  return READ.has(extname(path)) || isCrewCode(path) ? dirname(path) : path;
}
