/**
 * `baton init`: a small project to start from, which runs at once, with and without a key.
 *
 * Nothing is overwritten: a folder that has anything in it is left alone. The project depends on the version of Baton
 * that wrote it.
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { BatonError } from "@baton/core";
import { toMessage } from "@baton/core/ports";
import { toBaton } from "../runs/resume-command.ts";
import type { Command } from "../command-line.ts";
import { toShellWord } from "../shell-word.ts";
import own from "../../package.json" with { type: "json" };
import manifest from "../../template/package.json" with { type: "json" };

const TEMPLATE = join(import.meta.dirname, "..", "..", "template");
/** npm does not pack files with these names. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["gitignore", ".gitignore"],
  ["env.example", ".env.example"],
]);
/** As routes name a crew: by its folder. */
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const MAX_SHOWN = 3;

/** Writes the project and says what to do next. */
export const command: Command = async ({ positionals: [folder = "my-crew"] }) => {
  const name = folder === "" ? "" : basename(resolve(folder));
  if (!NAME.test(name)) {
    const problem = `"${name}" cannot be the name of a crew`;
    throw new BatonError("invalid", `${problem}: use letters, digits, - and _, at most 128 of them`);
  }
  try {
    await checkEmpty(folder);
    const files = await write(folder, name);
    process.stdout.write(toNext(folder, files));
    return 0;
  } catch (error) {
    if (error instanceof BatonError) throw error;
    throw new BatonError("invalid", `${folder} cannot be written: ${toReason(error)}; name another folder`);
  }
};

/** What a version control keeps is nobody's file. */
async function checkEmpty(folder: string): Promise<void> {
  const there = (await readdir(folder).catch(toNone)).filter((name) => name !== ".git").toSorted();
  if (there.length === 0) return;
  const more = there.length > MAX_SHOWN ? " and more" : "";
  const problem = `${folder} has ${there.slice(0, MAX_SHOWN).join(", ")}${more} already`;
  throw new BatonError("invalid", `${problem}, so nothing was written; name another folder`);
}

function toNone(error: unknown): readonly string[] {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
  throw error;
}

/** Gives the files by their names, in the order of the alphabet. */
async function write(folder: string, name: string): Promise<readonly string[]> {
  const files = (await readdir(TEMPLATE, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(TEMPLATE.length + 1));
  const written = files.map((file) => NAMES.get(file) ?? file);
  for (const [index, file] of files.entries()) {
    const path = join(folder, written[index] ?? file);
    const text =
      file === "package.json" ? toManifest(name) : toText(await readFile(join(TEMPLATE, file), "utf8"), name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text, { flag: "wx" });
  }
  return written.toSorted();
}

/** A project imports all of Baton from one package. */
function toText(text: string, name: string): string {
  return text.replaceAll('"@baton/core"', '"@baton/baton"').replaceAll("my-crew", name);
}

/** npm's names of packages are narrower than those of folders. */
function toManifest(name: string): string {
  const short = name.toLowerCase().replace(/^[_-]+/, "");
  const dependencies = { "@baton/baton": own.version, "@baton/cli": own.version, zod: own.dependencies.zod };
  const whole = { ...manifest, name: short === "" || short === "node_modules" ? "crew" : short, dependencies };
  return `${JSON.stringify(whole, undefined, 2)}\n`;
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["EACCES", "you have no permission to write there"],
  ["EPERM", "you have no permission to write there"],
  ["EROFS", "that disk is read-only"],
  ["ENOTDIR", "it is a file, or is inside one"],
  ["ENOSPC", "the disk is full"],
]);

function toReason(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS.get(code) ?? toMessage(error);
}

function toNext(folder: string, files: readonly string[]): string {
  const baton = toBaton();
  const at = toShellWord(folder);
  const install = isInstalled(resolve(folder)) ? [] : ["  npm install"];
  return [
    `Wrote a crew into ${folder}: ${files.join(", ")}`,
    "",
    "It runs at once, from its script:",
    `  ${baton} run ${at} "What time is it in Hanoi?"`,
    "",
    "To test it, and to serve it with a console in the browser:",
    `  cd ${at}`,
    ...install,
    "  npm test",
    "  npm start",
    "",
    "To let a model answer, copy .env.example to .env and fill in a key.",
    "",
  ].join("\n");
}

/** Whether scripts of npm find the command, in this folder or one that it is in. */
function isInstalled(folder: string): boolean {
  if (existsSync(join(folder, "node_modules", ".bin", "baton"))) return true;
  const parent = dirname(folder);
  return parent !== folder && isInstalled(parent);
}
