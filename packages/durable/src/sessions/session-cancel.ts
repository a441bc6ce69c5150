/**
 * Session cancel: ends all that is open in a session, and keeps all that is stored of it.
 */
import { BatonError, type Command, type Receipt } from "@baton/core";
import type { Database, Owner, RunRecord } from "@baton/store";
import { ownerOf } from "@baton/store/ports";
import type { CommandResult } from "../engine/active-segment.ts";
import { NOTHING_STOPPED } from "./end-queued-run.ts";

/** A run that was cancelled, and what became of its work. */
export interface CancelledRun {
  readonly run: string;
  readonly receipt: Receipt;
}

/** Where runs are found and cancelled. */
interface Runs {
  readonly database: Database;
  readonly command: (id: string, command: Command) => Promise<CommandResult>;
}

/** Others may begin meanwhile; a client that starts runs all the time keeps some. */
const MAX_ROUNDS = 10;

/** Cancels what is queued, running or paused in a session, wherever it executes; the newest first. */
export async function cancelSession(
  { database, command }: Runs,
  session: Owner & { readonly id: string },
  reason: string,
): Promise<readonly CancelledRun[]> {
  const cancelled: CancelledRun[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const open = await findOpen(database, session);
    if (open.length === 0) break;
    for (const { id: run } of open) {
      const done = await orOver(command(run, { type: "cancel", reason }));
      if (done !== undefined) cancelled.push({ run, receipt: done.receipt ?? NOTHING_STOPPED });
    }
  }
  return cancelled;
}

async function findOpen(database: Database, session: Owner & { readonly id: string }): Promise<readonly RunRecord[]> {
  const open = await database.runs.list({ ...ownerOf(session), session: session.id, status: "open" });
  // A damaged one says that it has ended.
  return open.filter(({ status }) => status !== "ended");
}

/** Returns the result of a cancel; undefined if the run has ended meanwhile, or was removed. */
async function orOver(cancelling: Promise<CommandResult>): Promise<CommandResult | undefined> {
  try {
    return await cancelling;
  } catch (error) {
    if (error instanceof BatonError && (error.code === "run_ended" || error.code === "not_found")) return undefined;
    throw error;
  }
}
