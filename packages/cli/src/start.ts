/**
 * Start: loads one command and runs it; whatever it throws becomes a sentence and an exit code.
 *
 * A `BatonError` is something the user can put right and says how, and so is a disk that is full; anything else is a
 * defect of Baton, shown with its place.
 */
import { BatonError } from "@baton/core";
import { toBatonError } from "@baton/core/ports";
import { giveModules } from "./crew/module-fallback.ts";
import { readEnvFiles } from "./env-file.ts";
import { UNUSABLE } from "./exit-code.ts";
import type { Command, Invocation } from "./command-line.ts";
import { toPrintable } from "./terminal/printable.ts";

const DEFECT = 1;

/** Runs a command to its exit code. */
export async function start(
  load: () => Promise<{ readonly command: Command }>,
  invocation: Invocation,
): Promise<number> {
  giveModules();
  try {
    await readEnvFiles(invocation.positionals, process.env);
    const { command } = await load();
    return await command(invocation);
  } catch (error) {
    if (error instanceof BatonError && error.code !== "internal") {
      process.stderr.write(`baton: ${toPrintable(error.message)}\n`);
      return UNUSABLE;
    }
    if (isStoreFailure(error)) {
      const { message } = toBatonError(error, "invalid");
      process.stderr.write(
        `baton: runs cannot be kept: ${toPrintable(message)}; make room, or name a folder with --data\n`,
      );
      return UNUSABLE;
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`baton: this is a defect of Baton; please report it:\n${toPrintable(detail)}\n`);
    return DEFECT;
  }
}

/** What SQLite throws where nothing is wrong with the file. */
function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}
