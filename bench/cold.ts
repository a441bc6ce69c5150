/**
 * Cold: how long the command takes from nothing to its end, against a Node that does nothing.
 *
 * Median of several processes each, by turns, with the compile cache as a second run finds it. Run it with `node
 * bench/cold.ts`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROUNDS = 11;
const ROOT = fileURLToPath(new URL("..", import.meta.url));
const BATON = "packages/cli/bin/baton.js";

const COMMANDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["node, nothing", ["-e", "0"]],
  ["baton --help", [BATON, "--help"]],
  ["baton check crews/it-support", [BATON, "check", "crews/it-support"]],
  ["baton run crews/hello, scripted", [BATON, "run", "crews/hello", "Hello!"]],
  ["baton run crews/hello, offline model", [BATON, "run", "crews/hello", "Hello!", "--model", "offline"]],
]);

const data = mkdtempSync(join(tmpdir(), "baton-cold-"));
const times = new Map<string, number[]>([...COMMANDS.keys()].map((name) => [name, []]));
for (let round = 0; round <= ROUNDS; round++) {
  for (const [name, args] of COMMANDS) {
    const ms = time(args);
    // The first round fills the compile cache.
    if (round > 0) times.get(name)?.push(ms);
  }
}

rmSync(data, { recursive: true });
const floorMs = median(times.get("node, nothing") ?? []);
for (const [name, list] of times) {
  const ms = median(list);
  console.log(`${name.padEnd(40)}${ms.toFixed(0).padStart(6)} ms${(ms / floorMs).toFixed(1).padStart(7)}×`);
}

function time(args: readonly string[]): number {
  const start = performance.now();
  const env = { PATH: process.env["PATH"], BATON_DATA: data };
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, env });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}: ${stderr.toString()}`);
  return performance.now() - start;
}

function median(list: readonly number[]): number {
  return list.toSorted((a, b) => a - b)[list.length >> 1] ?? Number.NaN;
}
