/**
 * Memory: how much of this machine's memory and swap is in use.
 *
 * Swap is known only where the kernel shows `/proc/meminfo`.
 */
import { readFile } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import { toGibibytes, toLevel, toPercent } from "./level.ts";

/** Memory in use and, where it can be known, swap. */
export async function measureMemory() {
  const total = totalmem();
  const available = freemem();
  return {
    total_gib: toGibibytes(total),
    used_gib: toGibibytes(total - available),
    available_gib: toGibibytes(available),
    used_percent: toPercent(total - available, total),
    swap: await measureSwap(),
  };
}

/** Memory in use, judged. */
export async function judgeMemory() {
  const memory = await measureMemory();
  const level = toLevel(memory.used_percent, { warning: 80, critical: 92 });
  const advice = {
    ok: "Memory is not the problem.",
    warning: "Memory is getting short: look at the processes that use most of it.",
    critical: "Memory is nearly used up: end or move what uses most of it, or add memory.",
  }[level];
  return { level, advice, ...memory };
}

async function measureSwap() {
  const text = await readFile("/proc/meminfo", "utf8").catch(() => undefined);
  if (text === undefined) return null;
  const totalKib = readKib(text, "SwapTotal:");
  const freeKib = readKib(text, "SwapFree:");
  return { total_gib: toGibibytes(totalKib * 1_024), used_percent: toPercent(totalKib - freeKib, totalKib) };
}

/** The number after a name such as `SwapTotal:`; 0 where the name is missing. */
export function readKib(meminfo: string, name: string): number {
  const line = meminfo.split("\n").find((candidate) => candidate.startsWith(name));
  return line === undefined ? 0 : Number.parseInt(line.slice(name.length), 10);
}
