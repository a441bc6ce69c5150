/**
 * Tables: the data files of names in `tables/`, one row a line, tabs between cells; a line that begins with `#` explains.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "tables");

/** The rows of a table. */
export const readTable = (name: string): readonly (readonly string[])[] => readRows(join(FOLDER, `${name}.tsv`));

/** The rows of a table that stands beside the code that uses it. */
export function readRows(path: string): readonly (readonly string[])[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("# ")).map((line) => line.split("\t"));
}

/** Names with `;` between them. */
export function toNames(cell: string | undefined): readonly string[] {
  return (cell ?? "").split(";").filter((name) => name !== "");
}

/** A table of two columns, by the first. */
export function readPairs(name: string): ReadonlyMap<string, string> {
  return new Map(readTable(name).map(([key = "", value = ""]) => [key, value]));
}
