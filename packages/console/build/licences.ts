/**
 * Licences: what the licences of the packages, fonts and icons in a built console ask for: their names and their texts.
 */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

const FOLDER = "/node_modules/";
const LICENCE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** Writes one text with the licences of all packages that files come from; throws if a package does not say its licence. */
export async function toLicences(files: readonly string[]): Promise<string> {
  const folders = new Set(files.flatMap(packageFolderOf));
  const parts = await Promise.all([...folders].toSorted().map(describe));
  return [
    "The console of Baton is under the Apache License 2.0. It contains the following software, fonts and icons.\n",
    ...parts,
  ].join(`\n${"-".repeat(80)}\n\n`);
}

/** The folder of the package that a file belongs to; none for files of the console itself. */
function packageFolderOf(file: string): readonly string[] {
  const path = file.replaceAll("\\", "/").split("?", 1)[0] ?? "";
  const at = path.lastIndexOf(FOLDER);
  if (at === -1) return [];
  const [first = "", second = ""] = path.slice(at + FOLDER.length).split("/");
  return [path.slice(0, at + FOLDER.length) + (first.startsWith("@") ? `${first}/${second}` : first)];
}

async function describe(folder: string): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const fields = new Map<string, unknown>(
    typeof manifest === "object" && manifest !== null ? Object.entries(manifest) : [],
  );
  const wordsOf = (name: string): readonly string[] => {
    const value = fields.get(name);
    return typeof value === "string" ? [value] : [];
  };
  const names = (await readdir(folder)).filter((name) => LICENCE.test(name)).toSorted();
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
  if (texts.length === 0 && wordsOf("license").length === 0) throw new Error(`${folder} does not say its licence`);
  const head = ["name", "version", "license"].flatMap(wordsOf).join(" ");
  return `${[head, ...wordsOf("author"), ...texts.map((text) => text.trim())].join("\n\n")}\n`;
}
