/**
 * MCP client conformance: the official suite against Baton's client.
 *
 * `node bench/mcp-client-conformance.ts [SCENARIO…]` prints a line for each scenario that a revision requires, and exits
 * with 1 if a check fails.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";

const run = promisify(execFile);
const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
const CLIENT = join(import.meta.dirname, "mcp-conformance-client.ts");
const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const LEGACY_SCENARIOS = ["initialize", "tools_call"];
const TIMEOUT_MS = 60_000;
const CHECK = z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() });

/** Result of one scenario. */
export interface ClientResult {
  readonly scenario: string;
  readonly version: string;
  readonly passed: number;
  readonly failed: readonly z.output<typeof CHECK>[];
}

/** The scenarios that the newest revision requires of a client. */
export async function listRequired(): Promise<readonly string[]> {
  const text = await readFile(join(dirname(SUITE), "..", "requirements", `${MODERN}.yaml`), "utf8");
  const [, list = ""] = text.split("\nclient:\n");
  const lines = list.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("  - "));
  return lines.slice(0, end).map((line) => line.slice("  - ".length));
}

/** Runs one scenario. */
export async function runClientScenario(scenario: string, version: string): Promise<ClientResult> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const command = `${process.execPath} ${CLIENT}`;
    const args = [
      SUITE,
      "client",
      "--command",
      command,
      "--scenario",
      scenario,
      "--spec-version",
      version,
      "-o",
      folder,
    ];
    await run(process.execPath, args, { timeout: TIMEOUT_MS }).catch(() => {});
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith("checks.json"));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    const checks = texts.flatMap((text) => z.array(CHECK).parse(JSON.parse(text)));
    const failed = checks.filter(({ status }) => status === "FAILURE");
    return { scenario, version, failed, passed: checks.filter(({ status }) => status === "SUCCESS").length };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  const asked = process.argv.slice(2);
  const modern = asked.length > 0 ? asked : await listRequired();
  const legacy = asked.length > 0 ? [] : LEGACY_SCENARIOS;
  const all = [...modern.map((name) => [name, MODERN] as const), ...legacy.map((name) => [name, LEGACY] as const)];
  let good = 0;
  for (const [scenario, version] of all) {
    const { passed, failed } = await runClientScenario(scenario, version);
    process.stdout.write(`${version} ${scenario}: ${passed} passed, ${failed.length} failed\n`);
    for (const { id, errorMessage = "" } of failed) process.stdout.write(`  ${id}: ${errorMessage}\n`);
    if (failed.length > 0 || passed === 0) process.exitCode = 1;
    else good++;
  }
  process.stdout.write(`${good} of ${all.length} scenarios\n`);
}
