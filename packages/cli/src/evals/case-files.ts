/**
 * Case files: the cases and checks in a crew's folder.
 */
import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, extname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { CodeCheck } from "@baton/evals";

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

/** The checks of evals/checks.ts, by their names. */
export async function loadChecks(folder: string): Promise<ReadonlyMap<string, CodeCheck>> {
  const file = join(folder, "evals", "checks.ts");
  if (!existsSync(file)) return new Map();
  const module: unknown = await import(pathToFileURL(resolve(file)).href);
  const all = typeof module === "object" && module !== null && "default" in module ? module.default : undefined;
  const checks = typeof all === "object" && all !== null ? Object.entries(all) : [];
  return new Map(checks.filter((entry): entry is [string, CodeCheck] => typeof entry[1] === "function"));
}
