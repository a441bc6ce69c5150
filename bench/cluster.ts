/**
 * Cluster: runs a second and CPU time a run of each part, when servers accept runs and workers execute them.
 *
 * `node bench/cluster.ts [--workers 1,2] [--restate 0,1] [--seconds 10] [--connections 50]`. Each request streams its run
 * from one of two servers (`/api/crew/stream`). `at once` is a model that answers immediately; `paced` gives 50 words, one
 * every 20 ms, as real models do. What the figures mean is in this folder's README. Linux only: CPU time is read from /proc.
 */
import { readFileSync, rmSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { SystemClock } from "@baton/core/ports";
import { Cluster, type ClusterOptions } from "@baton/cli/src/up/cluster.ts";
import { Connection, toPost } from "./http-client.ts";
import { medianOf, print } from "./report.ts";

const { values: asked } = parseArgs({
  options: {
    workers: { type: "string", default: "1,2" },
    restate: { type: "string", default: "0,1" },
    seconds: { type: "string", default: "10" },
    connections: { type: "string", default: "50" },
  },
});
const CREW = join(import.meta.dirname, "..", "crews", "hello");
const WORDS = Array.from({ length: 50 }, (_, index) => `word${index}`).join(" ");
const PACES = { "at once": 0, paced: 20 } as const;
const WARM_UP_MS = 8_000;
/** Of /proc/PID/stat, on all Linux there is. */
const TICKS_PER_SECOND = 100;

const folder = mkdtempSync(join(tmpdir(), "baton-bench-"));
try {
  for (const [pace, delayMs] of Object.entries(PACES)) await measurePace(pace, delayMs);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measurePace(pace: string, delayMs: number): Promise<void> {
  const script = join(folder, `${delayMs}.yaml`);
  writeFileSync(script, `greeter:\n  - say: "${WORDS}"\n    delay_ms: ${delayMs}\n`);
  for (const restate of asked.restate.split(",")) {
    for (const workers of asked.workers.split(",")) {
      const name = `${pace}, ${workers} worker${workers === "1" ? "" : "s"}, ${restate === "0" ? "lease" : "Restate"}`;
      await measure(name, script, { workers: Number(workers), restateNodes: restate === "0" ? 0 : 1 });
    }
  }
}

async function measure(
  name: string,
  script: string,
  size: Pick<ClusterOptions, "workers" | "restateNodes">,
): Promise<void> {
  await using cluster = await Cluster.start({
    ...size,
    clock: new SystemClock(),
    crews: [CREW],
    port: 0,
    servers: 2,
    options: ["--script", script, "--log-level", "error"],
    env: process.env,
    log: () => undefined,
    tell: () => undefined,
  });
  await load(cluster, WARM_UP_MS);
  const before = cpuOf(cluster);
  const began = performance.now();
  const firsts = await load(cluster, Number(asked.seconds) * 1_000);
  const seconds = (performance.now() - began) / 1_000;
  const after = cpuOf(cluster);
  const cpuMs = Object.fromEntries(
    Object.entries(after).map(([part, ms]) => [`${part} ms`, (ms - (before[part] ?? 0)) / firsts.length]),
  );
  print(name, { "runs/s": firsts.length / seconds, "first word ms": medianOf(firsts), ...cpuMs });
}

/** Runs one after the other on each connection; gives the time of each to its first word. */
async function load({ serverUrls }: Cluster, ms: number): Promise<readonly number[]> {
  const firsts: number[] = [];
  const until = performance.now() + ms;
  const ports = serverUrls.map((url) => Number(new URL(url).port));
  await Promise.all(
    Array.from({ length: Number(asked.connections) }, async (_, index) => {
      const port = ports[index % ports.length] ?? 0;
      const connection = await Connection.open(port);
      const request = toPost(port, { path: "/api/crew/stream", body: { query: "Hello!" } });
      while (performance.now() < until) {
        const began = performance.now();
        let first: number | undefined;
        const text = await connection.send(request, (seen) => {
          if (first === undefined && seen.includes('"agent_delta"')) first = performance.now() - began;
        });
        if (!text.includes('"done"') || first === undefined) throw new Error(`a run did not end: ${text.slice(-500)}`);
        firsts.push(first);
      }
      connection.close();
    }),
  );
  // What was acknowledged is all written.
  await sleep(100);
  return firsts;
}

/** CPU time of each kind of part, in milliseconds. */
function cpuOf({ parts }: Cluster): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(parts).flatMap(([kind, list]) =>
      list.length === 0 ? [] : [[kind, list.reduce((sum, { pid }) => sum + cpuOfTree(pid), 0)]],
    ),
  );
}

/** A process with its children, also those that have ended. */
function cpuOfTree(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  const own = (ticks * 1_000) / TICKS_PER_SECOND;
  return children.reduce((sum, child) => sum + cpuOfTree(Number(child)), own);
}
