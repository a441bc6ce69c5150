/**
 * Run transfer: `baton runs export` and `baton runs import`.
 */
import { createReadStream, createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { openDatabase, openStore } from "@baton/baton/store";
import { BatonError } from "@baton/core";
import { LOCAL } from "@baton/store";
import { type CommandLine, valueOf } from "../command-line.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { folderOf, requireDatabase } from "./data-folder.ts";
import { requireRun } from "./run-search.ts";
import { shortIdOf } from "./run-id.ts";

/** Writes a run as a file, or on standard output. */
export async function exportOne(commandLine: CommandLine, [word, ...more]: readonly string[]): Promise<number> {
  if (word === undefined || more.length > 0)
    throw new BatonError("invalid", "name one run: baton runs export RUN [--out FILE]");
  await using database = await requireDatabase(folderOf(commandLine));
  const { state: _, ...record } = await requireRun(database, word);
  const { exportRun } = await import("@baton/durable");
  const out = valueOf(commandLine, "out");
  if (out === undefined) for await (const line of exportRun(database, record)) process.stdout.write(line);
  else await pipeline(exportRun(database, record), createWriteStream(out, { mode: 0o600 }));
  return EXIT_CODES.done;
}

/** Writes a run as a case of `baton eval`: it passes at once, with no model. */
export async function writeCase(commandLine: CommandLine, [word, ...more]: readonly string[]): Promise<number> {
  if (word === undefined || more.length > 0)
    throw new BatonError("invalid", "name one run: baton runs to-case RUN [--out FILE]");
  await using database = await requireDatabase(folderOf(commandLine));
  const { id, crew } = await requireRun(database, word);
  const [{ toCase, redactSecrets }, { readAll }, { stringify }] = await Promise.all([
    import("@baton/evals"),
    import("@baton/store"),
    import("yaml"),
  ]);
  const text = stringify([toCase(`${crew}-${shortIdOf(id)}`, await readAll(database, id))], {
    aliasDuplicateObjects: false,
  });
  const clean = redactSecrets(text, process.env);
  const out = valueOf(commandLine, "out");
  if (out === undefined) process.stdout.write(clean);
  else await writeFile(out, clean);
  return EXIT_CODES.done;
}

/** Reads runs from files, and prints the id of each. */
export async function importAll(commandLine: CommandLine, files: readonly string[]): Promise<number> {
  if (files.length === 0) throw new BatonError("invalid", "name the files of runs: baton runs import FILE…");
  await using store = await openStore(await openDatabase({ data: folderOf(commandLine) }));
  const { importRun } = await import("@baton/durable");
  for (const file of files) {
    try {
      process.stdout.write(`${await importRun(store, createReadStream(file, "utf8"), LOCAL)}\n`);
    } catch (error) {
      throw toFileError(file, error);
    }
  }
  return EXIT_CODES.done;
}

function toFileError(file: string, error: unknown): unknown {
  if (error instanceof BatonError) return new BatonError(error.code, `${file}: ${error.message}`, { cause: error });
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return code === "ENOENT" ? new BatonError("invalid", `there is no file ${file}`, { cause: error }) : error;
}
