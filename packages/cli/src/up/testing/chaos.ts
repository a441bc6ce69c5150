/**
 * Chaos: users ask a cluster for runs while its processes are killed, one after the other; then every run is checked.
 */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient, type RunEvent } from "@baton/client";
import { SystemClock } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { startTestRedis } from "@baton/store/redis/testing";
import { Cluster, type ClusterOptions } from "../cluster.ts";
import type { ClusterProcess } from "../cluster-process.ts";
import { checkMarks, checkOrder, checkSeen, checkSent, type Wake } from "./log-checks.ts";
import { MARKS_FILE, readMarks } from "./marks.ts";
import { type Kill, toQuantile, toResumeTimes } from "./resume-times.ts";
import { type Habit, User } from "./user.ts";

const CREW = join(import.meta.dirname, "crew");
const HABITS: readonly Habit[] = ["talk", "rest", "stop", "talk", "talk", "rest"];
/** Between two kills: at least, and at most. */
const CALM_MS = [300, 1_500] as const;
/** The time for which Redis stays down. */
const DOWN_MS = 1_000;
const LOOK_MS = 20;
/** The time for which a process is frozen: three times as long as a lease. */
export const FROZEN_MS = 10_000;

/** Options of a chaos run. */
export interface ChaosOptions extends Pick<ClusterOptions, "restateNodes"> {
  /** A disruption of a cluster while users use it. */
  readonly disrupt: (controls: Controls) => Promise<void>;
}

/** The cluster to disrupt, and the means. */
export interface Controls {
  readonly cluster: Cluster;
  readonly random: () => number;
  /** Kills the process of a part, or Redis, with SIGKILL; it is started again. */
  readonly kill: (part: ClusterProcess | "Redis") => Promise<void>;
  /** Stops a process for a while with SIGSTOP, and wakes it up. */
  readonly freeze: (part: ClusterProcess) => Promise<void>;
  /** Waits until every part runs, and then for a random time. */
  readonly calm: () => Promise<void>;
  /** Waits until so many more runs have ended. */
  readonly untilRuns: (count: number) => Promise<void>;
}

/** Lets users ask a cluster for runs while it is disrupted, checks every run, and reports the figures. */
export async function runChaos(t: TestContext, { restateNodes, disrupt }: ChaosOptions): Promise<void> {
  const seed = Number(process.env["BATON_SEED"] ?? Date.now() % 1_000_000);
  t.diagnostic(`seed ${seed}`);
  const chance = new SimulatedClock(seed);
  const random = (): number => chance.random();
  const folder = mkdtempSync(join(tmpdir(), "baton-cluster-"));
  const file = join(folder, "marks");
  const kills: Kill[] = [];
  let isOver = false;
  try {
    await using redis = await startTestRedis();
    await using cluster = await startCluster({ restateNodes, marks: file, redis: redis.url });
    const world = { servers: cluster.serverUrls, random, isOver: () => isOver };
    const users = HABITS.map((habit, index) => new User(`s${index}`, habit, world));
    const living = Promise.all(users.map((user) => user.live()));
    const kill = async (part: ClusterProcess | "Redis"): Promise<void> => {
      if (part !== "Redis") return killPart(part, kills);
      kills.push({ part, pid: 0, at: Date.now() });
      await redis.stop();
      await sleep(DOWN_MS);
      await redis.start();
    };
    const wakes: Wake[] = [];
    const freeze = async ({ pid }: ClusterProcess): Promise<void> => {
      process.kill(pid, "SIGSTOP");
      await sleep(FROZEN_MS);
      wakes.push({ pid, at: Date.now() });
      process.kill(pid, "SIGCONT");
    };
    const calm = async (): Promise<void> => {
      while (
        !Object.values(cluster.parts)
          .flat()
          .every(({ isRunning }) => isRunning)
      )
        await sleep(LOOK_MS);
      await sleep(CALM_MS[0] + random() * (CALM_MS[1] - CALM_MS[0]));
    };
    const countRuns = (): number => users.reduce((sum, { seen }) => sum + seen.length, 0);
    const untilRuns = async (count: number): Promise<void> => {
      for (const before = countRuns(); countRuns() < before + count;) await sleep(LOOK_MS);
    };
    // A user that fails ends it.
    await Promise.race([disrupt({ cluster, random, kill, freeze, calm, untilRuns }), living]);
    isOver = true;
    await living;
    t.diagnostic(JSON.stringify(await check(cluster, users, { file, kills, wakes })));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function killPart(part: ClusterProcess, kills: Kill[]): Promise<void> {
  const { name, pid } = part;
  kills.push({ part: name, pid, at: Date.now() });
  process.kill(pid, "SIGKILL");
  while (part.isRunning && part.pid === pid) await sleep(1);
}

interface Start extends Pick<ClusterOptions, "restateNodes"> {
  readonly marks: string;
  readonly redis: string;
}

function startCluster({ restateNodes, marks, redis }: Start): Promise<Cluster> {
  return Cluster.start({
    clock: new SystemClock(),
    crews: [CREW],
    port: 0,
    workers: 2,
    servers: 2,
    restateNodes,
    options: ["--redis", redis, "--log-level", "error"],
    // Redis counts requests only if there is a limit.
    env: { ...process.env, [MARKS_FILE]: marks, BATON_RATE_LIMIT: "global=1000000" },
    log: () => undefined,
    tell: () => undefined,
  });
}

interface Recorded {
  readonly file: string;
  readonly kills: readonly Kill[];
  /** Ends of freezes. */
  readonly wakes: readonly Wake[];
}

async function check(cluster: Cluster, users: readonly User[], { file, kills, wakes }: Recorded): Promise<object> {
  const client = createClient({ url: cluster.url });
  const marks = readMarks(file);
  const byRun = Map.groupBy(marks, ({ run }) => run);
  const logs = new Map<string, readonly RunEvent[]>();
  const seen = users.flatMap((user) => user.seen);
  for (const one of seen) {
    const log = await client.events(one.run);
    logs.set(one.run, log);
    checkSeen(one, log);
    checkMarks(one, byRun.get(one.run) ?? [], wakes);
    assert.equal((await client.replay(one.run)).identical, true, one.run);
  }
  const sent = users.flatMap((user) => user.sent);
  for (const one of sent) checkSent(one, logs.get(one.run) ?? []);
  for (const user of users) checkOrder(user.seen.map(({ run }) => logs.get(run) ?? []));
  const times = toResumeTimes(kills, marks, logs);
  return {
    runs: seen.length,
    events: Array.from(logs.values(), ({ length }) => length).reduce((sum, length) => sum + length, 0),
    kills: countBy(kills.map(({ part }) => part)),
    reconnects: seen.reduce((sum, { reconnects }) => sum + reconnects, 0),
    commands: countBy(sent.map(({ command, fate }) => `${command.type} ${fate}`)),
    resumed: times.length,
    resumeMs: { p50: toQuantile(times, 0.5), p90: toQuantile(times, 0.9), max: toQuantile(times, 1) },
  };
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Array.from(
      Map.groupBy(names, (name) => name),
      ([name, { length }]) => [name, length],
    ),
  );
}
