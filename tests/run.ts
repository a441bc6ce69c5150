/**
 * Run: `npm test`. Plays the quick tests, one path through each page and one slice of the deep tests, in as many processes
 * at a time as the machine has cores and one more, because many of them wait.
 *
 * `npm test -- packages/core` plays the tests below a path; `npm run test:all` plays every page and every case.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { calibrate } from "./calibration.ts";
import { planTests } from "./test-plan.ts";
import { type BatchResult, runBatch } from "./test-process.ts";

/**
 * CPU that a quick file may take on a quiet machine; a slower one is made cheaper, or what is exhaustive in it becomes a
 * deep test.
 */
const MAX_CPU_SECONDS = 2;
const SLOWEST_SHOWN = 10;

const root = join(import.meta.dirname, "..");
const prefixes = process.argv.slice(2).map((path) => path.replace(/^\.\//, ""));
const slice = process.env["BATON_SLICE"] ?? "0";
const batches = planTests(root, { prefixes, slice });
const startedAt = performance.now();
const quietUnit = (calibrate() + calibrate()) / 2;
const results: BatchResult[] = [];
const waiting = [...batches];

console.log(`${batches.length} processes, seed ${process.env["BATON_SEED"] ?? "1"}, slice ${slice}`);
await Promise.all(Array.from({ length: availableParallelism() + 1 }, work));
const slow = findSlow();
summarize();

async function work(): Promise<void> {
  for (let batch = waiting.shift(); batch !== undefined; batch = waiting.shift()) {
    const result = await runBatch(root, batch);
    results.push(result);
    const name = batch.files.length === 1 ? batch.files[0] : `${batch.files[0]} and ${batch.files.length - 1} more`;
    console.log(
      `${result.failed > 0 ? "✖" : "✔"} ${name} · ${result.passed} passed · ${result.cpuSeconds.toFixed(1)} s`,
    );
    if (result.failed > 0) console.log(result.output);
  }
}

/** Finds the quick files beyond the limit, in the CPU seconds of the quickest process: beside other work all take longer. */
function findSlow(): readonly (readonly [file: string, seconds: number])[] {
  const units = results.flatMap(({ unitSeconds }) => (unitSeconds > 0 ? [unitSeconds] : []));
  const quickest = Math.min(quietUnit, ...units);
  return results.flatMap(({ batch, cpuOfFiles, unitSeconds }) => {
    if (batch.tier !== "test" || unitSeconds === 0) return [];
    const quiet = [...cpuOfFiles].map(([file, seconds]) => [file, (seconds * quickest) / unitSeconds] as const);
    return quiet.filter(([, seconds]) => seconds > MAX_CPU_SECONDS);
  });
}

function summarize(): void {
  const sum = (count: (result: BatchResult) => number) => results.reduce((total, result) => total + count(result), 0);
  const [passed, failed, skipped] = [sum((r) => r.passed), sum((r) => r.failed), sum((r) => r.skipped)];
  const slowest = results.toSorted((one, other) => other.cpuSeconds - one.cpuSeconds).slice(0, SLOWEST_SHOWN);
  console.log("\nCPU seconds of the slowest processes:");
  for (const { batch, cpuSeconds } of slowest) console.log(`  ${cpuSeconds.toFixed(1)} ${batch.files.join(" ")}`);
  for (const { output, batch } of results.filter((result) => result.failed > 0)) {
    console.log(`\nFAILED ${batch.files.join(" ")}\n${output}`);
  }
  for (const [file, seconds] of slow) {
    console.log(`TOO SLOW ${file}: ${seconds.toFixed(1)} s of CPU, at most ${MAX_CPU_SECONDS}`);
  }
  const clockSeconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`\n${clockSeconds} s on the clock, ${Math.round(sum((r) => r.cpuSeconds))} s of CPU`);
  console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
  if (failed > 0 || slow.length > 0 || passed === 0) process.exitCode = 1;
}
