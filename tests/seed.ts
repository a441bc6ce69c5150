/**
 * Preloaded by `npm test`: gives all random tests one seed, so that a run of all tests can be repeated, and all processes
 * one cache of compiled modules, because each test file is a process of its own.
 *
 * No test asks the network: market data is offline unless a test says otherwise.
 *
 * `BATON_SEED=N npm test` tries another seed. With `BATON_SEED=random` every test chooses its own and prints it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { calibrate } from "./calibration.ts";

process.env["BATON_FINANCE_DATA"] ??= "offline";

// Where `baton` has it too.
process.env["NODE_COMPILE_CACHE"] ??= join(tmpdir(), "node-compile-cache");
enableCompileCache();

const fc = await import("fast-check");
const seed = process.env["BATON_SEED"] ?? "1";
process.env["BATON_SEED"] = seed;
if (seed === "random") delete process.env["BATON_SEED"];
else fc.configureGlobal({ seed: Number(seed) });

// The runner asks for the CPU time of each file's tests, of this process with the processes that it has waited for, and of the
// calibration beside them.
const cpuFile = process.env["BATON_TEST_CPU"];
delete process.env["BATON_TEST_CPU"];
if (cpuFile !== undefined) {
  const { afterEach, beforeEach } = await import("node:test");
  const files = new Map<string, number>();
  let last: number | undefined;
  // Before the first test all files of the process are loaded; that is no file's own time.
  beforeEach(() => {
    last ??= cpuSeconds();
  });
  afterEach((context) => {
    const now = cpuSeconds();
    const file = relative(process.cwd(), context.filePath ?? "");
    files.set(file, (files.get(file) ?? 0) + now - (last ?? now));
    last = now;
  });
  const early = calibrate();
  process.once("exit", () => {
    const all = cpuSeconds();
    const unit = (early + calibrate()) / 2;
    writeFileSync(cpuFile, JSON.stringify({ all, files: Object.fromEntries(files), unit }));
  });
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  const own = (user + system) / 1_000_000;
  if (process.platform !== "linux") return own;
  // After the command's name in parentheses, fields 14 and 15 of the ones that follow are the children's ticks.
  const fields = readFileSync("/proc/self/stat", "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return own + (Number(fields[13]) + Number(fields[14])) / 100;
}
