/**
 * Architecture: the rules of design/ that the linter cannot check, as functions over the repository's files.
 *
 * The tables below are the only place where arrows and rows are written down for a machine.
 */
import { posix } from "node:path";
import { z } from "zod";
import { at, coreOf, isTest, START, codeOf, unitOf, type Rule } from "./rule.ts";
import { FREE_GROWTH, MAX_LOOP_LINES, ROWS } from "./rows.ts";
import { countCodeLines, countLines, importsOf, type SourceFile } from "./source.ts";

const MAX_FILE_LINES = 400;
const CORE_SRC = "packages/core/src/";
const ASSISTANT_SRC = "packages/assistant/src/";
/** The only room of the assistant that knows the server, and all that it knows of it. */
const CHAT_ROOM = `${ASSISTANT_SRC}chat/`;
const MOUNT = "@baton/server/mount";

/** Words that only code about finance has; `symbol` and `shares` are words of facts. */
const FINANCE = /stock|ticker|nasdaq|nyse|macd|bitcoin|dividend|\b(?:get)?RSI\b/gi;

/** Which packages a package may know. What is not here (apps, examples, tests, bench) may know all. */
const ARROWS: ReadonlyMap<string, readonly string[]> = new Map([
  ["packages/core", []],
  ["packages/policy", ["@baton/core"]],
  ["packages/crewfile", ["@baton/core", "@baton/policy"]],
  ["packages/models", ["@baton/core"]],
  ["packages/store", ["@baton/core"]],
  ["packages/mcp", ["@baton/core", "@baton/crewfile", "@baton/server"]],
  ["packages/a2a", ["@baton/core", "@baton/server"]],
  ["packages/sandbox", ["@baton/core"]],
  ["packages/channels", ["@baton/core", "@baton/store", "@baton/server"]],
  ["packages/evals", ["core", "crewfile", "models", "store", "durable", "policy"].map((name) => `@baton/${name}`)],
  ["packages/durable", ["@baton/core", "@baton/store"]],
  ["packages/assistant", ["@baton/core", "@baton/store", "@baton/server"]],
  ["packages/server", ["@baton/core", "@baton/crewfile", "@baton/store", "@baton/durable"]],
  ["packages/client", ["@baton/core"]],
  ["packages/console", ["@baton/client"]],
  [
    "packages/baton",
    [
      "core",
      "crewfile",
      "models",
      "store",
      "durable",
      "server",
      "console",
      "mcp",
      "a2a",
      "sandbox",
      "policy",
      "channels",
    ].map((name) => `@baton/${name}`),
  ],
  [
    "packages/cli",
    [
      "baton",
      "core",
      "crewfile",
      "models",
      "store",
      "durable",
      "assistant",
      "server",
      "client",
      "mcp",
      "a2a",
      "sandbox",
      "policy",
      "channels",
      "evals",
    ].map((name) => `@baton/${name}`),
  ],
]);

/** Names that `@baton/core` shows to a program. */
const FRONT_DOOR = `${CORE_SRC}index.ts`;
const MAX_SHOWN = 45;

/** What the tests of a package may know beside that; core, if they are not here. */
const TEST_ARROWS: ReadonlyMap<string, readonly string[]> = new Map([
  ["packages/models", ["@baton/store"]],
  ["packages/assistant", ["@baton/core", "@baton/durable"]],
  ["packages/mcp", ["@baton/core", "@baton/store"]],
  ["packages/a2a", ["@baton/core", "@baton/store"]],
  // Programs of its tests are applications: they import what applications import.
  ["packages/baton", ["@baton/baton", "@baton/core"]],
]);

const NAMES = z
  .record(z.string(), z.string())
  .default({})
  .transform((entries): ReadonlySet<string> => new Set(Object.keys(entries)));
const MANIFEST = z.object({
  name: z.string().default(""),
  dependencies: NAMES,
  peerDependencies: NAMES,
  devDependencies: NAMES,
});
type Manifest = z.infer<typeof MANIFEST>;

/** Tests and pictures of pages start the whole product in a browser, so they may know all of it. */
function isOfPages(path: string): boolean {
  const folders = ["packages/console/pictures/", "packages/console/src/testing/"];
  return (
    path.endsWith(".page.test.ts") || folders.some((folder) => path.startsWith(folder)) || path === "bench/console.ts"
  );
}

/** Packages know only the packages the design allows, by their names and never by a path. */
export const arrows: Rule = (files) =>
  codeOf(files.filter(({ path }) => !isOfPages(path))).flatMap((file) =>
    importsOf(file).flatMap((found) => at(file, found, wrongArrow(file.path, found.text))),
  );

/** What is imported is a dependency of the package that imports it. */
export const listed: Rule = (files) => {
  const manifests = new Map(
    files
      .filter(({ path }) => path.endsWith("package.json"))
      .map(({ path, text }) => [path, MANIFEST.parse(JSON.parse(text))]),
  );
  return codeOf(files).flatMap((file) =>
    importsOf(file).flatMap((found) => at(file, found, unlisted(file.path, found.text, manifests))),
  );
};

/** `@baton/core` shows a program about 40 names; what sibling packages need is in `@baton/core/ports`. */
export const shownNames: Rule = (files) =>
  files
    .filter(({ path }) => path === FRONT_DOOR)
    .flatMap((file) => {
      const names = [...withoutComments(file.text).matchAll(/\{([^}]*)\}/g)].flatMap(([, list = ""]) =>
        list.split(","),
      );
      const count = names.filter((name) => name.trim() !== "").length;
      return at(file, START, count > MAX_SHOWN ? `shows ${count} names, at most ${MAX_SHOWN}` : undefined);
    });

/** A folder of core imports only itself and the folders above it; beside the folders there are only doors. */
export const rows: Rule = (files) =>
  coreOf(files).flatMap((file) => {
    const own = rowOf(file.path);
    if (own === undefined) return at(file, START, isDoor(file) ? undefined : "stands in no row of tests/rows.ts");
    return importsOf(file).flatMap((found) => {
      const target = rowOf(posix.join(posix.dirname(file.path), found.text));
      const isAbove = target !== undefined && target <= own;
      return at(file, found, isAbove ? undefined : `imports ${found.text}, which is in no row above`);
    });
  });

/** No file is longer than 400 lines; core's loop has a cap, and no other row grows by more than a tenth unseen. */
export const sizes: Rule = (files) => {
  const tooLong = codeOf(files).flatMap((file) => {
    const lines = countLines(file.text);
    return at(file, START, lines > MAX_FILE_LINES ? `has ${lines} lines, at most ${MAX_FILE_LINES}` : undefined);
  });
  const byRow = Map.groupBy(coreOf(files), ({ path }) => path.slice(CORE_SRC.length).split("/")[0] ?? "");
  const overgrown = [...ROWS].flatMap(([row, size]) => {
    const total = (byRow.get(row) ?? []).reduce((sum, file) => sum + countCodeLines(file.text), 0);
    const most = row === "loop" ? MAX_LOOP_LINES : Math.floor(size * FREE_GROWTH);
    const message = `${row}/ of core has ${total} lines of code, at most ${most}; a decision record says why it may grow`;
    return total > most ? [{ path: CORE_SRC, line: 1, message }] : [];
  });
  return [...tooLong, ...overgrown];
};

/** What any assistant needs knows nothing of finance; comments may give examples. */
export const noFinanceInAssistant: Rule = (files) =>
  codeOf(files)
    .filter(({ path }) => path.startsWith(ASSISTANT_SRC) && !isTest(path))
    .flatMap((file) =>
      [...withoutComments(file.text).matchAll(FINANCE)].flatMap(({ 0: text, index }) =>
        at(file, { text, index }, `packages/assistant knows nothing of finance (${text})`),
      ),
    );

/** Comments of formatted code blanked; strings stay, for a prompt or a list of names is knowledge too. */
function withoutComments(text: string): string {
  return text.replaceAll(/^\s*(?:\/?\*|\/\/).*$|\s\/\/ .*$/gm, (comment) => comment.replaceAll(/[^\n]/g, " "));
}

function wrongArrow(path: string, specifier: string): string | undefined {
  const unit = unitOf(path);
  if (specifier.startsWith(".")) {
    const target = posix.join(posix.dirname(path), specifier);
    if (isTest(target) && !isTest(path)) return `only tests import ${specifier}`;
    if (unitOf(target) === unit || isSisterTools(unit, target)) return undefined;
    return `leaves ${unit} by a path (${specifier})`;
  }
  if (unit === "packages/core" && !isTest(path)) return `core imports only its own files, not ${specifier}`;
  const name = packageOf(specifier);
  if (specifier === "@baton/core/testing" && unit.startsWith("packages/") && !isTest(path)) {
    return "only tests import @baton/core/testing";
  }
  const allowed = ARROWS.get(unit);
  if (unit === "packages/assistant" && name === "@baton/server" && !isTest(path)) {
    return path.startsWith(CHAT_ROOM) && specifier === MOUNT ? undefined : `only ${CHAT_ROOM} imports ${MOUNT}`;
  }
  if (!isOurs(name) || (allowed?.includes(name) ?? !unit.startsWith("packages/"))) return undefined;
  if (isTest(path) && (TEST_ARROWS.get(unit) ?? ["@baton/core"]).includes(name)) return undefined;
  return allowed === undefined ? `${unit} has no arrows in tests/architecture.ts` : `${unit} may not know ${name}`;
}

function unlisted(path: string, specifier: string, manifests: ReadonlyMap<string, Manifest>): string | undefined {
  if (specifier.startsWith(".") || specifier.startsWith("node:")) return undefined;
  const name = packageOf(specifier);
  const own = manifests.get(`${unitOf(path)}/package.json`);
  if (name === own?.name || own?.dependencies.has(name) || own?.peerDependencies.has(name)) return undefined;
  const root = manifests.get("package.json");
  const develops =
    own === undefined ||
    isTest(path) ||
    isOfPages(path) ||
    path.includes(".config.") ||
    path.includes("/build/") ||
    isBundled(path);
  if (develops && (own?.devDependencies.has(name) || root?.devDependencies.has(name))) return undefined;
  // outside the packages the whole workspace is at hand
  if (own === undefined && isOurs(name)) return undefined;
  return `imports ${name}, which its package.json does not list`;
}

/** The console is packed built: what its sources import is in its files, and nothing more is installed with it. */
function isBundled(path: string): boolean {
  return path.startsWith("packages/console/src/");
}

function isOurs(name: string): boolean {
  return name.startsWith("@baton/");
}

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}

/** Two crews may offer the same tools: `tools.ts` is what a crew shows of itself, all other files are its own. */
function isSisterTools(unit: string, target: string): boolean {
  return unit.startsWith("crews/") && target.startsWith("crews/") && target === `${unitOf(target)}/tools.ts`;
}

/** The number of a file's row, counted from the top; undefined beside the rows. */
function rowOf(path: string): number | undefined {
  const row = [...ROWS.keys()].indexOf(path.slice(CORE_SRC.length).split("/")[0] ?? "");
  return row === -1 ? undefined : row;
}

/** A door only passes on what the rows export. */
function isDoor({ path, text }: SourceFile): boolean {
  return (
    !path.slice(CORE_SRC.length).includes("/") &&
    /^\s*(?:export (?:type )?\{[^}]*\} from "[^"]+";\s*)*$/.test(withoutComments(text))
  );
}
