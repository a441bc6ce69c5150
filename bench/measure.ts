/**
 * Measure: CPU time of one run, two sides by turns, and a crowd of runs against the clock.
 *
 * CPU time is the whole process's, its garbage collector and compiler included, so a busy machine changes it little.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";

/** Something to be measured, done once. */
export type Once = () => Promise<unknown>;

/** Two sides doing the same work, CPU microseconds per run. */
export interface Comparison {
  readonly floorUs: number;
  readonly batonUs: number;
  /** Median of the rounds' ratios; each round is the two sides one after the other. */
  readonly ratio: number;
}

/** Many runs at once. */
export interface Crowd {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** How late the event loop was, at the 99th percentile and at most. */
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
}

const ROUNDS = 7;
const WARM_UP_US = 1_000_000;
const ROUND_US = 200_000;
const MIN_RUNS = 20;

/** Warms both sides up, then times them by turns. */
export async function compare(floor: Once, baton: Once): Promise<Comparison> {
  const counts = { floor: await warmUp(floor), baton: await warmUp(baton) };
  const rounds: Comparison[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const floorUs = await timeRuns(floor, counts.floor);
    const batonUs = await timeRuns(baton, counts.baton);
    rounds.push({ floorUs, batonUs, ratio: batonUs / floorUs });
  }
  return {
    floorUs: medianOf(rounds, (round) => round.floorUs),
    batonUs: medianOf(rounds, (round) => round.batonUs),
    ratio: medianOf(rounds, (round) => round.ratio),
  };
}

/** Two crowds by turns, after one each that does not count. */
export async function compareCrowds(floor: Once, baton: Once, runs: number): Promise<{ floor: Crowd; baton: Crowd }> {
  await gather(floor, runs);
  await gather(baton, runs);
  const rounds: { floor: Crowd; baton: Crowd }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ floor: await gather(floor, runs), baton: await gather(baton, runs) });
  }
  return {
    floor: medianCrowd(rounds.map((round) => round.floor)),
    baton: medianCrowd(rounds.map((round) => round.baton)),
  };
}

/** The middle one of the values. */
function medianOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  const values = items.map(valueOf).toSorted((a, b) => a - b);
  return values[values.length >> 1] ?? Number.NaN;
}

function medianCrowd(crowds: readonly Crowd[]): Crowd {
  return {
    wallMs: medianOf(crowds, ({ wallMs }) => wallMs),
    cpuMs: medianOf(crowds, ({ cpuMs }) => cpuMs),
    delayP99Ms: medianOf(crowds, ({ delayP99Ms }) => delayP99Ms),
    delayMaxMs: medianOf(crowds, ({ delayMaxMs }) => delayMaxMs),
  };
}

/** Runs until it is as fast as it gets, and says how many runs make a round. */
async function warmUp(once: Once): Promise<number> {
  let spentUs = 0;
  let lastUs = 0;
  while (spentUs < WARM_UP_US) {
    lastUs = await timeRuns(once, MIN_RUNS);
    spentUs += lastUs * MIN_RUNS;
  }
  return Math.max(MIN_RUNS, Math.round(ROUND_US / lastUs));
}

async function timeRuns(once: Once, runs: number): Promise<number> {
  const before = process.cpuUsage();
  for (let run = 0; run < runs; run++) await once();
  return cpuUs(before) / runs;
}

async function gather(once: Once, runs: number): Promise<Crowd> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.cpuUsage();
  const startedAt = performance.now();
  delay.enable();
  await Promise.all(Array.from({ length: runs }, () => once()));
  delay.disable();
  return {
    wallMs: performance.now() - startedAt,
    cpuMs: cpuUs(before) / 1_000,
    delayP99Ms: delay.percentile(99) / 1e6,
    delayMaxMs: delay.max / 1e6,
  };
}

function cpuUs(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
