/**
 * Schema: Baton's tables in Postgres, and how they come to be.
 *
 * Migrations are numbered by their place in the list and only ever added. They run at open under a lock, so of
 * several processes that start together one does it. Texts that are compared are in byte order, whatever the
 * database's locale.
 */
import { BatonError } from "@baton/core";
import type { RunStatement, PostgresConnection } from "./connection.ts";
import { COMMIT_FUNCTIONS } from "./commit-function.ts";
import { RUN_TEXT_FIELDS } from "../search/run-text-fields.ts";
import { addOwners, addRunTexts, addTitles } from "./migration.ts";

const FIRST = `
create table baton_runs (
  id text collate "C" primary key,
  tenant text collate "C" not null,
  crew text collate "C" not null,
  session text collate "C",
  status text collate "C" not null,
  created_at double precision not null,
  updated_at double precision not null,
  search text not null,
  body text not null,
  checksum bigint not null
);
create index on baton_runs (created_at desc, id desc);
create index on baton_runs (tenant, created_at desc, id desc);
create index on baton_runs (session, tenant) where session is not null;
create index on baton_runs (created_at, id) where status in ('queued', 'running');

create table baton_logs (
  run text collate "C" primary key,
  began integer not null,
  length integer not null
) with (fillfactor = 70);

create table baton_batches (
  run text collate "C" not null,
  first integer not null,
  last integer not null,
  body text not null,
  checksum bigint not null,
  primary key (run, last)
);

create table baton_sessions (
  tenant text collate "C" not null,
  id text collate "C" not null,
  created_at double precision not null,
  body text not null,
  checksum bigint not null,
  primary key (tenant, id)
);
create index on baton_sessions (tenant, created_at desc, id desc);

create table baton_messages (
  tenant text collate "C" not null,
  session text collate "C" not null,
  run text collate "C" not null,
  place bigint generated always as identity,
  body text not null,
  checksum bigint not null,
  primary key (tenant, session, run)
);

create table baton_definitions (hash text collate "C" primary key, body text not null, checksum bigint not null);

create table baton_keys (
  id text collate "C" primary key,
  place bigint generated always as identity,
  body text not null,
  checksum bigint not null
);

create table baton_leases (owner text collate "C" primary key, ends_at timestamptz not null);

create table baton_claims (
  key text collate "C" primary key,
  owner text collate "C" not null,
  number bigint not null
);
create index on baton_claims (owner);

create table baton_pages (id text collate "C" primary key, ends_at double precision not null, body text);
create index on baton_pages (ends_at);
`;

const REQUESTS = `
create table baton_requests (
  key text collate "C" primary key,
  run text collate "C",
  kept_until double precision not null,
  body text not null,
  checksum bigint not null
);
create index on baton_requests (run);
create index on baton_requests (kept_until);
`;

/** Everything belongs to a user. What is there already belongs to `local`. */
const OWNERS = `
alter table baton_runs add column user_name text collate "C" not null default 'local';
alter table baton_runs alter column user_name drop default;
alter table baton_runs add column short_id text collate "C" not null default '';
alter table baton_runs add column request_id text collate "C";
drop index if exists baton_runs_session_tenant_idx;
create index on baton_runs (tenant, user_name, created_at desc, id desc);
create index on baton_runs (session, tenant, user_name, created_at desc, id desc) where session is not null;
create index on baton_runs (short_id);
create index on baton_runs (request_id) where request_id is not null;

alter table baton_sessions add column user_name text collate "C" not null default 'local';
alter table baton_sessions alter column user_name drop default;
alter table baton_sessions drop constraint baton_sessions_pkey, add primary key (tenant, user_name, id);
drop index if exists baton_sessions_tenant_created_at_id_idx;
create index on baton_sessions (tenant, user_name, created_at desc, id desc);

alter table baton_messages add column user_name text collate "C" not null default 'local';
alter table baton_messages alter column user_name drop default;
alter table baton_messages drop constraint baton_messages_pkey, add primary key (tenant, user_name, session, run);
delete from baton_claims;
`;

/** A version is never used again. Vectors are numbers at random, which no compression makes smaller. */
const DOCUMENTS = `
create sequence baton_document_versions;
create table baton_documents (
  number bigint generated always as identity primary key,
  tenant text collate "C" not null,
  user_name text collate "C" not null,
  collection text collate "C" not null,
  id text collate "C" not null,
  version bigint not null default nextval('baton_document_versions'),
  session text collate "C",
  expires_at double precision,
  body text not null,
  checksum bigint not null,
  words tsvector,
  vector bytea,
  unique (tenant, user_name, collection, id)
);
alter table baton_documents alter column vector set storage external;
create index on baton_documents (session, tenant, user_name) where session is not null;
create index on baton_documents (expires_at) where expires_at is not null;
create index on baton_documents using gin (words);
create index on baton_documents (tenant, user_name, collection, number) where vector is not null;

create table baton_document_keys (
  tenant text collate "C" not null,
  user_name text collate "C" not null,
  collection text collate "C" not null,
  name text collate "C" not null,
  key text collate "C" not null,
  id text collate "C" not null,
  document bigint not null references baton_documents on delete cascade,
  primary key (tenant, user_name, collection, name, key, id)
);
create index on baton_document_keys (document, name);
`;

/** Index that finds the due documents of all owners without reading the others. */
const DUE_INDEX = `
create index on baton_document_keys (collection, key, tenant, user_name, id) where name = 'dueAt';
`;

/** Sessions are listed by their last use, runs are found by how they ended and by what was changed lately. */
const USE = `
alter table baton_sessions add column if not exists updated_at double precision not null default 0;
alter table baton_sessions add column if not exists search text not null default '';
drop index if exists baton_sessions_tenant_user_name_created_at_id_idx;
create index on baton_sessions (tenant, user_name, updated_at desc, id desc);
alter table baton_runs add column if not exists outcome text collate "C";
create index on baton_runs (updated_at);
create function pg_temp.outcome_of(body text) returns text language plpgsql as $$
begin
  return body::json ->> 'outcome';
exception when others then
  return null;
end $$;
update baton_runs set outcome = pg_temp.outcome_of(body);
update baton_sessions set updated_at = created_at;
`;

/** Messages that runs had not heard yet were in their records. */
const INBOX = `
create table baton_inbox (
  run text collate "C" not null,
  id text collate "C" not null,
  fate text not null,
  command text not null,
  primary key (run, id)
);
create index on baton_inbox (run) where fate = 'sent';
insert into baton_inbox (run, id, fate, command)
  select r.id, lpad(e.place::text, 20, '0'), 'taken', json_build_object('type', 'say', 'text', e.text)::text
  from baton_runs r, json_array_elements_text(r.body::json -> 'mail') with ordinality as e (text, place)
  where r.status <> 'ended' and r.body like '%"mail":%';
`;

/** Records had checksums, and not every run had a log. */
const FUNCTIONS = `
alter table baton_runs drop column if exists checksum;
alter table baton_sessions drop column if exists checksum;
alter table baton_messages drop column if exists checksum;
alter table baton_definitions drop column if exists checksum;
alter table baton_keys drop column if exists checksum;
alter table baton_requests drop column if exists checksum;
alter table baton_documents drop column if exists checksum;
alter table baton_logs drop column if exists began;
insert into baton_logs (run, length) select id, 0 from baton_runs on conflict do nothing;
${COMMIT_FUNCTIONS}`;

/** Runs are found by the words of their texts, people judge them, and give sessions titles and pin them. */
const SEARCH = `
alter table baton_sessions add column if not exists given_title text, add column if not exists given_search text,
  add column if not exists pinned boolean not null default false, add column if not exists words text not null default '', add column if not exists given_words text;
drop index if exists baton_sessions_tenant_user_name_updated_at_id_idx;
create index on baton_sessions (tenant, user_name, pinned desc, updated_at desc, id desc);

create table if not exists baton_run_texts (
  run text collate "C" primary key,
  ${RUN_TEXT_FIELDS.map((field) => `${field} text not null default ''`).join(",\n  ")},
  words tsvector not null generated always as (
    array_to_tsvector(array_remove(string_to_array(${RUN_TEXT_FIELDS.join(" || ' ' || ")}, ' '), ''))
  ) stored
);
create index on baton_run_texts using gin (words);

create table if not exists baton_feedback (
  run text collate "C" not null,
  tenant text collate "C" not null,
  user_name text collate "C" not null,
  rating text not null,
  comment text,
  at double precision not null,
  primary key (run, tenant, user_name)
);
${COMMIT_FUNCTIONS}`;

/** Tables, and how what was in them before is changed. */
interface Migration {
  readonly text: string;
  readonly change?: (ask: RunStatement) => Promise<void>;
}

const MIGRATIONS: readonly Migration[] = [
  { text: FIRST },
  { text: REQUESTS },
  { text: OWNERS, change: addOwners },
  { text: DOCUMENTS },
  { text: DUE_INDEX },
  { text: USE, change: addTitles },
  { text: INBOX },
  { text: FUNCTIONS },
  { text: SEARCH, change: addRunTexts },
];

/** Brings the tables up to date; refuses those of a newer Baton, and those that an older one still uses. */
export async function migratePostgres(connection: PostgresConnection): Promise<void> {
  const newest = MIGRATIONS.length;
  await connection.transaction(async (ask) => {
    await ask({ text: "select pg_advisory_xact_lock(hashtext('baton_schema'))" }, []);
    await ask({ text: "create table if not exists baton_schema (version integer not null)" }, []);
    const [row] = await ask<{ version: number }>({ text: "select version from baton_schema" }, []);
    const version = row?.version ?? 0;
    if (version > newest) throw isNewer(connection.place, version);
    if (version > 0 && version < newest) await checkUnused(ask, connection.place);
    for (const { text, change } of MIGRATIONS.slice(version)) {
      await ask({ text }, []);
      await change?.(ask);
    }
    if (row === undefined) await ask({ text: "insert into baton_schema values ($1)" }, [newest]);
    else if (version < newest) await ask({ text: "update baton_schema set version = $1" }, [newest]);
  });
}

/** A process of an older Baton would not understand the new tables. */
async function checkUnused(ask: RunStatement, place: string): Promise<void> {
  const used = await ask({ text: "select from baton_leases where ends_at > clock_timestamp() limit 1" }, []);
  if (used.length === 0) return;
  throw new BatonError(
    "busy",
    `the store in Postgres at ${place} is in use by an older Baton and must be brought up to date: stop the older one first`,
    { retryable: true },
  );
}

function isNewer(place: string, version: number): BatonError {
  return new BatonError(
    "conflict",
    `the store in Postgres at ${place} was written by a newer Baton (schema ${version}, this one knows up to ${MIGRATIONS.length}): ` +
      "install that version, or open another database",
  );
}
