/**
 * CPU: how busy the processors of this machine are, measured over a short while.
 *
 * Usage is what changed between two readings of the kernel's counters; one reading alone only gives the average since
 * the start.
 */
import { availableParallelism, cpus, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { toLevel, toPercent } from "./level.ts";

const SAMPLE_MS = 250;

/** Counters of all cores together, in milliseconds. */
interface CpuTimes {
  readonly busy: number;
  readonly idle: number;
}

/** The share of the time between two readings in which the cores were busy. */
export function usageBetween(before: CpuTimes, after: CpuTimes): number {
  const busy = Math.max(0, after.busy - before.busy);
  const idle = Math.max(0, after.idle - before.idle);
  return toPercent(busy, busy + idle);
}

/** Measures the processors for a quarter of a second. */
export async function measureCpu(abort: AbortSignal) {
  const before = readTimes();
  await sleep(SAMPLE_MS, undefined, { signal: abort });
  const usagePercent = usageBetween(before, readTimes());
  return {
    usage_percent: usagePercent,
    level: toLevel(usagePercent, { warning: 75, critical: 90 }),
    cores: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? "unknown",
    load_average_1_5_15_min: loadavg().map((load) => Math.round(load * 100) / 100),
    measured_over_ms: SAMPLE_MS,
  };
}

function readTimes(): CpuTimes {
  let busy = 0;
  let idle = 0;
  for (const { times } of cpus()) {
    busy += times.user + times.nice + times.sys + times.irq;
    idle += times.idle;
  }
  return { busy, idle };
}
