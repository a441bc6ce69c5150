/**
 * Command: one line that a person allowed, run without a shell.
 *
 * The line is split at white space and nothing in it is interpreted, so a line that counts on a shell is refused.
 */
import { z } from "zod";
import { runProgram } from "./program.ts";

const SHELL_CHARACTERS = ["|", "&", ";", "<", ">", "`", "$", '"', "'", "\\", "*", "?", "\n"];

/** A command line without anything a shell would interpret. */
export const CommandLine = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .refine((line) => !SHELL_CHARACTERS.some((character) => line.includes(character)), {
    message: "one program and its arguments only: no shell, so no pipes, redirects, quotes, variables or wildcards",
  });

/** Runs the line and gives what it wrote. */
export async function runCommand(line: string, abort: AbortSignal) {
  const [program = "", ...args] = line.split(" ").filter((word) => word !== "");
  const { exitCode, stdout, stderr } = await runProgram({ program, args, abort });
  return { command: line, exit_code: exitCode, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
}
