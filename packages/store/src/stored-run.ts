/**
 * Stored run: a run that does not execute in this process, as a handle like any other.
 */
import {
  type Command,
  type Commanded,
  fold,
  Follower,
  type Run,
  type RunEvent,
  type RunLog,
  type RunResult,
  toResult,
} from "@baton/core";
import type { RunRecord } from "./database.ts";
import { openReader, readAll } from "./reader.ts";
import type { Store } from "./store.ts";

/** Reads a run from where it is stored; its events end at its next pause or end. */
export async function toStoredRun(
  store: Store,
  { id, status }: RunRecord,
  command: (command: Command) => Promise<Commanded>,
): Promise<Run> {
  const log = await openReader(store.database, id);
  const since = status === "ended" ? Infinity : status === "paused" ? await findPause(log) : log.length;
  const follow = (after: number) =>
    new Follower(log, after, ({ type, seq }) => type === "run.ended" || (type === "run.paused" && seq > since));
  return {
    id,
    get outcome() {
      return toOutcome(store, id, () => follow(0));
    },
    events: (after = 0) => follow(after),
    command,
  };
}

/** Of a run that has gone on since this handle was made, what it was at the handle's pause. */
async function toOutcome(store: Store, id: string, segment: () => AsyncIterable<RunEvent>): Promise<RunResult> {
  const view = fold(await readAll(store.database, id));
  return toResult(view.status === "running" ? fold(await Array.fromAsync(segment())) : view);
}

/** The place just before a run's last pause; a paused run may have been configured since. */
async function findPause(log: RunLog): Promise<number> {
  for (let after = log.length - 1; ; after = Math.max(0, after - 16)) {
    const pause = (await log.read(after)).findLast(({ type }) => type === "run.paused");
    if (pause !== undefined || after === 0) return (pause?.seq ?? log.length) - 1;
  }
}
