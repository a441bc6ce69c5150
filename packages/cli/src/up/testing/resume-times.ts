/**
 * Resume times: how long runs stood still after their worker was killed.
 */
import type { RunEvent } from "@baton/client";
import type { Mark } from "./marks.ts";

/** The kill of a process. */
export interface Kill {
  readonly part: string;
  readonly pid: number;
  readonly at: number;
}

/** For each run that a killed worker was executing: the time until another process continued it. */
export function toResumeTimes(
  kills: readonly Kill[],
  marks: readonly Mark[],
  logs: ReadonlyMap<string, readonly RunEvent[]>,
): readonly number[] {
  const byRun = Map.groupBy(marks, ({ run }) => run);
  return kills.flatMap(({ pid, at: killedAt }) =>
    Array.from(logs).flatMap(([run, log]) => {
      const own = byRun.get(run) ?? [];
      const isBefore = ({ at }: { readonly at: number }): boolean => at <= killedAt;
      const isExecuting = own.findLast(isBefore)?.pid === pid && log.findLast(isBefore)?.type !== "run.paused";
      const next = [...log, ...own].filter((one) => !isBefore(one)).map(({ at }) => at);
      return isExecuting && next.length > 0 ? [Math.min(...next) - killedAt] : [];
    }),
  );
}

/** The value below which a share of the values lies; 0 if there are none. */
export function toQuantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
