/**
 * Commit: everything that many holders of claims add at once, as one statement and so one transaction and one answer.
 *
 * The rows of the claims are locked and compared in it: somebody who takes a claim over does so before, and then
 * nothing is written under it, or after, and then sees what was. A commit may be repeated: a batch that is there is
 * left alone, and a claim that was given back with it counts as held.
 */
import type { Batch, Change, Claim } from "../database.ts";
import type { Ask, Cell, Value } from "./connection.ts";
import { toClaimColumns } from "./claims.ts";
import { toRequestColumns } from "./requests.ts";
import { toRunColumns } from "./runs.ts";
import { toName } from "./sealed.ts";
import { toConversationColumns, toSessionColumns, toUseColumns } from "./sessions.ts";

/** The channel on which the runs are named that were added to. */
export const CHANNEL = "baton";

const COMMIT = `
with given as (
  select * from unnest($1::text[], $2::text[], $3::bigint[], $4::boolean[], $5::boolean[]) with ordinality
    as given (key, owner, number, begins, ends, claim)
),
begun as (
  insert into baton_claims (key, owner, number)
  select distinct on (key) key, case when ends then '' else owner end, number from given where begins order by key, claim
  on conflict (key) do update set owner = excluded.owner, number = excluded.number
    where not exists (
      select from baton_leases where baton_leases.owner = baton_claims.owner and ends_at > clock_timestamp()
    ) or exists (
      select from given where given.key = baton_claims.key and given.owner = baton_claims.owner
        and given.number = baton_claims.number
    )
  returning key
),
kept as (
  select claim from baton_claims join given using (key, owner, number) where not begins
  order by key for share of baton_claims
),
held as (
  select claim from kept
  union all
  (select distinct on (key) claim from given join begun using (key) where begins order by key, claim)
),
numbered as (
  select * from unnest($6::bigint[], $7::bigint[]) with ordinality as numbered (claim, also, change)
),
changes as (
  select change from numbered
  where claim in (select claim from held) and (also is null or also in (select claim from held))
),
batch as (
  select given.*, stored.last is not null as is_stored
  from unnest($8::bigint[], $9::text[], $10::integer[], $11::integer[], $12::text[], $13::bigint[])
    as given (change, run, first, last, body, checksum)
  left join baton_batches as stored using (run, last, first, checksum)
),
done as (
  select change from batch join numbered using (change) join given using (claim)
  where is_stored and ends and claim not in (select claim from held)
),
incoming as (
  select *, lag(last) over (partition by run order by change) as before from batch
  where not is_stored and change in (select change from changes)
),
spans as (
  select run, min(first) as began, max(last) as length from incoming
  group by run having bool_and(before is null or first = before + 1)
),
run as (
  select given.*, stored.id is not null as is_there,
    coalesce((stored.body, stored.checksum) = (given.body, given.checksum), false) as is_same
  from unnest($14::bigint[], $15::text[], $16::text[], $17::text[], $18::text[], $19::text[], $20::text[], $21::text[],
    $22::text[], $23::double precision[], $24::double precision[], $25::text[], $26::text[], $27::bigint[],
    $65::text[], $28::boolean[])
    as given (change, id, short_id, tenant, user_name, crew, session, request_id, status, created_at, updated_at,
      search, body, checksum, outcome, creates)
  left join baton_runs as stored on creates and stored.id = given.id
),
created as (
  select change, id, is_there from run where creates and not is_same and change in (select change from changes)
),
lengths as (
  select run, began, length from spans where run not in (select id from created)
    and (began = 1 or exists (select from baton_logs where baton_logs.run = spans.run))
  union
  -- No log is as long as such a beginning says: one that is there already stays as it is, and the run is refused.
  select id, 0, coalesce(length, 0) from created left join spans on run = id
  where not is_there and (began = 1 or id not in (select run from incoming))
),
grown as (
  insert into baton_logs (run, began, length)
  select run, began, length from lengths order by run
  on conflict (run) do update set began = excluded.began, length = excluded.length
    where baton_logs.length = excluded.began - 1
  returning run
),
refused as (
  select change from incoming where run not in (select run from grown)
  union all
  select change from created where id not in (select run from grown)
),
good as (
  select change from changes where change not in (select change from refused)
),
batches as (
  insert into baton_batches (run, first, last, body, checksum)
  select run, first, last, body, checksum from incoming where run in (select run from grown)
),
runs as (
  insert into baton_runs (id, short_id, tenant, user_name, crew, session, request_id, status, created_at, updated_at,
    search, body, checksum, outcome)
  select distinct on (id) id, short_id, tenant, user_name, crew, session, request_id, status, created_at, updated_at,
    search, body, checksum, outcome
  from run where change in (select change from good)
  order by id, change desc
  on conflict (id) do update set tenant = excluded.tenant, user_name = excluded.user_name, crew = excluded.crew,
    session = excluded.session, request_id = excluded.request_id, status = excluded.status,
    created_at = excluded.created_at, updated_at = excluded.updated_at, search = excluded.search,
    body = excluded.body, checksum = excluded.checksum, outcome = excluded.outcome
),
next as (
  select * from unnest($51::bigint[], $52::text[], $53::text[], $54::text[], $55::text[], $56::text[], $57::text[],
    $58::text[], $59::text[], $60::double precision[], $61::double precision[], $62::text[], $63::text[], $64::bigint[])
    as next (change, id, short_id, tenant, user_name, crew, session, request_id, status, created_at, updated_at,
      search, body, checksum)
  where change in (select change from good) and change in (select change from incoming)
),
next_logs as (
  insert into baton_logs (run, began, length) select id, 0, 0 from next order by id on conflict (run) do nothing
),
next_runs as (
  insert into baton_runs (id, short_id, tenant, user_name, crew, session, request_id, status, created_at, updated_at,
    search, body, checksum)
  select id, short_id, tenant, user_name, crew, session, request_id, status, created_at, updated_at,
    search, body, checksum
  from next order by id on conflict (id) do nothing
),
sessions as (
  insert into baton_sessions (tenant, user_name, id, created_at, body, checksum, updated_at, search)
  select distinct on (tenant, user_name, id) tenant, user_name, id, created_at, body, checksum, updated_at, search
  from unnest($29::bigint[], $30::text[], $31::text[], $32::text[], $33::double precision[], $34::text[], $35::bigint[],
    $66::double precision[], $67::text[])
    as session (change, tenant, user_name, id, created_at, body, checksum, updated_at, search)
  where change in (select change from good)
  order by tenant, user_name, id, change desc
  on conflict (tenant, user_name, id) do update set created_at = excluded.created_at, body = excluded.body,
    checksum = excluded.checksum, updated_at = excluded.updated_at, search = excluded.search
),
message as (
  select *, max(change) filter (where replaces) over (partition by tenant, user_name, session) as since
  from unnest($36::bigint[], $37::text[], $38::text[], $39::text[], $40::text[], $41::text[], $42::bigint[],
    $43::boolean[])
    as message (change, tenant, user_name, session, run, body, checksum, replaces)
  where change in (select change from good)
),
said as (
  select distinct on (tenant, user_name, session, run) *,
    min(change) over (partition by tenant, user_name, session, run) as began
  from message where since is null or change >= since
  order by tenant, user_name, session, run, change desc
),
unsaid as (
  delete from baton_messages as old
  using (select distinct tenant, user_name, session from said where since is not null) as rewritten
  where (old.tenant, old.user_name, old.session) = (rewritten.tenant, rewritten.user_name, rewritten.session)
    and (old.tenant, old.user_name, old.session, run) not in (select tenant, user_name, session, run from said)
),
messages as (
  insert into baton_messages (tenant, user_name, session, run, body, checksum)
  select tenant, user_name, session, run, body, checksum from said order by began
  on conflict (tenant, user_name, session, run) do update set body = excluded.body, checksum = excluded.checksum
),
request as (
  select distinct on (key) key, run, kept_until, body, checksum
  from unnest($44::bigint[], $45::text[], $46::text[], $47::double precision[], $48::text[], $49::bigint[])
    as request (change, key, run, kept_until, body, checksum)
  where change in (select change from good)
  order by key, change desc
),
requests as (
  insert into baton_requests (key, run, kept_until, body, checksum) select * from request
  on conflict (key) do update set
    run = excluded.run, kept_until = excluded.kept_until, body = excluded.body, checksum = excluded.checksum
),
over as (
  select key from baton_requests
  where exists (select from request) and kept_until <= $50 and key not in (select key from request)
  order by kept_until limit 16 for update skip locked
),
forgotten as (
  delete from baton_requests where key in (select key from over)
),
taken as (
  delete from baton_inbox using unnest($68::bigint[], $69::text[], $70::text[]) as taken (change, run, id)
  where (baton_inbox.run, baton_inbox.id) = (taken.run, taken.id) and change in (select change from good)
),
ended as (
  delete from baton_claims using given
  where (baton_claims.key, baton_claims.owner, baton_claims.number) = (given.key, given.owner, given.number)
    and given.ends and claim in (select claim from kept)
)
select
  array(select change::integer from good union all select change::integer from done) as good,
  (select count(pg_notify('${CHANNEL}', run)) from grown) as told
`;

/** Writes all of it, at this time; gives the keys of the claims that were lost. */
export async function commit(ask: Ask, changes: readonly Change[], now: number): Promise<readonly string[]> {
  const claims = new Map<string, Taking>();
  const numbered = changes.map((change, index) => ({
    ...change,
    number: index + 1,
    taking: toTaking(claims, change),
    second: change.also === undefined ? null : toTaking(claims, { claim: change.also }).number,
  }));
  const [row] = await ask<{ good: readonly number[] }>({ name: "baton_commit", text: COMMIT }, [
    ...toColumns(5, [...claims.values()], ({ claim, begins, ends }) => [...toClaimColumns(claim), begins, ends]),
    numbered.map(({ taking }) => taking.number),
    numbered.map(({ second }) => second),
    ...toColumns(6, numbered, ({ batch, number }) => batch && [number, ...toBatchColumns(batch)]),
    ...toColumns(14, numbered, ({ run, number }) => run && [number, ...toRunColumns(run)]),
    numbered.flatMap(({ run, creates = false }) => (run === undefined ? [] : [creates])),
    ...toColumns(7, numbered, ({ session, number }) => session && [number, ...toSessionColumns(session)]),
    ...toColumns(8, numbered, ({ messages, number }) => messages && [number, ...toConversationColumns(messages)]),
    ...toColumns(6, numbered, ({ request, number }) => request && [number, ...toRequestColumns(request)]),
    now,
    ...toColumns(14, numbered, ({ next, number }) => next && [number, ...toRunColumns(next)]),
    // Later columns of what is above.
    numbered.flatMap(({ run }) => (run === undefined ? [] : [run.outcome ?? null])),
    ...toColumns(2, numbered, ({ session }) => session && toUseColumns(session)),
    ...toColumns(3, numbered.flatMap(toTaken), (taken) => taken),
  ]);
  const good = new Set(row?.good);
  return [...new Set(numbered.filter(({ number }) => !good.has(number)).map(({ claim }) => claim.key))];
}

/** A claim that changes come under, with what they do to it. */
interface Taking {
  readonly claim: Claim;
  readonly number: number;
  begins: boolean;
  ends: boolean;
}

function toTaking(claims: Map<string, Taking>, { claim, begins, ends }: Change): Taking {
  const name = JSON.stringify(toClaimColumns(claim));
  const taking = claims.get(name) ?? { claim, number: claims.size + 1, begins: false, ends: false };
  taking.begins ||= begins === true;
  taking.ends ||= ends === true;
  claims.set(name, taking);
  return taking;
}

/** The posted commands that a change removes, each as a row. */
function toTaken({
  takes = [],
  run,
  batch,
  number,
}: Change & { readonly number: number }): readonly (readonly Cell[])[] {
  return takes.map((id) => [number, toName(run?.id ?? batch?.run ?? ""), toName(id)]);
}

/** Rows turned into as many arrays as they have columns. */
function toColumns<T>(width: number, items: readonly T[], toRow: (item: T) => readonly Cell[] | undefined): Value[] {
  const rows = items.map(toRow).filter((row) => row !== undefined);
  return Array.from({ length: width }, (_, column) => rows.map((row) => row[column] ?? null));
}

function toBatchColumns({ run, first, last, body, checksum }: Batch): readonly Cell[] {
  return [toName(run), first, last, body, checksum];
}
