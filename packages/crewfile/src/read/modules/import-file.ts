/**
 * Import file: what a module of a crew's folder exports.
 *
 * Anything that goes wrong while it is imported is a finding that names the file and the reason.
 */
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { SourceFile } from "../yaml/source-file.ts";

/** Imports a module; the default is the language's own `import`. */
export type ImportModule = (url: string) => Promise<unknown>;

/** A module that was imported: its exports by name, or only a finding if it could not be. */
export interface ImportedFile {
  /** Absolute. */
  readonly file: string;
  readonly source: SourceFile;
  readonly exports?: ReadonlyMap<string, unknown>;
}

/** The place of a finding about a whole module. */
export const START = { start: 0, end: 0 };

const importModule: ImportModule = async (url) => import(url);

/** Imports a file; `code` names the finding if that fails. */
export async function importFile(path: string, code: string, load = importModule): Promise<ImportedFile> {
  const source = new SourceFile(path, "");
  const file = resolve(path);
  try {
    const module = await load(pathToFileURL(file).href);
    const exports = new Map(typeof module === "object" && module !== null ? Object.entries(module) : []);
    return { file, source, exports };
  } catch (error) {
    const message = `the file cannot be imported: ${toReason(error)}`;
    source.report(START, "", { code, message, fix: "fix the file, then check again" });
    return { file, source };
  }
}

function toReason(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error);
  return text.slice(0, 500);
}
