/**
 * Build: the console as files that a server gives to browsers, made if a source is newer.
 *
 * Nothing is fetched. Files that compress well are there compressed, too.
 */
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type * as Vite from "vite";
import { toBuildError } from "./build-error.ts";
import { toLicences } from "./licences.ts";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "dist");
/** The sources of the files, beside what is installed. */
const SOURCES = ["src", "public", "build", "index.html", "package.json", "../client/src", "../core/src"];
const COMPRESSED = /\.(?:js|css|html|svg|json|txt)$/;
const MIN_BYTES = 1_024;
const LOCK = join(ROOT, ".dist-lock");
/** A build takes about a second. */
const LOCK_MS = 60_000;
const LOOK_MS = 50;

/** Gives the folder of the console. In a repository it is built first if a source is newer; a package brings it built. */
export async function ensureConsole(): Promise<string> {
  if (await isFresh()) return FOLDER;
  await using _lock = await lockBuild();
  if (!(await isFresh())) await buildConsole();
  return FOLDER;
}

async function isFresh(): Promise<boolean> {
  const built = await changedAt(join(FOLDER, "index.html"));
  const isPackage = (await changedAt(join(ROOT, "src", "main.tsx"))) === 0;
  if (isPackage) return true;
  const newest = await Promise.all(SOURCES.map((source) => newestIn(join(ROOT, source))));
  return built > Math.max(...newest);
}

/** One process builds, the others wait for it; what a process that was killed left behind is not waited for. */
async function lockBuild(): Promise<AsyncDisposable> {
  while (!(await isMade(LOCK))) {
    const since = await changedAt(LOCK);
    if (since > 0 && Date.now() - since > LOCK_MS) await rm(LOCK, { recursive: true, force: true });
    else await sleep(LOOK_MS);
  }
  return { [Symbol.asyncDispose]: () => rm(LOCK, { recursive: true, force: true }) };
}

async function isMade(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function buildConsole(): Promise<void> {
  const { build } = await import("vite");
  const made = join(ROOT, `.dist-${process.pid}`);
  const started = new Date();
  const built = await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    build: { outDir: made, emptyOutDir: true, assetsInlineLimit: 0, target: "es2023", reportCompressedSize: false },
  }).catch((error: unknown) => {
    throw toBuildError(error);
  });
  await writeFile(join(made, "licences.txt"), await toLicences(filesOf(built)));
  await compressAll(made);
  // A source that changes during the build is newer than what was built.
  await utimes(join(made, "index.html"), started, started);
  await rm(FOLDER, { recursive: true, force: true });
  await rename(made, FOLDER);
}

/** The files that the console was made of, fonts included. */
function filesOf(built: Awaited<ReturnType<typeof Vite.build>>): readonly string[] {
  const outputs = Array.isArray(built) ? built : "output" in built ? [built] : [];
  return outputs.flatMap(({ output }) =>
    output.flatMap((part) =>
      part.type === "chunk" ? part.moduleIds : part.originalFileNames.map((name) => join(ROOT, name)),
    ),
  );
}

async function compressAll(folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => COMPRESSED.test(name));
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };
  for (const name of names) {
    const path = join(folder, name);
    const bytes = await readFile(path);
    if (bytes.length < MIN_BYTES) continue;
    await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, quality));
    await writeFile(`${path}.gz`, await promisify(gzip)(bytes));
  }
}

/** When the newest file of a folder was changed; tests do not count. */
async function newestIn(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const names = (await readdir(path, { recursive: true })).filter(
    (name) => !/\.test\.tsx?$|(?:^|\/)testing\//.test(name),
  );
  const times = await Promise.all(names.map((name) => changedAt(join(path, name))));
  return Math.max(0, ...times);
}

async function changedAt(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.mtimeMs ?? 0;
}
