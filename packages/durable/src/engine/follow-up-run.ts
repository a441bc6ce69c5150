/**
 * Follow-up run: the run of a crew's `after`, started when a run of that crew has ended `done`.
 *
 * It is queued in the transaction that writes the end, under an id made of the run's, so that there is exactly one. A
 * run that follows another is followed by none.
 */
import { omitUndefined } from "@baton/core/util";
import type { Crew } from "@baton/core";
import type { EventBodyOf } from "@baton/core/ports";
import { createHash } from "node:crypto";
import type { CallCounts } from "./call-counts.ts";
import type { RunRecord } from "@baton/store";
import { ownerOf } from "@baton/store/ports";
import { toQueuedRecord } from "../sessions/start-request.ts";

/** A crew that runs after another, the hash of its definition, which is on disk, and what that run has called. */
export type FollowUp = Readonly<{ crew: Crew; definition: string; calls: CallCounts }>;

const MAX_ID_CHARS = 128;
const ENDING = "-after";

/** The id of the run that follows a run. */
export function followUpIdOf(run: string): string {
  const id = `${run}${ENDING}`;
  return id.length <= MAX_ID_CHARS ? id : `${createHash("sha256").update(run).digest("hex")}${ENDING}`;
}

/** The run that follows a run of this record, which ends now; undefined if none does. */
export function toFollowUpRecord(
  { crew, definition, calls }: FollowUp,
  record: RunRecord,
  { outcome, text, content = text }: EventBodyOf<"run.ended">,
): RunRecord | undefined {
  if (outcome !== "done") return undefined;
  const { id: run, session = null, user, input, updatedAt: now, requestId: request } = record;
  const owner = ownerOf(record);
  const given = JSON.stringify({ run, session, user, input, answer: content, tools: calls.all });
  const beginning = { input: given, entry: crew.entry, ...owner, afterOf: run, ...omitUndefined({ request }) };
  return toQueuedRecord({ id: followUpIdOf(run), owner, crew, beginning }, { definition, now, waits: true });
}
