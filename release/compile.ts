/**
 * Compile: the sources of all packages as JavaScript with declarations and source maps, by one run of `tsc`.
 *
 * The folder that comes out has the layout of the repository, so paths from file to file stay true.
 */
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "..");
/** Folders of a package that hold code. All others are packed as they are. */
export const CODE_FOLDERS: readonly string[] = ["bin", "build", "src"];
/** The standard library of Node 22.18, and the declarations of the classes that the build adds. */
const LIBRARY = [
  "es2024",
  "es2025.collection",
  "es2025.iterator",
  "esnext.array",
  "esnext.disposable",
  "dom",
  "dom.iterable",
];
const STACK = "async-disposable-stack";
const STACK_USE = "new AsyncDisposableStack(";

/** Folders and files to compile, from the root of the repository. */
export interface Compiled {
  readonly folders: readonly string[];
  /** Files that are compiled though they belong to tests. */
  readonly files: readonly string[];
}

/** Compiles into a folder; what does not compile is thrown, as `tsc` says it. */
export async function compile({ folders, files }: Compiled, into: string): Promise<void> {
  await mkdir(into, { recursive: true });
  const at = (path: string): string => join(ROOT, path);
  const config = {
    extends: at("tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      allowImportingTsExtensions: false,
      rewriteRelativeImportExtensions: true,
      allowJs: true,
      declaration: true,
      sourceMap: true,
      inlineSources: true,
      // `await using` is younger than Node 22.
      target: "es2024",
      lib: LIBRARY,
      typeRoots: [at("node_modules/@types")],
      rootDir: ROOT,
      outDir: into,
    },
    files: [at(`release/${STACK}.ts`), ...files.map(at)],
    include: folders.map(at),
    exclude: ["**/*.test.ts", "**/testing", "**/testing.ts"].map((pattern) => at(`packages/*/${pattern}`)),
  };
  const path = join(into, "tsconfig.json");
  await writeFile(path, JSON.stringify(config));
  try {
    await promisify(execFile)(join(ROOT, "node_modules/.bin/tsc"), ["-p", path], { cwd: ROOT });
  } catch (error) {
    const said = error instanceof Error && "stdout" in error ? String(error.stdout) : "";
    throw new Error(`the packages do not compile:\n${said}`, { cause: error });
  }
}

/** Gives compiled files that use AsyncDisposableStack a class of that name, on their first line: source maps stay true. */
export async function addStack(compiled: string, folder: string): Promise<void> {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".js"));
  for (const name of names) {
    const text = await readFile(join(folder, name), "utf8");
    if (!text.includes(STACK_USE)) continue;
    const stack = join(folder, `src/${STACK}.js`);
    await writeFile(stack, await readFile(join(compiled, `release/${STACK}.js`), "utf8"));
    const from = relative(dirname(join(folder, name)), stack);
    const specifier = from.startsWith(".") ? from : `./${from}`;
    await writeFile(join(folder, name), `import { AsyncDisposableStack } from "${specifier}"; ${text}`);
  }
}
