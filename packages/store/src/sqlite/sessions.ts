/**
 * Sessions: conversations, and what their runs have said, in the order in which they began.
 */
import { sessionKey } from "../claim-key.ts";
import type { Sessions } from "../database.ts";
import type { Owner } from "../owner.ts";
import type { Conversation, SessionEdit, SessionFilter, SessionRecord, SessionRuns } from "../record.ts";
import { toListedSession, toMessages, toSession, toStatus } from "../stored-record.ts";
import { numberOf, textOf } from "./columns.ts";
import type { SqliteConnection } from "./connection.ts";
import { renameRunTexts } from "./run-texts.ts";
import { deleteRun } from "./runs.ts";

const OWNED = "tenant = ? AND user_name = ?";

/** The sessions of a database. */
export function sqliteSessions(connection: SqliteConnection): Sessions {
  return {
    find: async (owner, id) => connection.read(() => findSession(connection, owner, id)),
    list: async (filter) => connection.read(() => findSessions(connection, filter)),
    runs: async (owner, ids) => connection.read(() => findSessionRuns(connection, owner, ids)),
    messages: async (owner, session) =>
      connection.read(() => findConversation(connection, owner, session).flatMap(({ messages }) => messages)),
    conversation: async (owner, session) => connection.read(() => findConversation(connection, owner, session)),
    edit: async (owner, id, edit) =>
      connection.write(() => {
        editSession(connection, { ...owner, id }, edit);
        return findSession(connection, owner, id);
      }),
    delete: async (owner, id) => connection.write(() => deleteSession(connection, owner, id)),
  };
}

function findSession(connection: SqliteConnection, { tenant, user }: Owner, id: string): SessionRecord | undefined {
  const sql = `SELECT body, given_title AS givenTitle, pinned FROM sessions WHERE ${OWNED} AND id = ?`;
  const row = connection.get(sql, tenant, user, id);
  return (
    row && toSession({ id, tenant, user, body: row["body"], givenTitle: row["givenTitle"], pinned: row["pinned"] })
  );
}

/** Changes what a person may change; the runs of the session are found by its new title. */
function editSession(
  connection: SqliteConnection,
  { tenant, user, id }: Owner & { readonly id: string },
  { title, pinned }: SessionEdit,
): void {
  const where = `WHERE ${OWNED} AND id = ?`;
  if (pinned !== undefined) connection.run(`UPDATE sessions SET pinned = ? ${where}`, Number(pinned), tenant, user, id);
  if (title === undefined) return;
  connection.run(`UPDATE sessions SET given_title = ? ${where}`, title, tenant, user, id);
  renameRunTexts(connection, { tenant, user, session: id });
}

/** Writes a session's record. */
export function saveSession(connection: SqliteConnection, record: SessionRecord): void {
  const { tenant, user, id, createdAt, updatedAt } = record;
  connection.run(
    `INSERT INTO sessions (tenant, user_name, id, created_at, updated_at, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant, user_name, id) DO UPDATE SET created_at = excluded.created_at,
      updated_at = excluded.updated_at, body = excluded.body`,
    tenant,
    user,
    id,
    createdAt,
    updatedAt,
    JSON.stringify(record),
  );
}

/** Writes what a run has said, in place of what it said before, or of everything that was said. */
export function saveMessages(connection: SqliteConnection, said: Conversation): void {
  const { tenant, user, session, run, messages, replaces } = said;
  if (replaces === true)
    connection.run(`DELETE FROM messages WHERE ${OWNED} AND session = ? AND run <> ?`, tenant, user, session, run);
  connection.run(
    `INSERT INTO messages (tenant, user_name, session, run, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (tenant, user_name, session, run) DO UPDATE SET body = excluded.body`,
    tenant,
    user,
    session,
    run,
    JSON.stringify(messages),
  );
}

/** All messages of a session, by run. */
function findConversation(connection: SqliteConnection, { tenant, user }: Owner, session: string) {
  const sql = `SELECT run, body FROM messages WHERE ${OWNED} AND session = ? ORDER BY rowid`;
  const rows = connection.all(sql, tenant, user, session);
  return rows.map((row) => ({ run: textOf(row, "run"), messages: toMessages(session, row["body"]) }));
}

/** The session that was used last comes first. A damaged one matches every text. */
function findSessions(connection: SqliteConnection, filter: SessionFilter): readonly SessionRecord[] {
  const { tenant, user, text = "", before, limit = 100 } = filter;
  const rows = connection.iterate(
    `SELECT id, created_at AS createdAt, updated_at AS updatedAt, body, given_title AS givenTitle, pinned FROM sessions
      WHERE ${OWNED} ${before === undefined ? "" : "AND (pinned, updated_at, id) < (?, ?, ?)"}
      ORDER BY pinned DESC, updated_at DESC, id DESC`,
    tenant,
    user,
    ...(before === undefined ? [] : [Number(before.pinned === true), before.updatedAt, before.id]),
  );
  const part = text.toLowerCase();
  const found: SessionRecord[] = [];
  for (const { id, createdAt, updatedAt, body, givenTitle, pinned } of limit > 0 ? rows : []) {
    const record = toListedSession({ id, tenant, user, createdAt, updatedAt, body, givenTitle, pinned });
    const title = record.givenTitle ?? record.title ?? "";
    if (record.error !== undefined || title.toLowerCase().includes(part)) found.push(record);
    if (found.length >= limit) break;
  }
  return found;
}

function findSessionRuns(
  connection: SqliteConnection,
  { tenant, user }: Owner,
  ids: readonly string[],
): ReadonlyMap<string, SessionRuns> {
  const found = new Map<string, SessionRuns>();
  for (const id of ids) {
    const row = connection.get(
      `SELECT crew, status, count(*) OVER () AS count FROM runs WHERE session = ? AND ${OWNED}
        ORDER BY created_at DESC, id DESC LIMIT 1`,
      id,
      tenant,
      user,
    );
    const status = toStatus(row?.["status"]);
    if (row === undefined || status === undefined) continue;
    found.set(id, { runs: numberOf(row, "count"), crew: textOf(row, "crew"), status });
  }
  return found;
}

function deleteSession(connection: SqliteConnection, owner: Owner, id: string): boolean {
  const { tenant, user } = owner;
  connection.run(`DELETE FROM documents WHERE ${OWNED} AND session = ?`, tenant, user, id);
  if (connection.run(`DELETE FROM sessions WHERE ${OWNED} AND id = ?`, tenant, user, id) === 0) return false;
  connection.run(`DELETE FROM messages WHERE ${OWNED} AND session = ?`, tenant, user, id);
  connection.run("DELETE FROM claims WHERE key = ?", sessionKey(owner, id));
  const runs = connection.all(`SELECT id FROM runs WHERE ${OWNED} AND session = ?`, tenant, user, id);
  for (const run of runs) deleteRun(connection, textOf(run, "id"));
  return true;
}
