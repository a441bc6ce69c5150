/**
 * Finance command: runs `baton-finance` as a child process in a folder of its own.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";

/** The folder of the data, and settings beside PATH and HOME. */
export type FinanceCommandOptions = Readonly<{ folder: string; env?: Readonly<Record<string, string>> }>;

/** Starts the command; `ended` waits for its end and returns everything it wrote. */
export function startFinance(args: readonly string[], { folder, env = {} }: FinanceCommandOptions) {
  const program = join(import.meta.dirname, "../baton-finance.ts");
  const child = spawn(process.execPath, [program, ...args, "--data", folder], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const ended = async () => {
    await once(child, "close");
    return { stdout, stderr, exitCode: child.exitCode };
  };
  return { child, ended };
}
