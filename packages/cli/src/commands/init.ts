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
import type { CliCommand } from "../command-line.ts";
import { toShellWord } from "../shell-word.ts";
import { wrap } from "../terminal/paragraph.ts";
import own from "../../package.json" with { type: "json" };
import manifest from "../../template/package.json" with { type: "json" };

const TEMPLATE = join(import.meta.dirname, "..", "..", "template");
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
export const command: CliCommand = async ({ positionals: [folder = "my-crew"] }) => {
  const name = folder === "" ? "" : basename(resolve(folder));
  if (!NAME.test(name)) {
    const problem = `"${name}" is not a valid name for a crew`;
    throw new BatonError("invalid", `${problem}: use at most 128 letters, digits, - and _`);
  }
  try {
    await checkEmpty(folder);
    const files = await write(folder, name);
    process.stdout.write(toNext(folder, files));
    return 0;
  } catch (error) {
    if (error instanceof BatonError) throw error;
    throw new BatonError("invalid", `cannot write to ${folder}: ${toReason(error)}; name another folder`);
  }
};

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
async function write(folder: string, name: string): Promise<readonly string[]> {
  const files = (await readdir(TEMPLATE, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(TEMPLATE.length + 1));
  const written = files.map((file) => NAMES.get(file) ?? file);
  for (const [index, file] of files.entries()) {
    const path = join(folder, written[index] ?? file);
    const text =
      file === "package.json" ? toManifest(name) : toText(await readFile(join(TEMPLATE, file), "utf8"), name);
    await makeFolder(dirname(path));
    await writeFile(path, text, { flag: "wx" });
  }
  return written.toSorted();
}

/** Makes a folder and those above it. Node's `recursive` never ends if the system refuses with ENOENT, as below /proc. */
async function makeFolder(folder: string): Promise<void> {
  if (existsSync(folder)) return;
  await makeFolder(dirname(folder));
  await mkdir(folder);
}

/** A project imports Baton from one package. */
function toText(text: string, name: string): string {
  return text.replaceAll('"@baton/core"', '"@baton/baton"').replaceAll("my-crew", name);
}

/** npm allows fewer characters in package names. */
function toManifest(name: string): string {
  const short = name.toLowerCase().replace(/^[_-]+/, "");
  const dependencies = { "@baton/baton": own.version, "@baton/cli": own.version, zod: own.dependencies.zod };
  const whole = { ...manifest, name: short === "" || short === "node_modules" ? "crew" : short, dependencies };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

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

function toNext(folder: string, files: readonly string[]): string {
  const at = toShellWord(folder);
  return [
    `Created a crew in ${folder}:`,
    ...wrap(files.join(", "), LIST_CHARS).map((line) => `  ${line.trimEnd()}`),
    "",
    ...toCommands(at, isInstalled(resolve(folder)) ? [] : ["  npm install"]),
    "",
    "To use a real model, copy .env.example to .env and add your API key.",
    "",
  ].join("\n");
}

/** Until a project is installed, `npx baton` there is the npm package of that name, which is not this one. */
function toCommands(at: string, install: readonly string[]): readonly string[] {
  const baton = batonCommand();
  const enter = [`  cd ${at}`, ...install];
  const ask = "ask it something; without an API key its script answers:";
  const test = ["Test it, and serve it with a console in the browser:"];
  const run = ["  npm test", "  npm start"];
  const input = '"What time is it in Hanoi?"';
  if (baton === "npx baton" && install.length > 0)
    return [`Install it, and ${ask}`, ...enter, `  ${baton} run ${input}`, "", ...test, ...run];
  return [
    "Run it; without an API key its script answers:",
    `  ${baton} run ${at} ${input}`,
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
