/**
 * Commit: what the owners of claims add, in one transaction.
 *
 * A change whose claim was lost, or whose run's log is not what its writer believes, is not written; the others are.
 */
import { BatonError } from "@baton/core";
import type { Change } from "../record.ts";
import { isFree, isHeld, releaseClaim, takeClaim } from "./claims.ts";
import type { SqliteConnection } from "./connection.ts";
import { removePosted } from "./inbox.ts";
import { addToLog, isStored } from "./logs.ts";
import { saveRequest } from "./keys.ts";
import { addRun, isNew, saveRun } from "./runs.ts";
import { isTextNew } from "../search/run-text.ts";
import { saveRunText } from "./run-texts.ts";
import { saveMessages, saveSession } from "./sessions.ts";

/** The time of a commit, and what is written after all its changes. */
interface Commit {
  readonly now: number;
  readonly last: (() => void)[];
}

/** Writes a change, but its last part; false if it was not written. In a transaction. */
export function addChange(connection: SqliteConnection, change: Change, commit: Commit): boolean {
  try {
    if (add(connection, change, commit)) return true;
  } catch (error) {
    if (!(error instanceof BatonError && error.code === "damaged")) throw error;
  }
  if (change.begins === true) releaseClaim(connection, change.claim);
  return false;
}

function add(connection: SqliteConnection, change: Change, { now, last }: Commit): boolean {
  const { claim, also, ends, run, batch, next, session, messages, request, takes = [] } = change;
  if (also !== undefined && !isHeld(connection, also)) return false;
  if (change.creates === true && !isNew(connection, change)) return false;
  // A last change may be repeated after its claim was released with it.
  if (!mayWrite(connection, change, now)) return ends === true && batch !== undefined && isStored(connection, batch);
  const isNextNew = next !== undefined && batch !== undefined && !isStored(connection, batch);
  const id = run?.id ?? batch?.run;
  if (id !== undefined && !addToLog(connection, id, batch)) return false;
  if (run !== undefined) saveRun(connection, run);
  if (isNextNew && addRun(connection, next)) {
    addToLog(connection, next.id, undefined);
    last.push(() => saveRunText(connection, next));
  }
  for (const taken of takes) removePosted(connection, id ?? "", taken);
  if (session !== undefined) saveSession(connection, session);
  if (run !== undefined && isTextNew(change)) last.push(() => saveRunText(connection, run, change.answer));
  if (messages !== undefined) saveMessages(connection, messages);
  if (request !== undefined) saveRequest(connection, request, now);
  if (ends === true) releaseClaim(connection, claim);
  return true;
}

/** Whether the claim is held, or taken with this change. One that begins and ends at once is never stored. */
function mayWrite(connection: SqliteConnection, { claim, begins, ends }: Change, now: number): boolean {
  if (begins !== true) return isHeld(connection, claim);
  const isTaken = ends === true ? isFree(connection, claim.key, now) : takeClaim(connection, claim, now);
  return isTaken || isHeld(connection, claim);
}
