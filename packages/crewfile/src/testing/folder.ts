/**
 * Folder: files for one test, gone when it is over.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

/** A folder that is deleted at the end of the block that holds it. */
export interface TestFolder extends AsyncDisposable {
  readonly path: string;
}

/** Writes files, by their names within the folder. */
export async function writeFolder(files: Readonly<Record<string, string | Uint8Array>>): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), "crewfile-"));
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
