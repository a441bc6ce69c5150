/**
 * Case files: the cases in a crew's folder.
 */
import { readdir } from "node:fs/promises";
import { dirname, extname, join } from "node:path";

/** The folder of a crew, which may be a file. */
export function folderOfCrew(path: string): string {
  return extname(path) === "" ? path : dirname(path);
}

/** Files of cases in the folder `evals` of a crew. */
export async function findCases(path: string): Promise<readonly string[]> {
  const { isCaseFile } = await import("@baton/evals");
  const folder = join(folderOfCrew(path), "evals");
  const found = await readdir(folder).catch(() => []);
  return found
    .filter(isCaseFile)
    .toSorted()
    .map((file) => join(folder, file));
}
