/**
 * Migrations: how the tables of an older Baton become those of this one.
 *
 * The list is only ever added to: its first step makes version 2 of version 1.
 */
import { LOCAL } from "../../owner.ts";
import { toShortId } from "../../run-id.ts";
import { answerOf, titleOf } from "../../session-title.ts";
import { orDamaged, toMessages } from "../../stored-record.ts";
import { numberOf, textOf } from "../columns.ts";
import type { SqliteConnection } from "../connection.ts";
import { findRunRow } from "../runs.ts";
import { saveRunText } from "../run-texts.ts";
import { findConversation } from "../sessions.ts";
import { DOCUMENTS, DUE_INDEX, FEEDBACK, IDENTITY, INBOX, MESSAGES, REQUESTS, SEARCH } from "./tables.ts";

/** Everything belongs to a user. What exists already belongs to `local`, and no process uses it. */
const OWNERS = `
ALTER TABLE runs ADD COLUMN user_name TEXT NOT NULL DEFAULT '${LOCAL.user}';
ALTER TABLE runs ADD COLUMN short_id TEXT NOT NULL DEFAULT '';
ALTER TABLE runs ADD COLUMN request_id TEXT;
DROP INDEX runs_by_session;
CREATE INDEX runs_by_owner ON runs (tenant, user_name, created_at, id);
CREATE INDEX runs_by_session ON runs (session, tenant, user_name, created_at, id) WHERE session IS NOT NULL;
CREATE INDEX runs_by_short_id ON runs (short_id);
CREATE INDEX runs_by_request ON runs (request_id) WHERE request_id IS NOT NULL;
DELETE FROM claims;

ALTER TABLE sessions RENAME TO old_sessions;
CREATE TABLE sessions (
  tenant TEXT NOT NULL, user_name TEXT NOT NULL, id TEXT NOT NULL, created_at REAL NOT NULL,
  body TEXT NOT NULL, UNIQUE (tenant, user_name, id)
) STRICT;
INSERT INTO sessions (rowid, tenant, user_name, id, created_at, body)
  SELECT rowid, tenant, '${LOCAL.user}', id, created_at, body FROM old_sessions;
DROP TABLE old_sessions;

ALTER TABLE messages RENAME TO old_messages;
${MESSAGES}
INSERT INTO messages (rowid, tenant, user_name, session, run, body)
  SELECT rowid, tenant, '${LOCAL.user}', session, run, body FROM old_messages;
DROP TABLE old_messages;

UPDATE requests SET key = 'request:' || json_array(
  json_extract(substr(key, 9), '$[0]'), '${LOCAL.user}', json_extract(substr(key, 9), '$[1]'))
WHERE json_valid(substr(key, 9)) AND json_array_length(substr(key, 9)) = 2;
`;

/** Sessions are listed by their last use; runs are found by how they ended and when they were changed. */
const USE = `
ALTER TABLE sessions ADD COLUMN updated_at REAL NOT NULL DEFAULT 0;
UPDATE sessions SET updated_at = coalesce(iif(json_valid(body), json_extract(body, '$.updatedAt'), NULL), created_at);
DROP INDEX IF EXISTS sessions_by_age;
CREATE INDEX sessions_by_use ON sessions (tenant, user_name, updated_at, id);
ALTER TABLE runs ADD COLUMN outcome TEXT;
UPDATE runs SET outcome = iif(json_valid(body), json_extract(body, '$.outcome'), NULL);
CREATE INDEX runs_by_change ON runs (updated_at);
`;

/** Commands that runs had not heard yet were part of their records. */
const MAIL = `
INSERT INTO inbox (run, id, fate, command)
  SELECT r.id, printf('%020d', e.key), 'taken', json_object('type', 'say', 'text', e.value)
  FROM (SELECT id, body FROM runs WHERE status <> 'ended' AND json_valid(body)) r, json_each(r.body, '$.mail') e;
`;

/** Pinned sessions come first. */
const PINNED = `
DROP INDEX sessions_by_use;
CREATE INDEX sessions_by_use ON sessions (tenant, user_name, pinned, updated_at, id);
`;

/** Tables, and how what was in them before is changed. */
export interface Migration {
  readonly sql: string;
  readonly change?: (connection: SqliteConnection) => void;
}

export const MIGRATIONS: readonly Migration[] = [
  { sql: REQUESTS },
  { sql: OWNERS, change: addShortIds },
  { sql: DOCUMENTS },
  { sql: DUE_INDEX },
  { sql: USE, change: addTitles },
  { sql: `${INBOX}${MAIL}` },
  { sql: "", change: dropChecksums },
  { sql: IDENTITY },
  { sql: `${SEARCH}${FEEDBACK}`, change: addRunTexts },
];

function addShortIds(connection: SqliteConnection): void {
  for (const row of connection.all("SELECT id FROM runs")) {
    const id = textOf(row, "id");
    connection.run("UPDATE runs SET short_id = ? WHERE id = ?", toShortId(id), id);
  }
}

/** The title of a session is the first thing that a person said in it. */
function addTitles(connection: SqliteConnection): void {
  for (const row of connection.all("SELECT rowid AS number, tenant, user_name, id FROM sessions")) {
    const owner = { tenant: textOf(row, "tenant"), user: textOf(row, "user_name") };
    const title = orDamaged(
      () => titleOf(findConversation(connection, owner, textOf(row, "id")).flatMap(({ messages }) => messages)),
      () => undefined,
    );
    const sql = "UPDATE sessions SET body = json_set(body, '$.title', ?) WHERE rowid = ? AND json_valid(body)";
    if (title !== undefined) connection.run(sql, title, numberOf(row, "number"));
  }
}

/** Runs are found by their texts. The answer of an old run is known only if it is in a conversation. */
function addRunTexts(connection: SqliteConnection): void {
  addColumn(connection, "sessions", "given_title TEXT");
  addColumn(connection, "sessions", "pinned INTEGER NOT NULL DEFAULT 0");
  connection.execute(PINNED);
  for (const row of connection.all("SELECT id FROM runs ORDER BY created_at")) {
    const id = textOf(row, "id");
    orDamaged(
      () => {
        const record = findRunRow(connection, id);
        if (record !== undefined) saveRunText(connection, record, findAnswer(connection, id));
      },
      () => undefined,
    );
  }
}

/** The last thing that a run said in its conversation. */
function findAnswer(connection: SqliteConnection, run: string): string | undefined {
  const row = connection.get("SELECT body FROM messages WHERE run = ?", run);
  return row === undefined ? undefined : answerOf(toMessages(run, row["body"]));
}

/** Records had checksums, and lengths of logs said whether there was a record. */
function dropChecksums(connection: SqliteConnection): void {
  const tables = ["heads", "runs", "sessions", "messages", "definitions", "keys", "requests", "pages", "documents"];
  for (const table of tables) dropColumn(connection, table, "checksum");
  dropColumn(connection, "heads", "recorded");
}

function addColumn(connection: SqliteConnection, table: string, column: string): void {
  const [name = ""] = column.split(" ");
  const found = connection.get("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", table, name);
  if (found === undefined) connection.execute(`ALTER TABLE ${table} ADD COLUMN ${column}`);
}

function dropColumn(connection: SqliteConnection, table: string, column: string): void {
  const found = connection.get("SELECT 1 FROM pragma_table_info(?) WHERE name = ?", table, column);
  if (found !== undefined) connection.execute(`ALTER TABLE ${table} DROP COLUMN ${column}`);
}
