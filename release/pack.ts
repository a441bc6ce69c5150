/**
 * Pack: every package as a tarball that installs with npm alone.
 *
 * `npm run pack` writes the tarballs into dist/. Packages are compiled, their manifests name what was compiled, and tests
 * are left out. The console comes built.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { promisify } from "node:util";
import { ensureConsole } from "@baton/console/build";
import { addStack, CODE_FOLDERS, compile } from "./compile.ts";
import {
  type PackedManifest,
  publicExports,
  SOURCE_MANIFEST,
  type SourceManifest,
  toPackedManifest,
} from "./package-manifest.ts";

const ROOT = join(import.meta.dirname, "..");
const SOURCE = /\.tsx?$/;

/** A package of the repository. */
interface SourcePackage {
  /** From the root, e.g. `packages/core`. */
  readonly folder: string;
  readonly manifest: SourceManifest;
}

/** A packed package. */
export interface Packed {
  /** Its path. */
  readonly tarball: string;
  /** Its package.json. */
  readonly manifest: PackedManifest;
}

/** Packs every package into a folder, and gives them by their names. */
export async function pack(into: string): Promise<ReadonlyMap<string, Packed>> {
  const packages = await readPackages();
  const work = await mkdtemp(join(tmpdir(), "baton-pack-"));
  try {
    const compiled = join(work, "compiled");
    await Promise.all([compile(toCompiled(packages), compiled), ensureConsole()]);
    await mkdir(into, { recursive: true });
    const made = packages.map(
      async (one) => [one.manifest.name, await packOne(one, { work, compiled, into })] as const,
    );
    return new Map(await Promise.all(made));
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function readPackages(): Promise<readonly SourcePackage[]> {
  const names = (await readdir(join(ROOT, "packages"))).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const folder = `packages/${name}`;
      const text = await readFile(join(ROOT, folder, "package.json"), "utf8");
      return { folder, manifest: SOURCE_MANIFEST.parse(JSON.parse(text)) };
    }),
  );
}

function toCompiled(packages: readonly SourcePackage[]): Parameters<typeof compile>[0] {
  return {
    folders: packages.flatMap(({ folder, manifest: { files } }) =>
      files.filter((name) => CODE_FOLDERS.includes(name)).map((name) => `${folder}/${name}`),
    ),
    files: packages.flatMap(({ folder, manifest }) => publicExports(manifest).map(([, path]) => join(folder, path))),
  };
}

interface Places {
  readonly work: string;
  readonly compiled: string;
  readonly into: string;
}

async function packOne({ folder, manifest }: SourcePackage, { work, compiled, into }: Places): Promise<Packed> {
  const to = join(work, folder);
  for (const name of manifest.files) {
    const isCode = CODE_FOLDERS.includes(name);
    const from = join(ROOT, folder, name);
    await cp(from, join(to, name), { recursive: true, filter: (path) => !isCode || isAsset(relative(from, path)) });
    if (isCode) await cp(join(compiled, folder, name), join(to, name), { recursive: true });
  }
  await addStack(compiled, to);
  await cp(join(ROOT, "LICENSE"), join(to, "LICENSE"));
  await cp(join(ROOT, folder, "README.md"), join(to, "README.md"));
  const packed = toPackedManifest(manifest);
  await writeFile(join(to, "package.json"), `${JSON.stringify(packed, undefined, 2)}\n`);
  const { stdout } = await promisify(execFile)("npm", ["pack", "--silent", "--pack-destination", into], { cwd: to });
  return { tarball: join(into, stdout.trim()), manifest: packed };
}

/** Whether a file beside the code is read at run time. */
function isAsset(path: string): boolean {
  return !SOURCE.test(path) && !path.split("/").includes("testing");
}

if (import.meta.main) {
  const into = join(ROOT, "dist");
  await rm(into, { recursive: true, force: true });
  const made = await pack(into);
  for (const { tarball } of made.values()) process.stdout.write(`${relative(ROOT, tarball)}\n`);
}
