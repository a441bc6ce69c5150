/**
 * Tables: what a new store in SQLite has. Records are JSON (`body`), beside it the columns that they are searched by.
 */

import { RUN_TEXT_FIELDS } from "../../search/run-text-fields.ts";

/** The columns of a run's texts, named as its fields, and the tokens of its owner. */
const TEXT_COLUMNS: readonly string[] = [...RUN_TEXT_FIELDS, "owner"];

/** A row's number gives the order of the conversation. */
const MESSAGES = `
CREATE TABLE messages (
  tenant TEXT NOT NULL, user_name TEXT NOT NULL, session TEXT NOT NULL, run TEXT NOT NULL,
  body TEXT NOT NULL, UNIQUE (tenant, user_name, session, run)
) STRICT;
`;

const REQUESTS = `
CREATE TABLE requests (
  key TEXT NOT NULL UNIQUE, run TEXT, kept_until REAL NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX requests_by_run ON requests (run) WHERE run IS NOT NULL;
CREATE INDEX requests_by_end ON requests (kept_until);
`;

const INBOX = `
CREATE TABLE inbox (
  run TEXT NOT NULL, id TEXT NOT NULL, fate TEXT NOT NULL, command TEXT NOT NULL, PRIMARY KEY (run, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbox_unread ON inbox (run) WHERE fate = 'sent';
`;

/**
 * The trigger removes what belongs to a document. A row's number is never used again. Vectors are apart, so that lists and
 * searches do not read them.
 */
const DOCUMENTS = `
CREATE TABLE documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, user_name TEXT NOT NULL, collection TEXT NOT NULL,
  id TEXT NOT NULL, session TEXT, expires_at REAL, body TEXT NOT NULL, words TEXT,
  UNIQUE (tenant, user_name, collection, id)
) STRICT;
CREATE INDEX documents_by_session ON documents (session, tenant, user_name) WHERE session IS NOT NULL;
CREATE INDEX documents_by_end ON documents (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE document_keys (
  tenant TEXT NOT NULL, user_name TEXT NOT NULL, collection TEXT NOT NULL, name TEXT NOT NULL, key TEXT NOT NULL,
  id TEXT NOT NULL, document INTEGER NOT NULL, PRIMARY KEY (tenant, user_name, collection, name, key, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_keys_by_document ON document_keys (document, name);
CREATE TABLE document_vectors (
  document INTEGER PRIMARY KEY, tenant TEXT NOT NULL, user_name TEXT NOT NULL, collection TEXT NOT NULL,
  id TEXT NOT NULL, expires_at REAL, vector BLOB NOT NULL
) STRICT;
CREATE INDEX document_vectors_by_collection ON document_vectors (tenant, user_name, collection);
CREATE VIRTUAL TABLE document_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');
CREATE TRIGGER documents_deleted AFTER DELETE ON documents BEGIN
  DELETE FROM document_keys WHERE document = old.number;
  DELETE FROM document_vectors WHERE document = old.number;
  DELETE FROM document_words WHERE rowid = old.number AND old.words IS NOT NULL;
END;
`;

/** Due documents of all owners are found without reading those that are not due. */
const DUE_INDEX = `
CREATE INDEX document_keys_by_due ON document_keys (collection, key, tenant, user_name, id) WHERE name = 'dueAt';
`;

/** The id of the database; a copy has the same. */
const IDENTITY = `
CREATE TABLE identity (id TEXT NOT NULL) STRICT;
INSERT INTO identity VALUES (lower(hex(randomblob(16))));
`;

/** Searched texts: the number of a row grows with the time at which its run began. */
const SEARCH = `
CREATE TABLE run_texts (
  number INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, ${TEXT_COLUMNS.map((column) => `${column} TEXT NOT NULL`).join(", ")}
) STRICT;
CREATE VIRTUAL TABLE run_words USING fts5 (
  ${TEXT_COLUMNS.join(", ")}, content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '1 2 3'
);
CREATE TRIGGER run_texts_deleted AFTER DELETE ON run_texts BEGIN
  DELETE FROM run_words WHERE rowid = old.number;
END;
`;

const FEEDBACK = `
CREATE TABLE feedback (
  run TEXT NOT NULL, tenant TEXT NOT NULL, user_name TEXT NOT NULL, rating TEXT NOT NULL, comment TEXT, at REAL NOT NULL,
  PRIMARY KEY (run, tenant, user_name)
) STRICT, WITHOUT ROWID;
`;

/** All tables. */
export const SCHEMA = `
CREATE TABLE commits (id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
INSERT INTO commits VALUES (1, 0);

CREATE TABLE heads (id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, length INTEGER NOT NULL) STRICT;
CREATE TABLE batches (
  run INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX batches_by_run ON batches (run, last);

CREATE TABLE runs (
  id TEXT NOT NULL UNIQUE, short_id TEXT NOT NULL, tenant TEXT NOT NULL, user_name TEXT NOT NULL, crew TEXT NOT NULL,
  session TEXT, request_id TEXT, status TEXT NOT NULL, outcome TEXT, created_at REAL NOT NULL, updated_at REAL NOT NULL,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_tenant ON runs (tenant, created_at, id);
CREATE INDEX runs_by_status ON runs (status, created_at, id);
CREATE INDEX runs_by_owner ON runs (tenant, user_name, created_at, id);
CREATE INDEX runs_by_session ON runs (session, tenant, user_name, created_at, id) WHERE session IS NOT NULL;
CREATE INDEX runs_by_short_id ON runs (short_id);
CREATE INDEX runs_by_request ON runs (request_id) WHERE request_id IS NOT NULL;
CREATE INDEX runs_by_change ON runs (updated_at);

CREATE TABLE sessions (
  tenant TEXT NOT NULL, user_name TEXT NOT NULL, id TEXT NOT NULL, created_at REAL NOT NULL, updated_at REAL NOT NULL,
  body TEXT NOT NULL, given_title TEXT, pinned INTEGER NOT NULL DEFAULT 0, UNIQUE (tenant, user_name, id)
) STRICT;
CREATE INDEX sessions_by_use ON sessions (tenant, user_name, pinned, updated_at, id);
${MESSAGES}
CREATE TABLE definitions (hash TEXT NOT NULL UNIQUE, body TEXT NOT NULL) STRICT;
CREATE TABLE keys (id TEXT NOT NULL UNIQUE, created_at REAL NOT NULL, body TEXT NOT NULL) STRICT;

CREATE TABLE leases (owner TEXT PRIMARY KEY, ends_at REAL NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE pages (name TEXT NOT NULL UNIQUE, ends_at REAL NOT NULL, body TEXT NOT NULL) STRICT;
CREATE INDEX pages_by_end ON pages (ends_at);
${REQUESTS}${INBOX}${DOCUMENTS}${DUE_INDEX}${IDENTITY}${SEARCH}${FEEDBACK}`;
