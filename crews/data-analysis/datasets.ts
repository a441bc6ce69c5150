/**
 * Datasets: the CSV files in `data/`, by name.
 *
 * Listed once, when the crew is loaded; a file is read when it is asked for. A name is looked up in that list, so it
 * cannot lead out of the folder.
 */
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { ToolError } from "@baton/core";
import { parseCsv, type Table } from "./table.ts";

const FOLDER = new URL("data/", import.meta.url);

const ENDING = ".csv";

/** Names of all datasets. */
export const DATASETS: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(ENDING))
  .map((file) => file.slice(0, -ENDING.length));

/** Reads the dataset of a name. */
export async function readDataset(name: string): Promise<Table> {
  if (!DATASETS.includes(name)) {
    throw new ToolError("validation", `no dataset "${name}"; datasets are: ${DATASETS.join(", ")}`);
  }
  return parseCsv(await readFile(new URL(`${name}${ENDING}`, FOLDER), "utf8"));
}
