/**
 * Stored segment: the current or last segment of a run that does not execute in this process, read from the store.
 */
import { fold, type RunEvent, type RunResult } from "@baton/core";
import { openTotals, toResult } from "@baton/core/engine";
import { Follower, type ReadableLog, type Scope } from "@baton/core/ports";
import { type RunRecord, type Store, readAll } from "@baton/store";
import { openReader } from "@baton/store/ports";
import type { ActiveSegment } from "../engine/active-segment.ts";

/** Reads a run from where it is stored; its events end at its next pause or end. Waiting ends with the scope. */
export async function openStoredSegment(store: Store, { id, status }: RunRecord, scope: Scope): Promise<ActiveSegment> {
  const log = await openReader(store.database, id);
  const since = status === "ended" ? Infinity : status === "paused" ? await findPause(log) : log.length;
  const follow = (after: number) =>
    new Follower(log, after, ({ type, seq }) => type === "run.ended" || (type === "run.paused" && seq > since));
  return {
    id,
    isStored: true,
    get outcome() {
      return orStopped(
        scope,
        toOutcome(store, id, () => follow(0)),
      );
    },
    events: (after = 0) => follow(after),
  };
}

/** Of a run that has continued since, what it was at the pause that ended this segment. */
async function toOutcome(store: Store, id: string, segment: () => AsyncIterable<RunEvent>): Promise<RunResult> {
  const view = fold(await readAll(store.database, id));
  return toResult(view.status === "running" ? fold(await Array.fromAsync(segment())) : view);
}

/** Returns the outcome of a run, or that this process stopped first. */
async function orStopped(scope: Scope, outcome: Promise<RunResult>): Promise<RunResult> {
  const { promise: stopped, resolve } = Promise.withResolvers<RunResult>();
  const error = {
    code: "closed",
    message: "the engine stopped; the run continues elsewhere or at the next start",
  } as const;
  const left = {
    ...openTotals(),
    outcome: "cancelled",
    holder: "",
    text: "",
    content: "",
    error,
    questions: new Map(),
    history: [],
  } as const;
  const onAbort = (): void => resolve(toResult(left));
  if (scope.abort.aborted) onAbort();
  scope.abort.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([outcome, stopped]);
  } finally {
    scope.abort.removeEventListener("abort", onAbort);
  }
}

/** The place just before a run's last pause; a paused run may have been configured since. */
async function findPause(log: ReadableLog): Promise<number> {
  for (let after = log.length - 1; ; after = Math.max(0, after - 16)) {
    const pause = (await log.read(after)).findLast(({ type }) => type === "run.paused");
    if (pause !== undefined || after === 0) return (pause?.seq ?? log.length) - 1;
  }
}
