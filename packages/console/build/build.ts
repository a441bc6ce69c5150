/**
 * Build: the console as files that a server gives to browsers, made if a source is newer.
 *
 * Nothing is fetched. Files that compress well are there compressed, too.
 */
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

const ROOT = join(import.meta.dirname, "..");
const FOLDER = join(ROOT, "dist");
/** What the files are made of, beside what is installed. */
const SOURCES = ["src", "public", "build", "index.html", "package.json", "../client/src", "../core/src"];
const COMPRESSED = /\.(?:js|css|html|svg|json)$/;
const MIN_BYTES = 1_024;

/** Builds the console if a source is newer than it; gives the folder. */
export async function ensureConsole(): Promise<string> {
  const built = await changedAt(join(FOLDER, "index.html"));
  const newest = await Promise.all(SOURCES.map((source) => newestIn(join(ROOT, source))));
  if (built > Math.max(...newest)) return FOLDER;
  return buildConsole();
}

/** Builds the console; what is served meanwhile stays whole. */
export async function buildConsole(): Promise<string> {
  const { build } = await import("vite");
  const made = join(ROOT, `.dist-${process.pid}`);
  await build({
    root: ROOT,
    configFile: false,
    logLevel: "error",
    build: { outDir: made, emptyOutDir: true, assetsInlineLimit: 0, target: "es2023", reportCompressedSize: false },
  });
  await compressAll(made);
  await rm(FOLDER, { recursive: true, force: true });
  await rename(made, FOLDER);
  return FOLDER;
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
