/**
 * Growth: that work on hostile input grows no faster than the input.
 *
 * Measured in CPU time of this thread, the least of several tries: what the machine does beside it only ever adds.
 */
import assert from "node:assert/strict";

const TRIES = 20;
/** Square growth would be a hundredfold. */
const MAX_GROWTH = 20;
/** Work that is over so soon has not grown, whatever the clock says. */
const SOON_MS = 50;
const MAX_MS = 5_000;

/** Asserts that ten times the input is about ten times the work; `toWork` prepares a size and gives the work on it. */
export function assertLinear(size: number, toWork: (size: number) => () => unknown): void {
  const small = toWork(size);
  const large = toWork(size * 10);
  let smallMs = Infinity;
  let largeMs = Infinity;
  for (let tries = 0; tries < TRIES; tries++) {
    smallMs = Math.min(smallMs, cpuMs(small));
    largeMs = Math.min(largeMs, cpuMs(large));
    assert.ok(largeMs < MAX_MS, `${largeMs.toFixed(0)} ms of work`);
    if (largeMs <= Math.max(smallMs * MAX_GROWTH, SOON_MS)) return;
  }
  assert.fail(`${smallMs.toFixed(1)} ms of work grew to ${largeMs.toFixed(1)} ms`);
}

function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
