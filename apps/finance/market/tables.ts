/**
 * Tables: the data files of names in `tables/`, one row a line, tabs between cells; a line that begins with `#` explains.
 */
import { join } from "node:path";
import { readRows } from "@baton/assistant";

const FOLDER = join(import.meta.dirname, "..", "tables");

/** The rows of a table. */
export const readTable = (name: string): readonly (readonly string[])[] => readRows(join(FOLDER, `${name}.tsv`));

/** Names with `;` between them. */
export function toNames(cell: string | undefined): readonly string[] {
  return (cell ?? "").split(";").filter((name) => name !== "");
}

/** A table of two columns, by the first. */
export function readPairs(name: string): ReadonlyMap<string, string> {
  return new Map(readTable(name).map(([key = "", value = ""]) => [key, value]));
}
