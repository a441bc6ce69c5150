/**
 * Run search: finds stored runs, and says of each what it is doing.
 *
 * A run that is recorded as running, but that no living process owns, was interrupted.
 */
import { BatonError, type Outcome } from "@baton/core";
import type { Database, RunFilter, RunRecord, RunStatus } from "@baton/store";
import { toCount } from "../view/number-text.ts";
import { toShortId } from "./run-id.ts";

/** What a run is doing, or how it ended. */
export type RunState = Outcome | "queued" | "running" | "interrupted";

/** A run with its state. */
export interface FoundRun extends RunRecord {
  readonly state: RunState;
}

/** Which runs; `status` is a state, or `ended` for all that have. */
export interface Wanted {
  readonly crew: string | undefined;
  readonly session: string | undefined;
  readonly status: RunState | "ended" | undefined;
  readonly limit: number;
}

/** Everything `status` may be. */
export const STATES: readonly (RunState | "ended")[] = [
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

const STATUSES: Readonly<Record<RunState | "ended", RunStatus>> = {
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
const PAGE = 500;

/** The run that is meant by a part of its id or of its short id; throws where there is none, or more than one. */
export async function findRun(database: Database, word: string): Promise<FoundRun> {
  const exact = await readRun(database, word);
  if (exact !== undefined) return toFound(database, exact);
  if (word.length < MIN_PART_CHARS) {
    throw new BatonError("not_found", `there is no run ${word}; write at least ${MIN_PART_CHARS} characters of its id`);
  }
  const found: RunRecord[] = [];
  for await (const record of allRuns(database, {})) {
    const { id } = record;
    if (id.startsWith(word) || id.endsWith(word) || toShortId(id).startsWith(word)) found.push(record);
  }
  const [record] = found;
  if (record === undefined)
    throw new BatonError("not_found", `there is no run ${word}; \`baton runs\` lists what there is`);
  if (found.length === 1) return toFound(database, record);
  const some = found.slice(0, 5).map(({ id }) => id);
  const ids = `${some.join(", ")}${found.length > some.length ? " …" : ""}`;
  throw new BatonError(
    "invalid",
    `${toCount(found.length, "run")} may be meant by ${word}: ${ids}; write more of the id`,
  );
}

/** A run by its id; one that is damaged is found in the list instead, as far as it is known. */
async function readRun(database: Database, id: string): Promise<RunRecord | undefined> {
  try {
    return await database.run(id);
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== "damaged") throw error;
    for await (const record of allRuns(database, {})) if (record.id === id) return record;
    throw error;
  }
}

/** Runs, newest first. */
export async function findRuns(
  database: Database,
  { crew, session, status, limit }: Wanted,
): Promise<readonly FoundRun[]> {
  const filter: RunFilter = {
    ...(crew === undefined ? {} : { crew }),
    ...(session === undefined ? {} : { session }),
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
    const page = await database.runs({ ...filter, ...(last === undefined ? {} : { before: last.id }), limit: PAGE });
    yield* page;
    last = page.at(-1);
    if (last === undefined) return;
  }
}

async function toFound(database: Database, record: RunRecord): Promise<FoundRun> {
  const { id, crew, status, outcome } = record;
  if (status === "paused" || status === "ended") return { ...record, state: outcome ?? "paused" };
  const cut = await database.interrupted([crew]);
  return { ...record, state: cut.includes(id) ? "interrupted" : status };
}
