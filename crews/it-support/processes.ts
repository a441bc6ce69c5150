/**
 * Processes: what runs on this machine and uses most of it.
 */
import { ToolError } from "@baton/core";
import { runProgram } from "./program.ts";

/** A running process. */
interface Process {
  readonly pid: number;
  readonly cpu_percent: number;
  readonly memory_percent: number;
  readonly command: string;
}

/** The processes that use most CPU, then most memory, first. */
export async function listProcesses(count: number, abort: AbortSignal): Promise<readonly Process[]> {
  const args = ["-A", "-o", "pid=,pcpu=,pmem=,comm="];
  const { exitCode, stdout, stderr } = await runProgram({ program: "ps", args, abort });
  if (exitCode !== 0) throw new ToolError("permanent", `ps failed: ${stderr.trim()}`);
  return parseProcesses(stdout)
    .toSorted((a, b) => b.cpu_percent - a.cpu_percent || b.memory_percent - a.memory_percent)
    .slice(0, count);
}

/** Reads lines of pid, CPU, memory and command; a command may hold spaces. */
export function parseProcesses(output: string): readonly Process[] {
  return output.split("\n").flatMap((line): readonly Process[] => {
    const [pid, cpu, memory, ...command] = line
      .trim()
      .split(" ")
      .filter((word) => word !== "");
    if (pid === undefined || cpu === undefined || memory === undefined || command.length === 0) return [];
    return [
      {
        pid: Number(pid),
        cpu_percent: Number(cpu),
        memory_percent: Number(memory),
        command: command.join(" ").slice(0, 80),
      },
    ];
  });
}
