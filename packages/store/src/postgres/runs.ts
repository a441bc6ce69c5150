/**
 * Runs: their records, found by what they are about, and forgotten with their logs.
 *
 * A record is kept whole as JSON; the columns beside it are what it is found by.
 */
import { SESSION_KEY } from "../claim-key.ts";
import type { Retention, RunFilter, RunRecord } from "../database.ts";
import { isListedDamaged, orDamaged, toDamagedRun } from "../damaged-record.ts";
import { toShortId } from "../run-id.ts";
import type { Ask, Cell } from "./connection.ts";
import { parseName, SEALED, type Sealed, sealRecord, toName, unsealRecord } from "./sealed.ts";

const DEFAULT_LIMIT = 100;
/** How many rows are in memory at once when all are looked at. */
const PAGE = 500;

/** A record as its row in a commit, in the order of its columns. */
export function toRunColumns(run: RunRecord): readonly Cell[] {
  const { id, tenant, user, crew, session, requestId, status, createdAt, updatedAt, input } = run;
  const { body, checksum } = sealRecord(`run ${id}`, run);
  const names = [id, toShortId(id), tenant, user, crew].map(toName);
  const more = [orNull(session), orNull(requestId)];
  return [...names, ...more, status, createdAt, updatedAt, toSearch(input), body, checksum];
}

function orNull(name: string | undefined): string | null {
  return name === undefined ? null : toName(name);
}

/** A text in which another is found whatever its case; what Postgres cannot store is one and the same character. */
export function toSearch(text: string): string {
  return text.toLowerCase().replaceAll("\0", "\uFFFD").toWellFormed();
}

/** The record of one run. */
export async function readRun(ask: Ask, id: string): Promise<RunRecord | undefined> {
  const [row] = await ask<Sealed>({ text: `select ${SEALED} from baton_runs where id = $1` }, [toName(id)]);
  try {
    return row && unsealRecord(`run ${id}`, row, isRun);
  } catch (error) {
    // A damaged one has ended; that is noted beside its record.
    await ask(
      {
        text: "update baton_runs set status = 'ended', outcome = 'failed' where id = $1 and outcome is distinct from 'failed'",
      },
      [toName(id)],
    );
    throw error;
  }
}

const FIND = `
select id, tenant, user_name, crew, session, created_at, updated_at, ${SEALED} from baton_runs
where ($1::text is null or tenant = $1) and ($2::text is null or user_name = $2) 
  and ($3::text is null or status = $3 or $3 = 'open' and status <> 'ended')
  and ($4::text is null or crew = $4) and ($5::text is null or session = $5) and ($6::text is null or short_id = $6)
  and ($7::text is null or request_id = $7) and ($8::text is null or strpos(search, $8) > 0)
  and ($9::text is null or (created_at, id) < (select created_at, id from baton_runs where id = $9))
  and ($10::text is null or outcome = $10) and ($11::double precision is null or created_at >= $11)
  and ($12::double precision is null or created_at < $12) and ($13::double precision is null or updated_at >= $13)
order by created_at desc, id desc limit $14
`;

/** The records that fit, newest first. */
export async function findRuns(ask: Ask, filter: RunFilter): Promise<readonly RunRecord[]> {
  const { tenant, user, status, crew, session, shortId, request, text, before, limit = DEFAULT_LIMIT } = filter;
  const { outcome, since, until, changedSince } = filter;
  const rows = await ask<ListedRow>({ text: FIND }, [
    ...[tenant, user, status, crew, session, shortId, request].map(orNull),
    text === undefined ? null : toSearch(text),
    orNull(before),
    outcome ?? null,
    since ?? null,
    until ?? null,
    changedSince ?? null,
    limit,
  ]);
  const found = rows.map(toListed).filter(({ error }) => error?.code !== "damaged" || isListedDamaged(filter));
  const last = rows.at(-1);
  if (found.length === rows.length || rows.length < limit || last === undefined) return found;
  const more = await findRuns(ask, { ...filter, before: parseName(last.id), limit: limit - found.length });
  return [...found, ...more];
}

/** Notes beside the records of runs that were written before how they ended. */
export async function addOutcomes(ask: Ask): Promise<void> {
  for (let last = ""; ;) {
    const text = `select id, ${SEALED} from baton_runs where id > $1 order by id limit ${PAGE}`;
    const rows = await ask<Row>({ text }, [last]);
    const end = rows.at(-1)?.id;
    if (end === undefined) return;
    const update = `update baton_runs set outcome = given.outcome
      from unnest($1::text[], $2::text[]) as given (id, outcome) where baton_runs.id = given.id`;
    await ask({ text: update }, [rows.map(({ id }) => id), rows.map(toOutcome)]);
    last = end;
  }
}

function toOutcome(row: Row): string | null {
  return orDamaged<string | null>(
    () => unsealRecord(`run ${parseName(row.id)}`, row, isRun).outcome ?? null,
    () => null,
  );
}

/** What goes with the runs of `gone`; a writer loses its claim. */
export const FORGET = `
claims as (delete from baton_claims using gone where key = 'run:' || gone.id),
logs as (delete from baton_logs using gone where run = gone.id),
inbox as (delete from baton_inbox using gone where run = gone.id),
batches as (delete from baton_batches using gone where run = gone.id)
`;

/** Answers that tell of runs that are deleted. */
export const FORGET_ANSWERS = "answers as (delete from baton_requests where run in (select id from gone))";

const DELETE = `
with gone as (delete from baton_runs where id = $1 returning id), ${FORGET}, ${FORGET_ANSWERS}
select from gone
`;

/** Forgets a run; false where there was none. */
export async function deleteRun(ask: Ask, id: string): Promise<boolean> {
  return (await ask({ text: DELETE }, [toName(id)])).length > 0;
}

const PRUNE = `
with gone as (
  delete from baton_runs where status = 'ended' and (
    updated_at < $1 or id in (
      select id from baton_runs where status = 'ended' order by created_at desc, id desc offset $2::bigint
    )
  ) returning id
), ${FORGET}, documents as (delete from baton_documents where expires_at <= $3)
select from gone
`;

/** Forgets ended runs, and documents whose time is over; gives how many runs. */
export async function prune(ask: Ask, { maxRuns, endedBefore }: Retention, now: number): Promise<number> {
  const values = [endedBefore ?? -Infinity, maxRuns ?? Number.MAX_SAFE_INTEGER, now];
  return (await ask({ text: PRUNE }, values)).length;
}

const INTERRUPTED = `
select id from baton_runs as r
where ($1::text[] is null or crew = any($1)) and status in ('queued', 'running') and not exists (
  select from baton_claims join baton_leases using (owner)
  where key in ('run:' || id, ${SESSION_KEY}) and ends_at > clock_timestamp()
)
order by created_at, id
`;

/** Ids of unfinished runs, of these crews or of all, that nobody living holds, oldest first. */
export async function interrupted(ask: Ask, crews?: readonly string[]): Promise<readonly string[]> {
  const rows = await ask<Pick<Row, "id">>({ text: INTERRUPTED }, [crews?.map(toName) ?? null]);
  return rows.map(({ id }) => parseName(id));
}

/** What was written was a record, and the checksum says that this is what was written. */
function isRun(value: unknown): value is RunRecord {
  return typeof value === "object" && value !== null && "id" in value && "input" in value;
}

type Row = Sealed & { readonly id: string };

interface ListedRow extends Row {
  readonly tenant: string;
  readonly user_name: string;
  readonly crew: string;
  readonly session: string | null;
  readonly created_at: number;
  readonly updated_at: number;
}

function toListed(row: ListedRow): RunRecord {
  const { created_at: createdAt, updated_at: updatedAt } = row;
  const [id, tenant] = [parseName(row.id), parseName(row.tenant)];
  const [user, crew] = [parseName(row.user_name), parseName(row.crew)];
  const session = row.session === null ? undefined : parseName(row.session);
  return orDamaged(
    () => unsealRecord(`run ${id}`, row, isRun),
    (error) => toDamagedRun({ id, tenant, user, crew, session, createdAt, updatedAt }, error),
  );
}
