/**
 * Stored segment: the current or last segment of a run that does not execute in this process, read from the store.
 */
import { fold, type RunEvent, type RunResult } from "@baton/core";
import { openTotals, parseResult, toResult } from "@baton/core/engine";
import { Follower, type ReadableLog, type Scope } from "@baton/core/ports";
import { type RunRecord, type Store, readAll } from "@baton/store";
import { openReader } from "@baton/store/ports";
import type { ActiveSegment } from "../engine/active-segment.ts";
import type { CrewDefinitions } from "../engine/crew-definitions.ts";

/** The store, the crews that runs began with, and the scope that ends all waiting. */
interface Source {
  readonly store: Store;
  readonly definitions: CrewDefinitions;
  readonly scope: Scope;
}

/** Reads a run from where it is stored; its events end at its next pause or end. */
export async function openStoredSegment(source: Source, record: RunRecord): Promise<ActiveSegment> {
  const { store, scope } = source;
  const { id, status } = record;
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
        toOutcome(source, record, () => follow(0)),
      );
    },
    events: (after = 0) => follow(after),
  };
}

/** Of a run that has continued since, what it was at the pause that ended this segment. */
async function toOutcome(
  { store, definitions }: Source,
  record: RunRecord,
  segment: () => AsyncIterable<RunEvent>,
): Promise<RunResult> {
  let events = await readAll(store.database, record.id);
  if (fold(events).status === "running") events = await Array.fromAsync(segment());
  const result = toResult(fold(events));
  const turn = events.findLast(({ type, lane }) => type === "turn.ended" && lane === "");
  if (turn?.type !== "turn.ended" || !turn.unparsed || result.outcome !== "done") return result;
  const crew = await definitions.find(record);
  return crew === undefined ? result : parseResult(crew, result, { isUnparsed: true });
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
