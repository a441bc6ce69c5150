/**
 * Run search: finds stored runs, each with its current state.
 *
 * A run that is stored as running, but has no live owner, is interrupted.
 */
import { BatonError, type Outcome } from "@baton/core";
import type { Database, RunFilter, RunRecord, RunStatus } from "@baton/store";
import { countNoun } from "../view/number-text.ts";
import { shortIdOf } from "./run-id.ts";

/** The state of a run: its outcome once it has ended or paused. */
export type StoredRunState = Outcome | "queued" | "running" | "interrupted";

/** A run with its state. */
export interface FoundRun extends RunRecord {
  readonly state: StoredRunState;
}

/** The filter of runs; the status `ended` covers all outcomes but `paused`. */
export interface RunQuery {
  readonly crew: string | undefined;
  readonly session: string | undefined;
  readonly status: StoredRunState | "ended" | undefined;
  /** Words of its texts. */
  readonly text?: string | undefined;
  readonly feedback?: RunFilter["feedback"] | undefined;
  readonly limit: number;
}

/** All values of `status`. */
export const STATES: readonly (StoredRunState | "ended")[] = [
  "queued",
  "running",
  "interrupted",
  "paused",
  "ended",
  "done",
  "failed",
  "limit",
  "cancelled",
];

const STATUSES: Readonly<Record<StoredRunState | "ended", RunStatus>> = {
  queued: "queued",
  running: "running",
  interrupted: "running",
  paused: "paused",
  ended: "ended",
  done: "ended",
  failed: "ended",
  limit: "ended",
  cancelled: "ended",
};

const MIN_PART_CHARS = 4;
/** Begins the `short_id` of a run, as servers and the console show it. */
const SERVER_PREFIX = "req-";
const PAGE = 500;

/** Finds a run by its id, its beginning, its end or a server's `short_id`; throws if no run matches, or more than one. */
export async function requireRun(database: Database, word: string): Promise<FoundRun> {
  const exact = await readRun(database, word);
  if (exact !== undefined) return toFound(database, exact);
  const part = word.startsWith(SERVER_PREFIX) ? word.slice(SERVER_PREFIX.length) : word;
  if (part.length < MIN_PART_CHARS) {
    throw new BatonError("not_found", `there is no run ${word}; write at least ${MIN_PART_CHARS} characters of its id`);
  }
  const found: RunRecord[] = [];
  for await (const record of allRuns(database, {})) {
    const { id } = record;
    if (id.startsWith(part) || id.endsWith(part) || shortIdOf(id).startsWith(part)) found.push(record);
  }
  const [record] = found;
  if (record === undefined) throw new BatonError("not_found", `there is no run ${word}; \`baton runs\` lists the runs`);
  if (found.length === 1) return toFound(database, record);
  const some = found.slice(0, 5).map(({ id }) => id);
  const ids = `${some.join(", ")}${found.length > some.length ? " …" : ""}`;
  throw new BatonError("invalid", `${countNoun(found.length, "run")} match ${word}: ${ids}; write more of the id`);
}

/** Reads a run by its id. A damaged record is taken from the list, which shows what is still readable. */
async function readRun(database: Database, id: string): Promise<RunRecord | undefined> {
  try {
    return await database.runs.find(id);
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "damaged") throw error;
    for await (const record of allRuns(database, {})) if (record.id === id) return record;
    throw error;
  }
}

/** Runs, newest first. */
export async function listRuns(
  database: Database,
  { crew, session, status, text, feedback, limit }: RunQuery,
): Promise<readonly FoundRun[]> {
  const filter: RunFilter = {
    ...(crew === undefined ? {} : { crew }),
    ...(session === undefined ? {} : { session }),
    ...(text === undefined ? {} : { text }),
    ...(feedback === undefined ? {} : { feedback }),
    ...(status === undefined || status === "interrupted" ? {} : { status: STATUSES[status] }),
  };
  const found: FoundRun[] = [];
  for await (const record of allRuns(database, filter)) {
    if (found.length >= limit) break;
    const run = await toFound(database, record);
    const isAny = status === undefined || (status === "ended" && run.status === "ended");
    if (isAny || status === run.state) found.push(run);
  }
  return found;
}

async function* allRuns(database: Database, filter: RunFilter): AsyncGenerator<RunRecord, undefined> {
  for (let last: RunRecord | undefined; ;) {
    const page = await database.runs.list({
      ...filter,
      ...(last === undefined ? {} : { before: last.id }),
      limit: PAGE,
    });
    yield* page;
    last = page.at(-1);
    if (last === undefined) return;
  }
}

async function toFound(database: Database, record: RunRecord): Promise<FoundRun> {
  const { id, crew, status, outcome } = record;
  if (status === "paused" || status === "ended") return { ...record, state: outcome ?? "paused" };
  const interrupted = await database.runs.interrupted([crew]);
  return { ...record, state: interrupted.includes(id) ? "interrupted" : status };
}
