/**
 * Schema: Baton's tables in Postgres, and how they come to be.
 *
 * They are made at open under a lock, so of several processes that start together one does it. Texts that are compared are
 * in byte order, whatever the database's locale.
 */
import { BatonError } from "@baton/core";
import type { PostgresConnection } from "./connection.ts";
import { COMMIT_FUNCTIONS } from "./commit-function.ts";
import { RUN_TEXT_FIELDS } from "../search/run-text-fields.ts";

const TABLES = `
create table baton_runs (
  id text collate "C" primary key,
  short_id text collate "C" not null,
  tenant text collate "C" not null,
  user_name text collate "C" not null,
  crew text collate "C" not null,
  session text collate "C",
  request_id text collate "C",
  status text collate "C" not null,
  outcome text collate "C",
  created_at double precision not null,
  updated_at double precision not null,
  body text not null
);
create index on baton_runs (created_at desc, id desc);
create index on baton_runs (tenant, created_at desc, id desc);
create index on baton_runs (tenant, user_name, created_at desc, id desc);
create index on baton_runs (session, tenant, user_name, created_at desc, id desc) where session is not null;
create index on baton_runs (created_at, id) where status in ('queued', 'running');
create index on baton_runs (short_id);
create index on baton_runs (request_id) where request_id is not null;
create index on baton_runs (updated_at);

create table baton_logs (run text collate "C" primary key, length integer not null) with (fillfactor = 70);

create table baton_batches (
  run text collate "C" not null,
  first integer not null,
  last integer not null,
  body text not null,
  checksum bigint not null,
  primary key (run, last)
);

create table baton_run_texts (
  run text collate "C" primary key,
  ${RUN_TEXT_FIELDS.map((field) => `${field} text not null default ''`).join(",\n  ")},
  words tsvector not null generated always as (
    array_to_tsvector(array_remove(string_to_array(${RUN_TEXT_FIELDS.join(" || ' ' || ")}, ' '), ''))
  ) stored
);
create index on baton_run_texts using gin (words);

create table baton_inbox (
  run text collate "C" not null,
  id text collate "C" not null,
  fate text not null,
  command text not null,
  primary key (run, id)
);
create index on baton_inbox (run) where fate = 'sent';

create table baton_feedback (
  run text collate "C" not null,
  tenant text collate "C" not null,
  user_name text collate "C" not null,
  rating text not null,
  comment text,
  at double precision not null,
  primary key (run, tenant, user_name)
);

create table baton_sessions (
  tenant text collate "C" not null,
  user_name text collate "C" not null,
  id text collate "C" not null,
  created_at double precision not null,
  updated_at double precision not null,
  pinned boolean not null default false,
  given_title text,
  search text not null,
  given_search text,
  words text not null,
  given_words text,
  body text not null,
  primary key (tenant, user_name, id)
);
create index on baton_sessions (tenant, user_name, pinned desc, updated_at desc, id desc);

create table baton_messages (
  tenant text collate "C" not null,
  user_name text collate "C" not null,
  session text collate "C" not null,
  run text collate "C" not null,
  place bigint generated always as identity,
  body text not null,
  primary key (tenant, user_name, session, run)
);

create table baton_definitions (hash text collate "C" primary key, body text not null);

create table baton_keys (
  id text collate "C" primary key,
  place bigint generated always as identity,
  body text not null
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

create table baton_requests (
  key text collate "C" primary key,
  run text collate "C",
  kept_until double precision not null,
  body text not null
);
create index on baton_requests (run);
create index on baton_requests (kept_until);
`;

/**
 * A version is never used again. Vectors are numbers at random, which no compression makes smaller. The last index finds
 * the due documents of all owners without reading the others.
 */
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
create index on baton_document_keys (collection, key, tenant, user_name, id) where name = 'dueAt';
`;

/** Earlier ones than the one before were never released; that one had other functions. */
const VERSION = 10;

/** Makes the tables of a new database, and upgrades those of the version before; refuses those of another Baton. */
export async function makeTables(connection: PostgresConnection): Promise<void> {
  await connection.transaction(async (ask) => {
    await ask({ text: "select pg_advisory_xact_lock(hashtext('baton_schema'))" }, []);
    await ask({ text: "create table if not exists baton_schema (version integer not null)" }, []);
    const [row] = await ask<{ version: number }>({ text: "select version from baton_schema" }, []);
    if (row?.version === VERSION) return;
    if (row !== undefined && row.version !== VERSION - 1) throw isOther(connection.place, row.version);
    await ask({ text: (row === undefined ? TABLES + DOCUMENTS : "") + COMMIT_FUNCTIONS }, []);
    await ask({ text: "delete from baton_schema" }, []);
    await ask({ text: "insert into baton_schema values ($1)" }, [VERSION]);
  });
}

function isOther(place: string, version: number): BatonError {
  const schema = `(schema ${version}, this one has ${VERSION})`;
  const what =
    version > VERSION
      ? `a newer Baton ${schema}: install that version`
      : `a Baton from before the first release ${schema}: export its runs with that one`;
  return new BatonError(
    "conflict",
    `the store in Postgres at ${place} was written by ${what}, or open another database`,
  );
}
