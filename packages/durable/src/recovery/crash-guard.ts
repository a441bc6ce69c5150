/**
 * Crash-loop guard: decides whether recovery may restart a run whose process crashed each time it ran.
 *
 * A run that was running when a process crashed may be the cause, or a bystander. So those that crashed again and again,
 * with no step or call finished between, are restarted with ever fewer others, at last alone. What crashes its process even
 * then fails with `crashed`; a bystander has finished something long before.
 */
import { BatonError, type RunEvent } from "@baton/core";
import type { RunRecord } from "@baton/store";

/** Maximum of crashed runs that may run here at once, by the crashes in a row of the worst of them. */
const AT_ONCE = [Infinity, Infinity, 64, 8, 1] as const;

/** Whether a run may be restarted beside those that are running here; what is hopeless only ends. */
export function mayRestart({ recoveries = 0 }: RunRecord, running: Iterable<RunRecord>): boolean {
  let atOnce: number = AT_ONCE[recoveries] ?? Infinity;
  // Runs that crashed only once or twice do not wait.
  if (atOnce === Infinity) return true;
  let suspects = 0;
  for (const { status, recoveries: times = 0 } of running) {
    if (status !== "running" || times === 0) continue;
    suspects++;
    atOnce = Math.min(atOnce, AT_ONCE[times - 1] ?? 1);
  }
  return suspects < atOnce;
}

/** The error of a run that is restarted later. */
export function restartLaterError(id: string): BatonError {
  const message = `run ${id} crashed its process repeatedly; recovery restarts it when fewer others like it run`;
  return new BatonError("busy", message, { retryable: true });
}

/** Why a run is not restarted any more; undefined if it may be. */
export function findCrashLoop({ recoveries = 0 }: RunRecord, events: readonly RunEvent[]): BatonError | undefined {
  if (recoveries < AT_ONCE.length) return undefined;
  const message =
    `the run was recovered ${recoveries} times in a row, and each time its process ended before anything was finished` +
    `${toPlace(events)}; a fork at event ${events.length} continues from its last finished step`;
  return new BatonError("crashed", message);
}

/** Describes the step or call that was started last in the open turn. */
function toPlace(events: readonly RunEvent[]): string {
  const last = events.findLast(
    ({ type }) => type === "step.started" || type === "call.started" || type === "turn.ended",
  );
  if (last?.type === "call.started") return ` (the last time in call ${last.call}, ${last.tool})`;
  return last?.type === "step.started" ? ` (the last time in step ${last.step}, agent ${last.agent})` : "";
}
