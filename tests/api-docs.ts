/**
 * API docs: docs/api.md from the declarations that `tsc` writes for the packages that an application imports.
 *
 * `npm run docs:api` writes the page; `--check` fails if it is out of date.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(import.meta.dirname, "..");
const PAGE = join(ROOT, "docs/api.md");
const PACKAGES = ["baton", "client"] as const;
/** A longer type has a page of its own: events.md. */
const MAX_LINES = 100;
const OPENING = `# TypeScript API

Every name that you can import from [\`@baton/baton\`](#batonbaton) (a program that runs and serves crews) and
[\`@baton/client\`](#batonclient) (a browser or a program that talks to a server). The guides are [TypeScript](typescript.md)
and [the client](client.md). This page is generated from the sources: \`npm run docs:api\` writes it.
`;
/** The sections of a package, each with the files whose names belong to it. */
const SECTIONS: ReadonlyMap<string, string> = new Map([
  ["Open, run and serve", "baton options serving run-handle run-result"],
  ["Define crews, agents and tools", "crew typed-crew definition agent tool program limits schema"],
  ["Models and scripts", "model models script message ai-sdk language-model from-language-model"],
  ["Talk to a server", "client follow feed backoff"],
  ["Answers of a server", "answer past-answer"],
  ["Events and what they add up to", "event fold live-view json"],
  ["Errors", "error client-error"],
]);
const OTHER = "More";
const USED = "Types that these use";

/** One exported name: its file in the declarations, and its text there. */
interface Declaration {
  readonly name: string;
  readonly file: string;
  readonly doc: string;
  readonly code: string;
}

/** The text of the page, from the sources as they are now. */
function renderApi(): string {
  const folder = mkdtempSync(join(tmpdir(), "baton-api-"));
  try {
    emit(folder);
    const shown = new Map<string, string>();
    return `${[OPENING, ...PACKAGES.map((name) => renderPackage(folder, name, shown))].join("\n").trimEnd()}\n`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Declarations are written although types do not fit somewhere: that is for `npm run types` to say. */
function emit(folder: string): void {
  const config = {
    extends: join(ROOT, "tsconfig.json"),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      typeRoots: [join(ROOT, "node_modules/@types")],
      rootDir: ROOT,
      outDir: folder,
    },
    // All packages: `tsc` writes nothing for a file that is only imported by the name of its package.
    include: [join(ROOT, "packages/*/src/**/*.ts")],
    exclude: ["*.test.ts", "testing"].map((part) => join(ROOT, `packages/**/${part}`)),
  };
  const path = join(folder, "tsconfig.json");
  writeFileSync(path, JSON.stringify(config));
  const { error, stdout } = spawnSync(join(ROOT, "node_modules/.bin/tsc"), ["-p", path], { cwd: ROOT });
  if (error !== undefined) throw error;
  const index = join(folder, `packages/${PACKAGES[0]}/src/index.d.ts`);
  if (!existsSync(index)) throw new Error(`tsc wrote no declarations:\n${stdout.toString()}`);
}

/** `shown` has the names that are on the page already, with their files: they are linked, not shown again. */
function renderPackage(folder: string, name: string, shown: Map<string, string>): string {
  const index = join(folder, `packages/${name}/src/index.d.ts`);
  const exported = [...importsOf(readFileSync(index, "utf8"), "export")].map(([own, { from, name: there }]) => {
    const found = find(resolve(folder, index, from), there, folder);
    if (found === undefined) throw new Error(`@baton/${name} exports ${own}, which has no declaration`);
    return found;
  });
  const isShown = (one: Declaration): boolean => shown.get(one.name) === one.file;
  const again = exported.filter(isShown).map((one) => `[\`${one.name}\`](#${one.name.toLowerCase()})`);
  const sections = Map.groupBy(
    exported.filter((one) => !isShown(one)),
    ({ file }) => sectionOf(file),
  );
  sections.set(
    USED,
    usedBy(exported, folder).filter((one) => !isShown(one)),
  );
  const texts = [...SECTIONS.keys(), OTHER, USED].flatMap((title) => {
    const all = (sections.get(title) ?? []).toSorted(
      (a, b) => rank(a.code) - rank(b.code) || a.name.localeCompare(b.name, "en"),
    );
    for (const one of all) shown.set(one.name, one.file);
    return all.length === 0 ? [] : [`### ${title}\n`, ...all.map(renderOne)];
  });
  const same = again.length === 0 ? [] : [`The same as above: ${again.toSorted().join(", ")}.\n`];
  return [`## \`@baton/${name}\`\n`, ...same, ...texts].join("\n");
}

function renderOne({ name, doc, code }: Declaration): string {
  const said = doc === "" ? "" : `${doc}\n\n`;
  return `#### \`${name}\`\n\n${said}\`\`\`ts no-run\n${code}\n\`\`\`\n`;
}

/** Functions and classes are what a reader looks for first. */
function rank(code: string): number {
  return /^(?:function|class|const)/.test(code) ? 0 : 1;
}

function sectionOf(file: string): string {
  const name = basename(file, ".d.ts");
  for (const [title, files] of SECTIONS) if (files.split(" ").includes(name)) return title;
  return OTHER;
}

/** Types of these packages that signatures name, or that such types extend, but that are not exported beside them. */
function usedBy(exported: readonly Declaration[], folder: string): Declaration[] {
  const seen = new Set(exported.map(({ name }) => name));
  const named = (code: string, file: string): Declaration[] =>
    Array.from(code.replaceAll(/\/\*\*[\s\S]*?\*\//g, "").matchAll(/\b[A-Z]\w+\b/g)).flatMap(([name]) => {
      if (seen.has(name)) return [];
      seen.add(name);
      const found = find(file, name, folder);
      if (found === undefined || found.code.split("\n").length > MAX_LINES) return [];
      const parents = /^interface [^{]* extends ([^{]*)/.exec(found.code)?.[1] ?? "";
      return [found, ...named(parents, found.file)];
    });
  return exported.flatMap(({ code, file }) => named(code, file)).filter(({ code }) => rank(code) > 0);
}

/** A declaration by its name: in this file, or in the file that this one has it from. */
function find(file: string | undefined, name: string, folder: string): Declaration | undefined {
  if (file === undefined) return undefined;
  const text = readFileSync(file, "utf8");
  const start = new RegExp(
    String.raw`^((?:\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?)(?:export )?(?:declare )?(?=(?:abstract class|class|const|function|interface|type) ${name}\b)`,
    "gm",
  );
  const found = [...text.matchAll(start)];
  if (found.length > 0) {
    const codes = found.map(({ 0: { length }, index }) => statementAt(text, index + length));
    return { name, file, doc: toText(found[0]?.[1] ?? ""), code: codes.join("\n") };
  }
  const origin = importsOf(text, "import").get(name) ?? importsOf(text, "export").get(name);
  return origin === undefined ? undefined : find(resolve(folder, file, origin.from), origin.name, folder);
}

/** Declarations end with the first line that is not indented and ends with `;` or `}`. */
function statementAt(text: string, index: number): string {
  const lines = text.slice(index).split("\n");
  const last = lines.findIndex((line) => /^\S.*;$|^\}/.test(line));
  const shown = lines.slice(0, last + 1).filter((line) => line.trim() !== "#private;");
  return shown.join("\n").replaceAll(/^(?: {4})+/gm, (indent) => " ".repeat(indent.length / 2));
}

/** `/** A sentence. *\/` → A sentence. */
function toText(comment: string): string {
  return comment
    .replaceAll(/^\/\*\*|\*\/\s*$|^ +\* ?/gm, "")
    .trim()
    .replaceAll(/\s*\n\s*/g, " ");
}

/** The names that a file imports or exports from others, with their names there. */
function importsOf(text: string, word: "import" | "export") {
  const clauses = text.matchAll(new RegExp(`^${word} (?:type )?\\{([^}]*)\\} from "([^"]+)"`, "gm"));
  const names = Array.from(clauses).flatMap(([, list = "", from = ""]) =>
    list.split(",").flatMap((item) => {
      const [name = "", own = name] = item
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      return name === "" ? [] : [{ own, name, from }];
    }),
  );
  return new Map(names.map(({ own, ...origin }) => [own, origin]));
}

/** The declarations of a module of these packages; undefined for one of others. */
function resolve(folder: string, file: string, from: string): string | undefined {
  if (from.startsWith(".")) return join(dirname(file), from.replace(/\.tsx?$/, ".d.ts"));
  if (!from.startsWith("@baton/")) return undefined;
  const source = fileURLToPath(import.meta.resolve(from));
  return join(folder, relative(ROOT, source).replace(/\.tsx?$/, ".d.ts"));
}

if (process.argv[2] !== "--check") writeFileSync(PAGE, renderApi());
else if (readFileSync(PAGE, "utf8") !== renderApi()) {
  console.error("docs/api.md is out of date: run `npm run docs:api`");
  process.exitCode = 1;
}
