/**
 * End queued run: ends a run that has not begun. Its log has a start and an end, with nothing between.
 */
import type { BatonError, Receipt } from "@baton/core";
import { toFailure } from "@baton/core/util";
import type { StartRequest } from "./start-request.ts";
import type { StoredRunLog } from "../log/stored-run-log.ts";

/** The receipt of a run that had nothing to stop. */
export const NOTHING_STOPPED: Receipt = { stopped: [], finished: [], abandoned: [] };

/** Ends a run for this reason; resolves when that is on disk. */
export async function endQueuedRun(
  log: StoredRunLog,
  { crew, beginning }: StartRequest,
  reason: BatonError,
): Promise<void> {
  const { maxOutputChars: each, maxTotalOutputChars: total } = crew.settings;
  const outputChars = { each, total };
  log.append({ type: "run.started", crew: crew.name, history: [], outputChars, ...beginning }, "");
  const [outcome, by] =
    reason.code === "cancelled" ? (["cancelled", "command"] as const) : (["failed", "error"] as const);
  const error = toFailure(reason);
  log.append({ type: "run.ended", outcome, by, agent: "", text: "", error, receipt: NOTHING_STOPPED }, "");
  await log.committed();
}
