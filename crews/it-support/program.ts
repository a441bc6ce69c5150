/**
 * Program: one other program of this machine, run without a shell and awaited.
 *
 * A program that ends with an exit code other than 0 is a result; one that is not there is a `permanent` tool error.
 */
import { execFile } from "node:child_process";
import { ToolError } from "@baton/core";

/** The exit code and the output of a program. */
export interface ProgramResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A program, its arguments and its time limit. */
interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
  readonly abort: AbortSignal;
}

const MAX_OUTPUT_BYTES = 1_024 * 1_024;

/** Runs a program to its end; the abort signal kills it. */
export function runProgram({ program, args, abort }: ProgramCall): Promise<ProgramResult> {
  return new Promise((resolve, reject) => {
    // A fixed locale, because what it writes is read by other functions here.
    const options = { signal: abort, maxBuffer: MAX_OUTPUT_BYTES, env: { ...process.env, LC_ALL: "C" } };
    execFile(program, [...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve({ exitCode: 0, stdout, stderr });
      if (typeof error.code === "number") return resolve({ exitCode: error.code, stdout, stderr });
      if (error.code === "ENOENT") {
        return reject(new ToolError("permanent", `the program "${program}" is not installed on this machine`));
      }
      if (error.code === "EACCES" || error.code === "EPERM") {
        return reject(new ToolError("permission", `the program "${program}" may not be run on this machine`));
      }
      return reject(error);
    });
  });
}
