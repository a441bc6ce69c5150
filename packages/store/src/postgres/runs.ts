/**
 * Runs: the record of each run as JSON, and beside it the columns that runs are searched by.
 */
import { SESSION_KEY } from "../claim-key.ts";
import type { Runs } from "../database.ts";
import type { RunFilter, RunRecord } from "../record.ts";
import { isListedDamaged, type RunColumns, toListedRun, toRun } from "../stored-record.ts";
import type { RunStatement, PostgresConnection } from "./connection.ts";
import { orNull, parseName, toName, toSearch } from "./names.ts";

const DEFAULT_LIMIT = 100;
const COLUMNS = "id, tenant, user_name, crew, session, created_at, updated_at, body";

const FIND = `
select ${COLUMNS} from baton_runs
where ($1::text is null or tenant = $1) and ($2::text is null or user_name = $2)
  and ($3::text is null or status = $3 or $3 = 'open' and status <> 'ended')
  and ($4::text is null or crew = $4) and ($5::text is null or session = $5) and ($6::text is null or short_id = $6)
  and ($7::text is null or request_id = $7) and ($8::text is null or strpos(search, $8) > 0)
  and ($9::text is null or (created_at, id) < (select created_at, id from baton_runs where id = $9))
  and ($10::text is null or outcome = $10) and ($11::double precision is null or created_at >= $11)
  and ($12::double precision is null or created_at < $12) and ($13::double precision is null or updated_at >= $13)
order by created_at desc, id desc limit $14
`;

const END_DAMAGED = `update baton_runs set status = 'ended', outcome = 'failed'
where id = $1 and outcome is distinct from 'failed'`;

/** Removes what belongs to the runs of `gone`; their writers lose their claims. */
export const FORGET = `
claims as (delete from baton_claims using gone where key = 'run:' || gone.id),
logs as (delete from baton_logs using gone where run = gone.id),
inbox as (delete from baton_inbox using gone where run = gone.id),
batches as (delete from baton_batches using gone where run = gone.id)
`;

/** Removes the answers of requests that started the runs of `gone`. */
export const FORGET_ANSWERS = "answers as (delete from baton_requests where run in (select id from gone))";

const DELETE = `
with gone as (delete from baton_runs where id = $1 returning id), ${FORGET}, ${FORGET_ANSWERS}
select from gone
`;

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

const INTERRUPTED = `
select id from baton_runs as r
where ($1::text[] is null or crew = any($1)) and status in ('queued', 'running') and not exists (
  select from baton_claims join baton_leases using (owner)
  where key in ('run:' || id, ${SESSION_KEY}) and ends_at > clock_timestamp()
)
order by created_at, id
`;

interface Row {
  readonly id: string;
  readonly tenant: string;
  readonly user_name: string;
  readonly crew: string;
  readonly session: string | null;
  readonly created_at: number;
  readonly updated_at: number;
  readonly body: string;
}

/** The runs of a database. */
export function postgresRuns({ ask }: PostgresConnection, now: () => number): Runs {
  return {
    /** A damaged run counts as ended from now on, so that recovery leaves it alone. */
    async find(id) {
      const [row] = await ask<Row>({ text: `select ${COLUMNS} from baton_runs where id = $1` }, [toName(id)]);
      try {
        return row && toRun(columnsOf(row));
      } catch (error) {
        await ask({ text: END_DAMAGED }, [toName(id)]);
        throw error;
      }
    },
    list: async (filter) => findRuns(ask, filter),
    delete: async (id) => (await ask({ text: DELETE }, [toName(id)])).length > 0,
    async prune({ maxRuns = Number.MAX_SAFE_INTEGER, endedBefore = -Infinity }) {
      return (await ask({ text: PRUNE }, [endedBefore, maxRuns, now()])).length;
    },
    async interrupted(crews) {
      const rows = await ask<Pick<Row, "id">>({ text: INTERRUPTED }, [crews?.map(toName) ?? null]);
      return rows.map(({ id }) => parseName(id));
    },
  };
}

async function findRuns(ask: RunStatement, filter: RunFilter): Promise<readonly RunRecord[]> {
  const { tenant, user, status, crew, session, shortId, request, text, before, limit = DEFAULT_LIMIT } = filter;
  const { outcome, since, until, changedSince } = filter;
  const rows = await ask<Row>({ text: FIND }, [
    ...[tenant, user, status, crew, session, shortId, request].map(orNull),
    text === undefined ? null : toSearch(text),
    orNull(before),
    outcome ?? null,
    since ?? null,
    until ?? null,
    changedSince ?? null,
    limit,
  ]);
  const records = rows.map((row) => toListedRun(columnsOf(row)));
  const found = records.filter(({ error }) => error?.code !== "damaged" || isListedDamaged(filter));
  const last = records.at(-1);
  if (found.length === rows.length || rows.length < limit || last === undefined) return found;
  const more = await findRuns(ask, { ...filter, before: last.id, limit: limit - found.length });
  return [...found, ...more];
}

function columnsOf(row: Row): RunColumns {
  const { created_at: createdAt, updated_at: updatedAt, body } = row;
  const [id, tenant] = [parseName(row.id), parseName(row.tenant)];
  const [user, crew] = [parseName(row.user_name), parseName(row.crew)];
  const session = row.session === null ? undefined : parseName(row.session);
  return { id, tenant, user, crew, session, createdAt, updatedAt, body };
}
