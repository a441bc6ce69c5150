/**
 * Commit function: the part of a commit that runs in Postgres. One call is one transaction and one round trip.
 *
 * The row of a claim is locked while a change is written under it, so a process that takes it over does so before or after.
 * Changes are written in the order of their claims, so two commits cannot wait for each other. A commit may be repeated: a
 * batch that is stored is left alone, and a claim that was released with it counts as held.
 */

import { RUN_TEXT_FIELDS } from "../search/run-text-fields.ts";

/**
 * The channels on which runs are named that were written, and that a command was posted to. Lines follow the name: the
 * schema, because all schemas of a database share channels; 1 if the run's record was written; and a batch that is small
 * enough, so that its readers need not ask for it.
 */
export const CHANNEL = "baton";
export const INBOX_CHANNEL = "baton_inbox";

/** Postgres takes notifications of less than 8,000 bytes. */
const MAX_PUSHED_BYTES = 7_000;

/** Whether a claim is held; it cannot be taken until the end of the transaction. */
const HOLDS = `
create or replace function baton_holds(claim json) returns boolean language plpgsql as $$
begin
  perform from baton_claims
  where key = claim ->> 'key' and owner = claim ->> 'owner' and number = (claim ->> 'number')::bigint for share;
  return found;
end $$;
`;

/** Takes a claim, unless a live process owns it; true also if it is held already. */
const TAKES = `
create or replace function baton_takes(claim json) returns boolean language plpgsql as $$
begin
  insert into baton_claims select * from json_populate_record(null::baton_claims, claim)
  on conflict (key) do update set owner = excluded.owner, number = excluded.number
    where not exists (
      select from baton_leases where baton_leases.owner = baton_claims.owner and ends_at > clock_timestamp()
    );
  return found or baton_holds(claim);
end $$;
`;

/** Adds a batch to its log; makes the log of a run that has none. False if the log is not what the writer believes. */
const GROWS = `
create or replace function baton_grows(run_id text, batch baton_batches, record json, creates boolean) returns boolean
language plpgsql as $$
begin
  if creates then
    insert into baton_logs (run, length) values (run_id, coalesce(batch.last, 0)) on conflict (run) do nothing;
    return found or exists (
      select from baton_runs join baton_logs on baton_logs.run = id
      where id = run_id and body = record ->> 'body' and length = coalesce(batch.last, 0)
    );
  elsif batch.first = 1 then
    insert into baton_logs (run, length) values (run_id, batch.last)
    on conflict (run) do update set length = excluded.length where baton_logs.length = 0;
  elsif batch.first > 1 then
    update baton_logs set length = batch.last where baton_logs.run = run_id and length = batch.first - 1;
  else
    insert into baton_logs (run, length) values (run_id, 0) on conflict (run) do nothing;
    return true;
  end if;
  return found;
end $$;
`;

const SAVE_RUN = `
insert into baton_runs select * from json_populate_record(null::baton_runs, c.run)
on conflict (id) do update set status = excluded.status, outcome = excluded.outcome, updated_at = excluded.updated_at,
  body = excluded.body`;

const SAVE_SESSION = `
insert into baton_sessions (tenant, user_name, id, created_at, updated_at, search, words, body)
  select s.tenant, s.user_name, s.id, s.created_at, s.updated_at, s.search, s.words, s.body
  from json_populate_record(null::baton_sessions, c.session) as s
on conflict (tenant, user_name, id) do update set created_at = excluded.created_at, updated_at = excluded.updated_at,
  search = excluded.search, words = excluded.words, body = excluded.body`;

const TEXT_FIELDS = RUN_TEXT_FIELDS.filter((field) => field !== "title" && field !== "answer");

/** Saves the words of a run with the title that its session has now; an answer that is not given stays as it was. */
const saveText = (text: string): string => `
insert into baton_run_texts (run, ${TEXT_FIELDS.join(", ")}, answer, title)
  select t.run, ${TEXT_FIELDS.map((field) => `t.${field}`).join(", ")}, coalesce(t.answer, ''), coalesce((
    select coalesce(s.given_words, s.words) from baton_sessions s
    where (s.tenant, s.user_name, s.id) = (${text} ->> 'tenant', ${text} ->> 'user_name', ${text} ->> 'session')), '')
  from json_populate_record(null::baton_run_texts, ${text}) as t
on conflict (run) do update set ${TEXT_FIELDS.map((field) => `${field} = excluded.${field}`).join(", ")},
  answer = case when ${text} ->> 'answer' is null then baton_run_texts.answer else excluded.answer end,
  title = excluded.title`;

const SAVE_MESSAGES = `
insert into baton_messages (tenant, user_name, session, run, body)
  select m.tenant, m.user_name, m.session, m.run, m.body from json_populate_record(null::baton_messages, c.messages) as m
on conflict (tenant, user_name, session, run) do update set body = excluded.body`;

const FORGET_MESSAGES = `
delete from baton_messages as old using json_populate_record(null::baton_messages, c.messages) as m
where (old.tenant, old.user_name, old.session) = (m.tenant, m.user_name, m.session) and old.run <> m.run`;

const SAVE_REQUEST = `
insert into baton_requests select * from json_populate_record(null::baton_requests, c.request)
on conflict (key) do update set run = excluded.run, kept_until = excluded.kept_until, body = excluded.body`;

const FORGET_REQUESTS = `
delete from baton_requests where key in (
  select key from baton_requests where kept_until <= now order by kept_until limit 16 for update skip locked)`;

/** Gives the keys of the claims that were lost. */
const COMMIT = `
create or replace function baton_commit(changes json, now double precision) returns setof text language plpgsql as $$
declare
  c record;
  batch baton_batches;
  is_stored boolean;
begin
  for c in
    select * from json_to_recordset(changes) as given (
      place integer, claim json, also json, begins boolean, ends boolean, creates boolean, id text, run json, batch json,
      next json, text json, next_text json, session json, messages json, replaces boolean, request json, takes text[])
    order by (claim ->> 'key') collate "C", place
  loop
    batch := json_populate_record(null::baton_batches, c.batch);
    is_stored := exists (
      select from baton_batches as old
      where (old.run, old.first, old.last, old.checksum) = (batch.run, batch.first, batch.last, batch.checksum)
    );
    if c.also is not null and not baton_holds(c.also) then
      return next c.claim ->> 'key';
      continue;
    end if;
    if not (case when c.begins then baton_takes(c.claim) else baton_holds(c.claim) end) then
      if not (c.ends and is_stored) then
        return next c.claim ->> 'key';
      end if;
      continue;
    end if;
    if c.id is not null and (c.creates or not is_stored) and not baton_grows(c.id, batch, c.run, c.creates) then
      if c.begins then
        delete from baton_claims where key = c.claim ->> 'key';
      end if;
      return next c.claim ->> 'key';
      continue;
    end if;
    if c.batch is not null and not is_stored then
      insert into baton_batches values (batch.*);
    end if;
    if c.run is not null then ${SAVE_RUN};
    end if;
    if c.next is not null and c.batch is not null and not is_stored then
      insert into baton_runs select * from json_populate_record(null::baton_runs, c.next) on conflict (id) do nothing;
      insert into baton_logs (run, length) values (c.next ->> 'id', 0) on conflict (run) do nothing;
      ${saveText("c.next_text")};
    end if;
    if c.session is not null then ${SAVE_SESSION};
    end if;
    if c.text is not null then ${saveText("c.text")};
    end if;
    if c.replaces then ${FORGET_MESSAGES};
    end if;
    if c.messages is not null then ${SAVE_MESSAGES};
    end if;
    if c.request is not null then ${SAVE_REQUEST}; ${FORGET_REQUESTS};
    end if;
    delete from baton_inbox where run = c.id and baton_inbox.id = any(c.takes);
    if c.ends then
      delete from baton_claims where key = c.claim ->> 'key';
    end if;
    if c.id is not null then
      perform pg_notify('${CHANNEL}', concat_ws(E'\\n', c.id, current_schema(), (c.run is not null)::integer,
        case when octet_length(batch.body) <= ${MAX_PUSHED_BYTES}
          then concat_ws(E'\\n', batch.first, batch.last, batch.checksum, batch.body) end));
    end if;
  end loop;
end $$;
`;

/** All functions of a commit. */
export const COMMIT_FUNCTIONS = `${HOLDS}${TAKES}${GROWS}${COMMIT}`;
