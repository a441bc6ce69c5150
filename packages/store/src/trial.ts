/**
 * Trial: whether a run may be taken up of itself though its process has died each time it was at work.
 *
 * Who was at work when a process died may have done it, or only have been there. So those that were cut off again and
 * again, with nothing finished between, are tried with ever fewer others, at last alone; what is cut off even then
 * has failed, and whoever was only there has long finished something.
 */
import { BatonError, type RunEvent } from "@baton/core";
import type { RunRecord } from "./database.ts";

/** Those at work here; asked only where it matters. */
export type AtWork = () => readonly RunRecord[];

/** A run that was cut off, as it was left. */
interface Suspect {
  readonly record: RunRecord;
  readonly events: readonly RunEvent[];
  /** What is asked before it may be taken up at all. */
  readonly change: unknown;
}

/** How many that were cut off may be at work at once, by how often in a row the worst of them was before. */
const AT_ONCE = [Infinity, Infinity, 64, 8, 1] as const;

/** Whether a run may be tried now, beside those at work; what is hopeless only ends. */
export function mayTry({ recoveries = 0 }: RunRecord, atWork: AtWork): boolean {
  let atOnce = AT_ONCE[recoveries] ?? Infinity;
  // Those cut off for the first times wait for nobody.
  if (atOnce === Infinity) return true;
  let suspects = 0;
  for (const { status, recoveries: times = 0 } of atWork()) {
    if (status !== "running" || times === 0) continue;
    suspects++;
    atOnce = Math.min(atOnce, AT_ONCE[times - 1] ?? 1);
  }
  return suspects < atOnce;
}

/** Why a run may not be taken up now (`busy`: later it may) or ever; undefined where it may. */
export function findObstacle({ record, events, change }: Suspect, atWork: AtWork): BatonError | undefined {
  // Who waits for somebody is not taken up of itself; who is asked about changed tools does nothing meanwhile.
  if (record.status !== "running" || change !== undefined) return undefined;
  const { id, recoveries = 0 } = record;
  if (recoveries >= AT_ONCE.length) return toHopeless(recoveries, events);
  return mayTry(record, atWork) ? undefined : toUntimely(id);
}

/** The error of a run whose trial is later. */
export function toUntimely(id: string): BatonError {
  return new BatonError("busy", `run ${id} is tried when others like it have finished something`, { retryable: true });
}

function toHopeless(recoveries: number, events: readonly RunEvent[]): BatonError {
  const message =
    `the run was taken up ${recoveries} times in a row, and each time its process ended before anything was finished` +
    `${toPlace(events)}; a fork at event ${events.length} goes on from its last finished step`;
  return new BatonError("crashed", message);
}

/** What was begun last in the open turn. */
function toPlace(events: readonly RunEvent[]): string {
  const last = events.findLast(
    ({ type }) => type === "step.started" || type === "call.started" || type === "turn.ended",
  );
  if (last?.type === "call.started") return ` (the last time in call ${last.call}, ${last.tool})`;
  return last?.type === "step.started" ? ` (the last time in step ${last.step}, agent ${last.agent})` : "";
}
