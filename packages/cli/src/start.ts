/**
 * Start: loads a command, runs it, and turns errors into messages and exit codes.
 *
 * The user can fix a `BatonError` and a full disk, so only the message is printed. Any other error is a bug in Baton and
 * is printed with its stack.
 */
import { BatonError } from "@baton/core";
import { toBatonError } from "@baton/core/util";
import { registerModuleFallback } from "./crew/module-fallback.ts";
import { readEnvFiles } from "./crew/env-file.ts";
import { USAGE_ERROR } from "./exit-code.ts";
import type { CliCommand, CommandLine } from "./command-line.ts";
import { toPrintable } from "./terminal/printable.ts";

const BUG = 1;

/** Runs a command to its exit code. */
export async function start(
  load: () => Promise<{ readonly command: CliCommand }>,
  commandLine: CommandLine,
): Promise<number> {
  registerModuleFallback();
  try {
    await readEnvFiles(commandLine.positionals, process.env);
    const { command } = await load();
    return await command(commandLine);
  } catch (error) {
    if (error instanceof BatonError && error.code !== "internal") {
      process.stderr.write(`baton: ${toPrintable(error.message)}\n`);
      return USAGE_ERROR;
    }
    if (isStoreFailure(error)) {
      const { message } = toBatonError(error, "invalid");
      process.stderr.write(
        `baton: runs cannot be stored: ${toPrintable(message)}; free some disk space, or name another folder with --data DIR\n`,
      );
      return USAGE_ERROR;
    }
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    process.stderr.write(`baton: this is a bug in Baton; please report it:\n${toPrintable(detail)}\n`);
    return BUG;
  }
}

/** Whether SQLite could not write, for example because the disk is full. */
function isStoreFailure(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_SQLITE_ERROR";
}
