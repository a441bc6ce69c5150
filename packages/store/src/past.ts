/**
 * Past: what a run that is to be taken up has behind it, read under a claim that nobody else holds.
 *
 * Where its log is damaged the run has failed, and says why.
 */
import { BatonError, type Crew, type RunEvent } from "@baton/core";
import { type ChangeQuestion, isAccepted, toChangeQuestion } from "./change-question.ts";
import type { CrewShelf } from "./crew-shelf.ts";
import type { Claim, Database, RunRecord } from "./database.ts";
import { readAll } from "./reader.ts";
import { recount } from "./tally.ts";
import { type AtWork, mayTry, toUntimely } from "./trial.ts";

/** A run as it was left. */
export interface Past {
  /** Up to its last event. */
  readonly record: RunRecord;
  /** The crew it began with. */
  readonly crew: Crew;
  readonly events: readonly RunEvent[];
  /** What is asked before it may be taken up at all. */
  readonly change: ChangeQuestion | undefined;
}

/** Which run, and the right to write to it. */
interface Taking {
  readonly id: string;
  readonly claim: Claim;
  /** Where nobody asks for the run: those beside which it would be tried. Its log is read only if it may be. */
  readonly others?: AtWork;
}

/** Reads a run that has not ended. */
export async function readPast(
  database: Database,
  shelf: Pick<CrewShelf, "restore">,
  { id, claim, others }: Taking,
): Promise<Past> {
  const stored = await database.run(id);
  if (stored === undefined) throw new BatonError("not_found", `there is no run ${id}`);
  if (stored.status === "ended") throw new BatonError("run_ended", `run ${id} has ended`);
  if (others !== undefined && !mayTry(stored, others)) throw toUntimely(id);
  const { crew, changes } = await shelf.restore(stored);
  const events = await readWhole(database, stored, claim);
  const record = recount(stored, events);
  const question = changes.length === 0 ? undefined : toChangeQuestion(record.agent, changes);
  const change = question === undefined || isAccepted(events, question) ? undefined : question;
  return { record, crew, events, change };
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
