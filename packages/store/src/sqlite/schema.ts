/**
 * Schema: Baton's tables in SQLite, and how they come to be.
 *
 * Migrations are numbered by their place in the list and only ever added. They run at open under a lock, so of
 * several processes that start together one does it.
 */
import { BatonError } from "@baton/core";
import type { Connection } from "./connection.ts";
import { fileDamaged } from "./failure.ts";
import { addOwners } from "./ownership.ts";
import { numberOf } from "./sealed.ts";
import { addTitles } from "./session-tables.ts";

/** Marks the file as Baton's: "Batn". */
const APPLICATION = 0x4261_746e;

const FIRST = `
CREATE TABLE commits (id INTEGER PRIMARY KEY, count INTEGER NOT NULL) STRICT;
INSERT INTO commits VALUES (1, 0);

CREATE TABLE heads (
  id INTEGER PRIMARY KEY, run TEXT NOT NULL UNIQUE, length INTEGER NOT NULL, recorded INTEGER NOT NULL,
  checksum INTEGER NOT NULL
) STRICT;
CREATE TABLE batches (
  run INTEGER NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX batches_by_run ON batches (run, last);

CREATE TABLE runs (
  id TEXT NOT NULL UNIQUE, tenant TEXT NOT NULL, crew TEXT NOT NULL, session TEXT, status TEXT NOT NULL,
  created_at REAL NOT NULL, updated_at REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX runs_by_tenant ON runs (tenant, created_at, id);
CREATE INDEX runs_by_status ON runs (status, created_at, id);
CREATE INDEX runs_by_session ON runs (session, tenant) WHERE session IS NOT NULL;

CREATE TABLE sessions (
  tenant TEXT NOT NULL, id TEXT NOT NULL, created_at REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL,
  UNIQUE (tenant, id)
) STRICT;
CREATE INDEX sessions_by_age ON sessions (tenant, created_at, id);
CREATE TABLE messages (
  tenant TEXT NOT NULL, session TEXT NOT NULL, run TEXT NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL,
  UNIQUE (tenant, session, run)
) STRICT;

CREATE TABLE definitions (hash TEXT NOT NULL UNIQUE, checksum INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE keys (
  id TEXT NOT NULL UNIQUE, created_at REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;

CREATE TABLE leases (owner TEXT PRIMARY KEY, ends_at REAL NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE claims (key TEXT PRIMARY KEY, owner TEXT NOT NULL, number INTEGER NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE pages (
  name TEXT NOT NULL UNIQUE, ends_at REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX pages_by_end ON pages (ends_at);
`;

const REQUESTS = `
CREATE TABLE requests (
  key TEXT NOT NULL UNIQUE, run TEXT, kept_until REAL NOT NULL, checksum INTEGER NOT NULL, body TEXT NOT NULL
) STRICT;
CREATE INDEX requests_by_run ON requests (run) WHERE run IS NOT NULL;
CREATE INDEX requests_by_end ON requests (kept_until);
`;

/** Everything belongs to a user. What is there already belongs to `local`. */
const OWNERS = `
ALTER TABLE runs ADD COLUMN user_name TEXT NOT NULL DEFAULT 'local';
ALTER TABLE runs ADD COLUMN short_id TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN request_id TEXT;
DROP INDEX runs_by_session;
CREATE INDEX runs_by_owner ON runs (tenant, user_name, created_at, id);
CREATE INDEX runs_by_session ON runs (session, tenant, user_name, created_at, id) WHERE session IS NOT NULL;
CREATE INDEX runs_by_short_id ON runs (short_id);
CREATE INDEX runs_by_request ON runs (request_id) WHERE request_id IS NOT NULL;

ALTER TABLE sessions RENAME TO old_sessions;
CREATE TABLE sessions (
  tenant TEXT NOT NULL, user_name TEXT NOT NULL, id TEXT NOT NULL, created_at REAL NOT NULL,
  checksum INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (tenant, user_name, id)
) STRICT;
INSERT INTO sessions (rowid, tenant, user_name, id, created_at, checksum, body)
  SELECT rowid, tenant, 'local', id, created_at, checksum, body FROM old_sessions;
DROP TABLE old_sessions;
CREATE INDEX sessions_by_age ON sessions (tenant, user_name, created_at, id);

ALTER TABLE messages RENAME TO old_messages;
CREATE TABLE messages (
  tenant TEXT NOT NULL, user_name TEXT NOT NULL, session TEXT NOT NULL, run TEXT NOT NULL,
  checksum INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (tenant, user_name, session, run)
) STRICT;
INSERT INTO messages (rowid, tenant, user_name, session, run, checksum, body)
  SELECT rowid, tenant, 'local', session, run, checksum, body FROM old_messages;
DROP TABLE old_messages;
`;

/**
 * What goes with a document goes by the trigger. A row's number is never used again. Vectors are apart, so that lists and
 * searches do not read them.
 */
const DOCUMENTS = `
CREATE TABLE documents (
  number INTEGER PRIMARY KEY AUTOINCREMENT, tenant TEXT NOT NULL, user_name TEXT NOT NULL, collection TEXT NOT NULL,
  id TEXT NOT NULL, session TEXT, expires_at REAL, checksum INTEGER NOT NULL, body TEXT NOT NULL, words TEXT,
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

/** What is due of all owners is found without looking at what is not. */
const DUE_INDEX = `
CREATE INDEX document_keys_by_due ON document_keys (collection, key, tenant, user_name, id) WHERE name = 'dueAt';
`;

/** Sessions are listed by their last use, runs are found by how they ended and by what was changed lately. */
const USE = `
ALTER TABLE sessions ADD COLUMN updated_at REAL NOT NULL DEFAULT 0;
DROP INDEX sessions_by_age;
CREATE INDEX sessions_by_use ON sessions (tenant, user_name, updated_at, id);
ALTER TABLE runs ADD COLUMN outcome TEXT;
UPDATE runs SET outcome = CASE WHEN json_valid(body) THEN json_extract(body, '$.outcome') END;
CREATE INDEX runs_by_change ON runs (updated_at);
`;

/** What runs were told and had not heard yet was in their records. */
const INBOX = `
CREATE TABLE inbox (
  run TEXT NOT NULL, id TEXT NOT NULL, fate TEXT NOT NULL, command TEXT NOT NULL, PRIMARY KEY (run, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX inbox_unread ON inbox (run) WHERE fate = 'sent';
INSERT INTO inbox (run, id, fate, command)
  SELECT r.id, printf('%020d', e.key), 'taken', json_object('type', 'say', 'text', e.value)
  FROM (SELECT id, body FROM runs WHERE status <> 'ended' AND json_valid(body)) r, json_each(r.body, '$.mail') e;
`;

/** Tables, and how what was in them before is changed. */
interface Migration {
  readonly sql: string;
  readonly change?: (connection: Connection) => void;
}

const MIGRATIONS: readonly Migration[] = [
  { sql: FIRST },
  { sql: REQUESTS },
  { sql: OWNERS, change: addOwners },
  { sql: DOCUMENTS },
  { sql: DUE_INDEX },
  { sql: USE, change: addTitles },
  { sql: INBOX },
];

/** Brings the tables up to date; refuses those of a newer Baton, of another program, and those that others still use. */
export function migrate(connection: Connection, now: number): void {
  // Only who finds something to do needs the lock.
  if (versionOf(connection) === MIGRATIONS.length) return;
  checkSearch(connection);
  connection.write(() => {
    const version = versionOf(connection);
    if (version > 0 && version < MIGRATIONS.length) checkUnused(connection, now);
    for (const { sql, change } of MIGRATIONS.slice(version)) {
      connection.execute(sql);
      change?.(connection);
    }
    connection.execute(`PRAGMA application_id=${APPLICATION}; PRAGMA user_version=${MIGRATIONS.length}`);
  });
}

/** The SQLite of Node has it since 22.16; a system may have built Node with another SQLite. */
function checkSearch(connection: Connection): void {
  if (connection.get("SELECT 1 FROM pragma_module_list WHERE name = 'fts5'") !== undefined) return;
  throw new BatonError(
    "invalid",
    `the store ${connection.path} cannot be opened: the SQLite of this Node has no full-text search (FTS5); ` +
      "use Node 22.18 or newer from nodejs.org",
  );
}

/** A process of an older Baton would not understand the new tables. */
function checkUnused(connection: Connection, now: number): void {
  if (connection.get("SELECT 1 FROM leases WHERE ends_at > ?", now) === undefined) return;
  throw new BatonError(
    "busy",
    `the store ${connection.path} is in use by an older Baton and must be brought up to date: stop the older one first`,
    { retryable: true },
  );
}

function versionOf(connection: Connection): number {
  const state = connection.get(
    `SELECT (SELECT user_version FROM pragma_user_version) AS version,
      (SELECT application_id FROM pragma_application_id) AS application,
      (SELECT count(*) FROM sqlite_schema) AS tables`,
  );
  const version = state === undefined ? 0 : numberOf(state, "version");
  const isEmpty = version === 0 && state?.["tables"] === 0;
  if (!isEmpty && (state?.["application"] !== APPLICATION || version < 1))
    throw fileDamaged(connection.path, "its tables are not Baton's");
  if (version <= MIGRATIONS.length) return version;
  throw new BatonError(
    "invalid",
    `the store ${connection.path} was written by a newer Baton (schema ${version}, this one knows up to ` +
      `${MIGRATIONS.length}): install that version, or choose another path`,
  );
}
