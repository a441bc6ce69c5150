/**
 * Test process: runs one batch of test files in a process of its own, and says how it went and how much CPU it took.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import type { TestBatch } from "./test-plan.ts";

/** The end of a batch: counts of its tests, its CPU seconds with those of its children, and what it printed. */
export interface BatchResult {
  readonly batch: TestBatch;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly cpuSeconds: number;
  /** CPU seconds of the tests of each file, without what loading them took. */
  readonly cpuOfFiles: ReadonlyMap<string, number>;
  /** CPU seconds of the calibration in this process; 0 if it ended before that. */
  readonly unitSeconds: number;
  readonly output: string;
}

const COUNTS = z.object({ passed: z.number(), failed: z.number(), cancelled: z.number(), skipped: z.number() });
const CPU = z.object({ all: z.number(), files: z.record(z.string(), z.number()), unit: z.number() });
/** A test that waits for what never comes fails, instead of holding up the others. */
const TEST_TIMEOUT_MS = 60_000;
const LONG_TEST_TIMEOUT_MS = 300_000;
const BATCH_TIMEOUT_MS = 1_800_000;

/** Runs a batch; it counts as failed if its process ends without having told its counts. */
export async function runBatch(root: string, batch: TestBatch): Promise<BatchResult> {
  const folder = mkdtempSync(join(tmpdir(), "baton-tests-"));
  const [counts, cpu] = [join(folder, "counts"), join(folder, "cpu")];
  try {
    const isLong = batch.files.some((file) => file.endsWith(".deep.test.ts") || file.endsWith(".page.test.ts"));
    const flags = [
      "--import",
      "./tests/seed.ts",
      "--test",
      "--test-isolation=none",
      `--test-timeout=${isLong ? LONG_TEST_TIMEOUT_MS : TEST_TIMEOUT_MS}`,
    ];
    const child = spawn(process.execPath, [...flags, "--test-reporter=./tests/reporter.ts", ...batch.files], {
      cwd: root,
      env: { ...process.env, BATON_TEST_COUNTS: counts, BATON_TEST_CPU: cpu },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: BATCH_TIMEOUT_MS,
      killSignal: "SIGKILL",
    });
    const chunks: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const told = existsSync(counts) ? COUNTS.parse(JSON.parse(readFileSync(counts, "utf8"))) : undefined;
    const used = existsSync(cpu) ? CPU.parse(JSON.parse(readFileSync(cpu, "utf8"))) : { all: 0, files: {}, unit: 0 };
    const failed = (told?.failed ?? 0) + (told?.cancelled ?? 0);
    return {
      batch,
      passed: told?.passed ?? 0,
      failed: failed === 0 && (code !== 0 || told === undefined) ? 1 : failed,
      skipped: told?.skipped ?? 0,
      cpuSeconds: used.all,
      cpuOfFiles: new Map(Object.entries(used.files)),
      unitSeconds: used.unit,
      output: `${Buffer.concat(chunks).toString()}${code === 0 ? "" : `\nthe process ended with ${code ?? "a signal"}`}`,
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
