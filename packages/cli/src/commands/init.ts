/**
 * `baton init`: a small crew to start from, which runs at once.
 *
 * Nothing is overwritten: where one of the files is there already, none is written. The crew depends on this very
 * Baton, by its place: a name could be anybody's.
 */
import { cp, readdir, realpath, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { BatonError, toBatonError } from "@baton/core";
import { toBaton } from "../continuation.ts";
import type { Command } from "../invocation.ts";
import { toShellWord } from "../shell-word.ts";
import manifest from "../../template/package.json" with { type: "json" };

const PACKAGE = join(import.meta.dirname, "..", "..");
const TEMPLATE = join(PACKAGE, "template");
const LINK = join(PACKAGE, "link");

/** Writes the crew and says what to do next. */
export const command: Command = async ({ positionals: [folder = "my-crew"] }) => {
  const files = (await readdir(TEMPLATE, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(TEMPLATE.length + 1))
    .toSorted();
  const there = await Promise.all(files.map((file) => isThere(join(folder, file))));
  const taken = files.filter((_file, index) => there[index]);
  if (taken.length > 0) {
    throw new BatonError(
      "invalid",
      `${folder} has ${taken.join(", ")} already, so nothing was written; name another folder`,
    );
  }
  try {
    await cp(TEMPLATE, folder, { recursive: true });
    const devDependencies = { baton: toDependency(await realpath(folder)) };
    await writeFile(
      join(folder, "package.json"),
      `${JSON.stringify({ ...manifest, devDependencies }, undefined, 2)}\n`,
    );
  } catch (error) {
    const { message } = toBatonError(error, "invalid");
    throw new BatonError("invalid", `${folder} cannot be written: ${message}; name another folder`);
  }
  process.stdout.write(toNext(folder, files));
  return 0;
};

/** Where this Baton is, as npm writes it down. */
function toDependency(folder: string): string {
  return `file:${relative(folder, LINK)}`;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function toNext(folder: string, files: readonly string[]): string {
  const baton = toBaton();
  const at = toShellWord(folder);
  return [
    `Wrote a crew into ${folder}: ${files.join(", ")}`,
    "",
    "It runs at once, from its script:",
    `  ${baton} run ${at} "What time is it in Hanoi?"`,
    `  ${baton} check ${at}`,
    `  cd ${at} && npm install && npm test`,
    "",
    "To let a model answer, set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY and run it again.",
    "",
  ].join("\n");
}
