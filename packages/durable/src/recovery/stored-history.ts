/**
 * Stored history: everything that is stored of a run, read under its claim before the run continues.
 *
 * A run with a damaged log ends as failed, with that error.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import { type Database, type RunRecord, readAll } from "@baton/store";
import type { Claim } from "@baton/store/ports";
import { parsePosted, type PostedCommand } from "../commands/posted-command.ts";
import { rebuildRecord } from "../log/run-record-builder.ts";

/** A run as it was left. */
export interface StoredHistory {
  /** Up to its last event. */
  readonly record: RunRecord;
  /** The crew it began with. */
  readonly crew: Crew;
  readonly events: readonly RunEvent[];
  /** Differences between the current tools and those that it started with. */
  readonly changes: readonly string[];
  /** Commands that were acknowledged and that it has not heard. */
  readonly taken: readonly PostedCommand[];
}

type Restore = (record: RunRecord) => Promise<{ readonly crew: Crew; readonly changes: readonly string[] }>;

/** Reads a run that has not ended. */
export async function readStoredHistory(
  database: Database,
  restore: Restore,
  { id, claim }: { readonly id: string; readonly claim: Claim },
): Promise<StoredHistory> {
  const stored = await database.runs.find(id);
  if (stored === undefined) throw new BatonError("not_found", `there is no run ${id}`);
  if (stored.status === "ended") throw new BatonError("run_ended", `run ${id} has ended`);
  const { crew, changes } = await restore(stored);
  const events = await readWhole(database, stored, claim);
  const record = rebuildRecord(stored, events);
  const rows = await database.inbox.list(id);
  const taken = rows.filter(({ fate }) => fate === "taken").map(parsePosted);
  return { record, crew, events, changes, taken };
}

async function readWhole(database: Database, record: RunRecord, claim: Claim): Promise<readonly RunEvent[]> {
  try {
    return await readAll(database, record.id);
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "damaged") throw error;
    const { code, message } = error;
    const run: RunRecord = { ...record, status: "ended", outcome: "failed", error: { code, message } };
    await database.commit([{ claim, run }]);
    throw error;
  }
}
