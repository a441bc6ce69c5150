/**
 * Runs: the record of each run as JSON, and beside it the columns that runs are searched by.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { SESSION_KEY } from "../claim-key.ts";
import type { Runs } from "../database.ts";
import type { RunFilter, RunRecord } from "../record.ts";
import { isListedDamaged, type RunColumns, toListedRun, toRun } from "../stored-record.ts";
import type { RunStatement, PostgresConnection } from "./connection.ts";
import { findMatchedFields, parseRunSearch, type SearchTerm, toPhrase } from "../search/run-text.ts";
import { RUN_TEXT_FIELDS, type RunTextField } from "../search/run-text-fields.ts";
import { orNull, parseName, toName } from "./names.ts";
import { toTsQuery } from "./word-vector.ts";

const DEFAULT_LIMIT = 100;
/** Texts may be long, so few are looked at in one turn of the event loop. */
const TEXTS_PER_TURN = 16;
const COLUMNS = "id, tenant, user_name, crew, session, created_at, updated_at, body";

/** The words of all fields of a run in one text; a line break keeps phrases within a field. */
const ALL_WORDS = RUN_TEXT_FIELDS.map((field) => `' ' || ${field} || ' '`).join(" || E'\\n' || ");

const FIND = `
select ${COLUMNS} from baton_runs
where ($1::text is null or tenant = $1) and ($2::text is null or user_name = $2)
  and ($3::text is null or status = $3 or $3 = 'open' and status <> 'ended')
  and ($4::text is null or crew = $4) and ($5::text is null or session = $5) and ($6::text is null or short_id = $6)
  and ($7::text is null or request_id = $7) and ($8::text is null or exists (
    select from baton_run_texts as t where t.run = baton_runs.id and t.words @@ $8::tsquery
      and not exists (select from unnest($15::text[]) as phrase where strpos(${ALL_WORDS}, phrase) = 0)
  ))
  and ($9::text is null or (created_at, id) < (select created_at, id from baton_runs where id = $9))
  and ($10::text is null or outcome = $10) and ($11::double precision is null or created_at >= $11)
  and ($12::double precision is null or created_at < $12) and ($13::double precision is null or updated_at >= $13)
  and ($16::text is null or case $16 when 'none' then not exists (select from baton_feedback as f where f.run = baton_runs.id)
    else exists (select from baton_feedback as f where f.run = baton_runs.id and ($16 = 'any' or f.rating = $16)) end)
order by created_at desc, id desc limit $14
`;

const END_DAMAGED = `update baton_runs set status = 'ended', outcome = 'failed'
where id = $1 and outcome is distinct from 'failed'`;

/** Removes what belongs to the runs of `gone`; their writers lose their claims. */
export const FORGET = `
claims as (delete from baton_claims using gone where key = 'run:' || gone.id),
logs as (delete from baton_logs using gone where run = gone.id),
inbox as (delete from baton_inbox using gone where run = gone.id),
batches as (delete from baton_batches using gone where run = gone.id),
texts as (delete from baton_run_texts using gone where run = gone.id),
feedback as (delete from baton_feedback using gone where run = gone.id)
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
    list: async (filter) =>
      filter.text === undefined ? findRuns(ask, filter, []) : searchRuns(ask, filter, filter.text),
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

/** The runs that a search finds, each with the fields in which it was found. */
async function searchRuns(ask: RunStatement, filter: RunFilter, text: string): Promise<readonly RunRecord[]> {
  const terms = parseRunSearch(text);
  if (terms.length === 0) return [];
  const found = await findRuns(ask, filter, terms);
  const fields = RUN_TEXT_FIELDS.join(", ");
  const rows = await ask<TextRow>({ text: `select run, ${fields} from baton_run_texts where run = any($1)` }, [
    found.map(({ id }) => toName(id)),
  ]);
  const texts = new Map(rows.map((row) => [parseName(row.run), row]));
  const matched: RunRecord[] = [];
  for (const record of found) {
    const row = texts.get(record.id);
    matched.push({ ...record, matched: findMatchedFields((field) => row?.[field] ?? "", terms) });
    if (matched.length % TEXTS_PER_TURN === 0) await nextTurn();
  }
  return matched;
}

type TextRow = Readonly<Record<"run" | RunTextField, string>>;

async function findRuns(
  ask: RunStatement,
  filter: RunFilter,
  terms: readonly SearchTerm[],
): Promise<readonly RunRecord[]> {
  const { tenant, user, status, crew, session, shortId, request, before, limit = DEFAULT_LIMIT } = filter;
  const { outcome, since, until, changedSince } = filter;
  const rows = await ask<Row>({ text: FIND }, [
    ...[tenant, user, status, crew, session, shortId, request].map(orNull),
    terms.length === 0 ? null : toTsQuery(terms),
    orNull(before),
    outcome ?? null,
    since ?? null,
    until ?? null,
    changedSince ?? null,
    limit,
    terms.filter(({ words }) => words.length > 1).map(toPhrase),
    filter.feedback ?? null,
  ]);
  const records = rows.map((row) => toListedRun(columnsOf(row)));
  const found = records.filter(({ error }) => error?.code !== "damaged" || isListedDamaged(filter));
  const last = records.at(-1);
  if (found.length === rows.length || rows.length < limit || last === undefined) return found;
  const more = await findRuns(ask, { ...filter, before: last.id, limit: limit - found.length }, terms);
  return [...found, ...more];
}

function columnsOf(row: Row): RunColumns {
  const { created_at: createdAt, updated_at: updatedAt, body } = row;
  const [id, tenant] = [parseName(row.id), parseName(row.tenant)];
  const [user, crew] = [parseName(row.user_name), parseName(row.crew)];
  const session = row.session === null ? undefined : parseName(row.session);
  return { id, tenant, user, crew, session, createdAt, updatedAt, body };
}
