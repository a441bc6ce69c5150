/**
 * Trial: whether a run may be taken up of itself though its process has died each time it was at work.
 *
 * Who was at work when a process died may have done it, or only have been there. So those that were cut off again and
 * again, with nothing finished between, are tried with ever fewer others like them, at last alone; what is cut off even
 * then has failed, and whoever was only there has long finished something. Reads: past. Read by: works.
 */
import { BatonError, type RunEvent } from "@baton/core";
import type { RunRecord } from "./database.ts";
import type { Past } from "./past.ts";

/** How many that were cut off so often in a row may be at work at once. */
const AT_ONCE = [Infinity, Infinity, 64, 8, 1] as const;

/** Why a run may not be taken up now (`busy`: later it may) or ever; undefined where it may. */
export function findObstacle({ record, events, change }: Past, others: readonly RunRecord[]): BatonError | undefined {
  // Who waits for somebody is not taken up of itself; who is asked about changed tools does nothing meanwhile.
  if (record.status !== "running" || change !== undefined) return undefined;
  const { id, recoveries = 0 } = record;
  const atOnce = AT_ONCE[recoveries];
  if (atOnce === undefined) return toHopeless(recoveries, events);
  const alike = others.filter((other) => other.status === "running" && (other.recoveries ?? 0) > recoveries);
  if (alike.length < atOnce) return undefined;
  return new BatonError("busy", `run ${id} is tried when others like it have finished something`, { retryable: true });
}

function toHopeless(recoveries: number, events: readonly RunEvent[]): BatonError {
  const message =
    `the run was taken up ${recoveries} times in a row, and each time its process ended before anything was finished` +
    `${toPlace(events)}; a fork at event ${events.length} goes on from its last finished step`;
  return new BatonError("crashed", message);
}

/** What was begun last. */
function toPlace(events: readonly RunEvent[]): string {
  const last = events.findLast(({ type }) => type === "step.started" || type === "call.started");
  if (last?.type === "call.started") return ` (the last time in call ${last.call}, ${last.tool})`;
  return last?.type === "step.started" ? ` (the last time in step ${last.step}, agent ${last.agent})` : "";
}
