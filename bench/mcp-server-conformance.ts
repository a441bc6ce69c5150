/**
 * MCP server conformance: the official suite against a server whose tools are crews.
 *
 * `node bench/mcp-server-conformance.ts [SCENARIO…]` prints a line for each scenario, and exits with 1 if a check fails
 * that is not in the list of those that do not apply.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { startFixtures } from "./mcp-fixtures.ts";

const run = promisify(execFile);
const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
const TIMEOUT_MS = 120_000;

/** The scenarios of a server whose tools are crews. */
export const SCENARIOS: readonly string[] = [
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "server-sse-multiple-streams",
  "prompts-list",
  "dns-rebinding-protection",
  "http-header-validation",
  "input-required-result-unsupported-methods",
  "server-stateless",
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-required-task-error",
];

const CHECK = z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() });

/** Result of one scenario. */
export interface ScenarioResult {
  readonly scenario: string;
  readonly passed: number;
  readonly failed: readonly z.output<typeof CHECK>[];
}

/** Runs one scenario against a server. */
export async function runScenario(url: string, scenario: string): Promise<ScenarioResult> {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  try {
    const version = scenario.startsWith("tasks-") ? [] : ["--spec-version", "2026-07-28"];
    const args = [SUITE, "server", "--url", url, "--scenario", scenario, ...version, "-o", folder];
    await run(process.execPath, args, { timeout: TIMEOUT_MS }).catch(() => {});
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith("checks.json"));
    const checks = (await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")))).flatMap((text) =>
      z.array(CHECK).parse(JSON.parse(text)),
    );
    const failed = checks.filter(({ status }) => status === "FAILURE");
    return { scenario, passed: checks.filter(({ status }) => status === "SUCCESS").length, failed };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] === import.meta.filename) {
  await using server = await startFixtures();
  const asked = process.argv.slice(2);
  for (const scenario of asked.length > 0 ? asked : SCENARIOS) {
    const { passed, failed } = await runScenario(server.url, scenario);
    process.stdout.write(`${scenario}: ${passed} passed, ${failed.length} failed\n`);
    for (const { id, errorMessage = "" } of failed) process.stdout.write(`  ${id}: ${errorMessage}\n`);
    if (failed.length > 0 || passed === 0) process.exitCode = 1;
  }
}
