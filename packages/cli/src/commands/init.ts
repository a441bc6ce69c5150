/**
 * `baton init`: creates a small project that runs with and without an API key.
 *
 * Nothing is overwritten: the folder must be empty. The project depends on the version of Baton that created it.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/util";
import { batonCommand } from "../runs/resume-command.ts";
import { type CliCommand, valueOf } from "../command-line.ts";
import { toShellWord } from "../shell-word.ts";
import { wrap } from "../terminal/paragraph.ts";
import { toOneLine } from "../terminal/printable.ts";
import own from "../../package.json" with { type: "json" };
import manifest from "../../template/both/package.json" with { type: "json" };

const TEMPLATES = join(import.meta.dirname, "..", "..", "template");
const KINDS = ["yaml", "ts"] as const;
type Kind = (typeof KINDS)[number];
/** Folders of the template; a crew in TypeScript has the tools and the script of the one in YAML. */
const PARTS = {
  yaml: [{ folder: "both" }, { folder: "yaml" }],
  ts: [{ folder: "both" }, { folder: "ts" }, { folder: "yaml", only: ["tools.ts", "script.yaml"] }],
} as const satisfies Record<Kind, readonly { readonly folder: string; readonly only?: readonly string[] }[]>;
/** The path of the crew in the project, as commands name it. */
const CREWS = { yaml: "", ts: "crew.ts" } as const satisfies Record<Kind, string>;
/** npm does not pack files with the names on the right. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["gitignore", ".gitignore"],
  ["env.example", ".env.example"],
]);
/** The same characters as in the crew's name in routes, which is the name of its folder. */
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MAX_SHOWN = 3;
const LIST_CHARS = 76;

/** Writes the project and prints what to do next. */
export const command: CliCommand = async (commandLine) => {
  const [folder = "my-crew"] = commandLine.positionals;
  const kind = toKind(valueOf(commandLine, "template") ?? "yaml");
  const name = folder === "" ? "" : basename(resolve(folder));
  if (!NAME.test(name)) {
    const problem = `"${name}" is not a valid name for a crew`;
    throw new BatonError("invalid", `${problem}: use at most 128 letters, digits, - and _`);
  }
  try {
    await checkEmpty(folder);
    const files = await write(folder, { name, kind });
    process.stdout.write(toNext(folder, { files, crew: CREWS[kind] }));
    return 0;
  } catch (error) {
    if (error instanceof BatonError) throw error;
    throw new BatonError("invalid", `cannot write to ${folder}: ${toReason(error)}; name another folder`);
  }
};

function toKind(text: string): Kind {
  const kind = KINDS.find((one) => one === text);
  if (kind !== undefined) return kind;
  throw new BatonError("invalid", `there is no template "${toOneLine(text)}"; use --template ${KINDS.join(" or ")}`);
}

/** A project to write. */
interface Project {
  readonly name: string;
  readonly kind: Kind;
}

/** Throws if the folder has files; `.git` is allowed. */
async function checkEmpty(folder: string): Promise<void> {
  const there = (await readdir(folder).catch(toNone)).filter((name) => name !== ".git").toSorted();
  if (there.length === 0) return;
  const more = there.length > MAX_SHOWN ? " and more" : "";
  const problem = `${folder} is not empty (${there.slice(0, MAX_SHOWN).join(", ")}${more})`;
  throw new BatonError("invalid", `${problem}, so nothing was written; name another folder`);
}

function toNone(error: unknown): readonly string[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}

/** Writes the files, and gives their names in alphabetical order. */
async function write(folder: string, { name, kind }: Project): Promise<readonly string[]> {
  const written: string[] = [];
  for (const part of PARTS[kind]) {
    const template = join(TEMPLATES, part.folder);
    for (const file of await listFiles(template, "only" in part ? part.only : undefined)) {
      const from = join(template, file);
      const to = NAMES.get(file) ?? file;
      const text = file === "package.json" ? toManifest({ name, kind }) : toText(await readFile(from, "utf8"), name);
      await makeFolder(dirname(join(folder, to)));
      await writeFile(join(folder, to), text, { flag: "wx" });
      written.push(to);
    }
  }
  return written.toSorted();
}

/** The files of a folder and of those in it, or some of them. */
async function listFiles(folder: string, only: readonly string[] | undefined): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  return files.map((path) => path.slice(folder.length + 1)).filter((file) => only?.includes(file) ?? true);
}

/** Makes a folder and those above it. Node's `recursive` never ends if the system refuses with ENOENT, as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder);
}

/** A project imports Baton from one package. */
function toText(text: string, name: string): string {
  return text.replaceAll('"@baton/core"', '"@baton/baton"').replaceAll('"../yaml/', '"./').replaceAll("my-crew", name);
}

/** npm allows fewer characters in package names. */
function toManifest({ name, kind }: Project): string {
  const short = name.toLowerCase().replace(/^[_-]+/, "");
  const dependencies = { "@baton/baton": own.version, "@baton/cli": own.version, zod: own.dependencies.zod };
  const withCrew = (script: string) => (CREWS[kind] === "" ? script : script.replace(BATON_WORD, `$1 ${CREWS[kind]}`));
  const scripts = Object.fromEntries(Object.entries(manifest.scripts).map(([key, text]) => [key, withCrew(text)]));
  const whole = { ...manifest, scripts, name: short === "" || short === "node_modules" ? "crew" : short, dependencies };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

/** A command of Baton in a script. */
const BATON_WORD = /(baton (?:serve|check))/;

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "permission denied"],
  ["EPERM", "permission denied"],
  ["EROFS", "the disk is read-only"],
  ["ENOTDIR", "it is a file, or inside a file"],
  ["ENOSPC", "the disk is full"],
]);

function toReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS.get(code) ?? toMessage(error);
}

/** The files that were written, and the crew's path in the project. */
type Written = Readonly<{ files: readonly string[]; crew: string }>;

function toNext(folder: string, { files, crew }: Written): string {
  return [
    `Created a crew in ${folder}:`,
    ...wrap(files.join(", "), LIST_CHARS).map((line) => `  ${line.trimEnd()}`),
    "",
    ...toCommands(folder, crew, isInstalled(resolve(folder)) ? [] : ["  npm install"]),
    "",
    "To use a real model, copy .env.example to .env and add your API key.",
    "",
  ].join("\n");
}

/** Until a project is installed, `npx baton` there is the npm package of that name, which is not this one. */
function toCommands(folder: string, crew: string, install: readonly string[]): readonly string[] {
  const baton = batonCommand();
  const enter = [`  cd ${toShellWord(folder)}`, ...install];
  const ask = "ask it something; without an API key its script answers:";
  const test = ["Test it, and serve it with a console in the browser, reloaded when you change a file:"];
  const run = ["  npm test", "  npm run dev"];
  const input = '"What time is it in Hanoi?"';
  if (baton === "npx baton" && install.length > 0)
    return [
      `Install it, and ${ask}`,
      ...enter,
      `  ${baton} run ${crew === "" ? "" : `${crew} `}${input}`,
      "",
      ...test,
      ...run,
    ];
  return [
    "Run it; without an API key its script answers:",
    `  ${baton} run ${toShellWord(join(folder, crew))} ${input}`,
    "",
    ...test,
    ...enter,
    ...run,
  ];
}

/** Whether npm scripts find the command, in this folder or one above. */
function isInstalled(folder: string): boolean {
  if (existsSync(join(folder, "node_modules", ".bin", "baton"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(parent);
}
