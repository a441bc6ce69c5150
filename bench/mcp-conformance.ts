/**
 * MCP conformance: the official suite against Baton's client, and against a server whose tools are crews.
 *
 * `node bench/mcp-conformance.ts [client|server] [SCENARIO…]` prints a line for each scenario, and exits with 1 if a check
 * fails that applies to Baton.
 */
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { z } from "zod";
import { startFixtures } from "./mcp-fixtures.ts";

const run = promisify(execFile);
const SUITE = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
const CLIENT = join(import.meta.dirname, "mcp-conformance-client.ts");
const MODERN = "2026-07-28";
const LEGACY = "2025-11-25";
const TIMEOUT_MS = 120_000;
const CHECK = z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() });

/** One scenario, as the suite is asked for it. */
interface Scenario {
  readonly side: "client" | "server";
  readonly name: string;
  /** Undefined for an extension, which belongs to no revision. */
  readonly version?: string;
}

/** The scenarios of a server whose tools are crews: without sampling, roots and resources. */
const SERVER_SCENARIOS: readonly string[] = [
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "server-sse-multiple-streams",
  "prompts-list",
  "dns-rebinding-protection",
  "http-header-validation",
  "server-stateless",
  "input-required-result-basic-elicitation",
  "input-required-result-request-state",
  "input-required-result-multi-round",
  "input-required-result-missing-input-response",
  "input-required-result-result-type",
  "input-required-result-unsupported-methods",
  "input-required-result-tampered-state",
  "input-required-result-ignore-extra-params",
  "input-required-result-validate-input",
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-required-task-error",
  "tasks-mrtr-input",
];

/** Checks that do not apply, and why. */
const NOT_APPLICABLE: ReadonlyMap<string, string> = new Map([
  ["sep-2575-server-rejects-undeclared-capability", "asks for a tool that needs sampling, which is deprecated"],
  ["sep-2663-tasks-get-status-failed", "asks for a crew that fails by a fault of the server"],
]);

/** The scenarios that the newest revision requires of a client. */
async function listRequired(): Promise<readonly string[]> {
  const text = await readFile(join(dirname(SUITE), "..", "requirements", `${MODERN}.yaml`), "utf8");
  const [, list = ""] = text.split("\nclient:\n");
  const lines = list.split("\n");
  const end = lines.findIndex((line) => !line.startsWith("  - "));
  return lines.slice(0, end).map((line) => line.slice("  - ".length));
}

async function listScenarios(): Promise<readonly Scenario[]> {
  const required = await listRequired();
  return [
    ...SERVER_SCENARIOS.map((name) => {
      const version = name.startsWith("tasks-") ? {} : { version: MODERN };
      return { side: "server", name, ...version } as const;
    }),
    ...required.map((name) => ({ side: "client", name, version: MODERN }) as const),
    ...["initialize", "tools_call"].map((name) => ({ side: "client", name, version: LEGACY }) as const),
  ];
}

/** Runs one scenario, and gives its checks. */
async function runScenario({ side, name, version }: Scenario, url: string) {
  const folder = await mkdtemp(join(tmpdir(), "conformance-"));
  const target = side === "server" ? ["--url", url] : ["--command", `${process.execPath} ${CLIENT}`];
  const revision = version === undefined ? [] : ["--spec-version", version];
  try {
    const args = [SUITE, side, ...target, "--scenario", name, ...revision, "-o", folder];
    await run(process.execPath, args, { timeout: TIMEOUT_MS }).catch(() => {});
    const files = (await readdir(folder, { recursive: true })).filter((file) => file.endsWith("checks.json"));
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), "utf8")));
    return texts.flatMap((text) => z.array(CHECK).parse(JSON.parse(text)));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints the result of a scenario; false if a check failed that applies, or if none passed. */
function report({ side, name, version = "extension" }: Scenario, checks: readonly z.output<typeof CHECK>[]): boolean {
  const passed = checks.filter(({ status }) => status === "SUCCESS").length;
  // A warning is a rule that a server should follow: here it counts as a failure.
  const failed = checks.filter(({ status }) => status === "FAILURE" || status === "WARNING");
  const applicable = failed.filter(({ id }) => !NOT_APPLICABLE.has(id));
  process.stdout.write(`${side} ${version} ${name}: ${passed} passed, ${applicable.length} failed\n`);
  for (const { id, errorMessage = "" } of failed)
    process.stdout.write(`  ${id}: ${NOT_APPLICABLE.get(id) ?? errorMessage}\n`);
  return passed > 0 && applicable.length === 0;
}

const [first = "", ...rest] = process.argv.slice(2);
const isSide = first === "client" || first === "server";
const names = isSide ? rest : process.argv.slice(2);
const all = (await listScenarios()).filter(
  ({ side, name }) => (!isSide || side === first) && (names.length === 0 || names.includes(name)),
);
await using fixtures = await startFixtures();
let good = 0;
for (const scenario of all) if (report(scenario, await runScenario(scenario, fixtures.url))) good += 1;
process.stdout.write(`${good} of ${all.length} scenarios\n`);
if (good < all.length || all.length === 0) process.exitCode = 1;
