/**
 * Data table: rows of a file beside the code, tabs between cells; a line that begins with `# ` explains.
 */
import { readFileSync } from "node:fs";

/** The rows of a table. */
export function readRows(path: string): readonly (readonly string[])[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("# ")).map((line) => line.split("\t"));
}
