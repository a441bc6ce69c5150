/**
 * Diagnostics: one look at the whole machine.
 *
 * Measures everything at once; what cannot be measured here is named and does not spoil the rest.
 */
import { arch, hostname, release, type, uptime } from "node:os";
import { measureCpu } from "./cpu.ts";
import { judgeDisk } from "./disk.ts";
import { judgeMemory } from "./memory.ts";
import { listProcesses } from "./processes.ts";

const TOP_PROCESSES = 5;

/** The name and system of this machine, and its uptime. */
export const describeMachine = () => ({
  hostname: hostname(),
  system: `${type()} ${release()}`,
  architecture: arch(),
  uptime_hours: Math.round(uptime() / 360) / 10,
  node: process.version,
});

/** CPU, memory, disk and the busiest processes, with what needs attention first. */
export async function diagnose(abort: AbortSignal) {
  const [cpu, memory, disk, processes] = await Promise.all([
    measureCpu(abort),
    judgeMemory(),
    judgeDisk("/"),
    listProcesses(TOP_PROCESSES, abort).catch(() => "not available on this machine"),
  ]);
  const levels = Object.entries({ cpu: cpu.level, memory: memory.level, disk: disk.level });
  const attention = levels.filter(([, level]) => level !== "ok").map(([name, level]) => `${name}: ${level}`);
  return {
    attention: attention.length > 0 ? attention : "nothing",
    machine: describeMachine(),
    cpu,
    memory,
    disk,
    processes,
  };
}
