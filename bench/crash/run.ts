/**
 * The crash table: each system plays the same run (an order is looked up, a refund waits for approval and is paid, a mail is
 * sent) while it is killed at every moment, approved twice, and deployed anew during the pause; then a long session.
 *
 * Run it with `npx node bench/crash/run.ts`. It installs the other systems into a folder of its own, which needs a network.
 */
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { playLongSession } from "./long-session.ts";
import { toTable, type SystemResult } from "./report.ts";
import { install, systems } from "./system.ts";
import { playTrial, type Fault, type Trial } from "./trial.ts";
import { moments, requestsOfRun } from "./world.ts";

const { values } = parseArgs({
  options: {
    systems: { type: "string", default: systems.map(({ name }) => name).join(",") },
    peers: { type: "string", default: join(tmpdir(), "baton-crash-peers") },
    json: { type: "boolean", default: false },
  },
});

const faults: readonly Fault[] = [
  ...Array.from({ length: requestsOfRun }, (_, index) =>
    moments.map((moment): Fault => ({ kind: "kill", at: { request: index + 1, moment } })),
  ).flat(),
  { kind: "kill", at: "paused" },
  { kind: "approved twice", by: "one process" },
  { kind: "approved twice", by: "two processes" },
  { kind: "deploy" },
];

const chosen = values.systems.split(",");
const results: SystemResult[] = [];
for (const system of systems.filter(({ name }) => chosen.includes(name))) {
  const adapter = await install(system, values.peers);
  const trials: Trial[] = [];
  for (const fault of faults) {
    const trial = await playTrial(adapter, fault);
    trials.push(trial);
    console.error(
      `${system.name}: ${trial.fault}: ${trial.message}, ${trial.refunds} refunds, ${trial.repeated} repeated`,
    );
  }
  results.push({ system, trials, session: await playLongSession(adapter) });
}
console.log(values.json ? JSON.stringify(results, null, 2) : toTable(results));
