/**
 * Run list: the rows of the runs page. A run that changes stays where it is; new ones wait until rows may move.
 */
import type { RunInfo } from "@baton/client";
import type { RunsFilter } from "../navigation/route.ts";

/** The rows of the list, and the new runs. */
export interface RunList {
  readonly rows: readonly RunInfo[];
  /** New runs that are not shown yet, the newest first. */
  readonly newRuns: readonly RunInfo[];
}

/** A list without a run. */
export function withoutRun({ rows, newRuns }: RunList, id: string): RunList {
  const others = (runs: readonly RunInfo[]): readonly RunInfo[] => runs.filter((run) => run.id !== id);
  return { rows: others(rows), newRuns: others(newRuns) };
}

/** A run that changed, taken into a list. */
export function withRun(list: RunList, run: RunInfo, filter: RunsFilter): RunList {
  const replace = (runs: readonly RunInfo[]): readonly RunInfo[] => runs.map((one) => (one.id === run.id ? run : one));
  const isIn = (runs: readonly RunInfo[]): boolean => runs.some(({ id }) => id === run.id);
  if (isIn(list.rows)) return { ...list, rows: replace(list.rows) };
  if (isIn(list.newRuns)) return { ...list, newRuns: replace(list.newRuns) };
  const newest = list.rows[0];
  const isNew = newest === undefined || run.created_at >= newest.created_at;
  return isNew && isWanted(run, filter) ? { ...list, newRuns: [run, ...list.newRuns].toSorted(byAge) } : list;
}

/** The list with its new runs on top. */
export function withNewRunsOnTop({ rows, newRuns }: RunList): RunList {
  return { rows: [...newRuns, ...rows], newRuns: [] };
}

/** True if a filter lists a run. */
export function isWanted(run: RunInfo, { status, outcome, crew, q, after }: RunsFilter): boolean {
  return (
    (after === "all" || run.after_of === undefined) &&
    (status === undefined || status === run.status) &&
    (outcome === undefined || outcome === run.outcome) &&
    (crew === undefined || crew === run.crew) &&
    (q === undefined || run.input.toLowerCase().includes(q.toLowerCase()))
  );
}

function byAge(one: RunInfo, other: RunInfo): number {
  return one.created_at < other.created_at ? 1 : -1;
}

/** The states that are offered, with the filter each stands for. */
export const LISTED_STATES = {
  queued: { status: "queued" },
  running: { status: "running" },
  paused: { status: "paused" },
  done: { outcome: "done" },
  failed: { outcome: "failed" },
  limit: { outcome: "limit" },
  cancelled: { outcome: "cancelled" },
} as const satisfies Readonly<Record<string, RunsFilter>>;

/** One of them. */
export type ListedState = keyof typeof LISTED_STATES;

/** All of them, in order. */
export const LISTED_STATE_NAMES = [
  "running",
  "paused",
  "queued",
  "done",
  "failed",
  "limit",
  "cancelled",
] as const satisfies readonly ListedState[];

/** The state that a filter stands for. */
export function listedStateOf({ status, outcome }: RunsFilter): ListedState | undefined {
  return LISTED_STATE_NAMES.find((name) => name === (outcome ?? status));
}
