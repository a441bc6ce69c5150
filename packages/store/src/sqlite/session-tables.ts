/**
 * Session tables: the record of each session, and what each of its runs has said in it.
 *
 * A conversation's order is that in which its runs first spoke: the order of the rows.
 */
import { sessionKey } from "../claim-key.ts";
import { orDamaged, toDamagedSession } from "../damaged-record.ts";
import type { Conversation, SessionFilter, SessionRecord } from "../database.ts";
import type { Owner } from "../owner.ts";
import type { Connection, Row } from "./connection.ts";
import { deleteRun } from "./run-table.ts";
import { bodyOf, changed, checksumOf, SEALED, textOf } from "./sealed.ts";
import { deleteSessionDocuments } from "./sqlite-documents.ts";

const OWNED = "tenant = ? AND user_name = ?";

/** Writes a session's record, in the place of an older one. */
export function saveSession(connection: Connection, record: SessionRecord): void {
  const { tenant, user, id, createdAt } = record;
  const body = JSON.stringify(record);
  connection.run(
    `INSERT INTO sessions (tenant, user_name, id, created_at, checksum, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant, user_name, id) DO UPDATE SET
      created_at = excluded.created_at, checksum = excluded.checksum, body = excluded.body`,
    tenant,
    user,
    id,
    createdAt,
    checksumOf(sessionKey(record, id), body),
    body,
  );
}

/** Writes what a run has said, in the place of what it said before, or of all that was said. */
export function saveMessages(connection: Connection, said: Conversation): void {
  const { tenant, user, session, run, messages, replaces } = said;
  if (replaces === true)
    connection.run(`DELETE FROM messages WHERE ${OWNED} AND session = ? AND run <> ?`, tenant, user, session, run);
  const body = JSON.stringify(messages);
  connection.run(
    `INSERT INTO messages (tenant, user_name, session, run, checksum, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant, user_name, session, run) DO UPDATE SET checksum = excluded.checksum, body = excluded.body`,
    tenant,
    user,
    session,
    run,
    checksumOf(messagesName(said, session, run), body),
    body,
  );
}

/** A session's record. */
export function findSession(connection: Connection, owner: Owner, id: string): SessionRecord | undefined {
  const { tenant, user } = owner;
  const row = connection.get(`SELECT id, ${SEALED} FROM sessions WHERE ${OWNED} AND id = ?`, tenant, user, id);
  return row === undefined ? undefined : toSession(owner, id, row);
}

/** An owner's sessions, newest first. */
export function findSessions(connection: Connection, filter: SessionFilter): readonly SessionRecord[] {
  const { tenant, user, before, limit = 100 } = filter;
  const older = `AND (created_at, id) < (SELECT created_at, id FROM sessions WHERE ${OWNED} AND id = ?)`;
  const rows = connection.all(
    `SELECT id, created_at, ${SEALED} FROM sessions WHERE ${OWNED} ${before === undefined ? "" : older}
      ORDER BY created_at DESC, id DESC LIMIT ?`,
    ...(before === undefined ? [tenant, user] : [tenant, user, tenant, user, before]),
    limit,
  );
  return rows.map((row) =>
    orDamaged(
      () => toSession(filter, textOf(row, "id"), row),
      (error) => toDamagedSession({ id: row["id"], tenant, user, createdAt: row["created_at"] }, error),
    ),
  );
}

/** All messages of a session. */
export function findMessages(connection: Connection, owner: Owner, session: string): readonly string[] {
  const rows = connection.all(
    `SELECT run, ${SEALED} FROM messages WHERE ${OWNED} AND session = ? ORDER BY rowid`,
    owner.tenant,
    owner.user,
    session,
  );
  return rows.flatMap((row) => {
    const name = messagesName(owner, session, textOf(row, "run"));
    const messages: unknown = JSON.parse(bodyOf(name, row));
    if (areTexts(messages)) return messages;
    throw changed(name);
  });
}

/** Removes a session with its messages, its runs, its documents and the claim on it. */
export function deleteSession(connection: Connection, owner: Owner, id: string): boolean {
  const { tenant, user } = owner;
  deleteSessionDocuments(connection, owner, id);
  if (connection.run(`DELETE FROM sessions WHERE ${OWNED} AND id = ?`, tenant, user, id) === 0) return false;
  connection.run(`DELETE FROM messages WHERE ${OWNED} AND session = ?`, tenant, user, id);
  connection.run("DELETE FROM claims WHERE key = ?", sessionKey(owner, id));
  const runs = connection.all(`SELECT id FROM runs WHERE ${OWNED} AND session = ?`, tenant, user, id);
  for (const run of runs) deleteRun(connection, textOf(run, "id"));
  return true;
}

/** What the messages of a run in a session are sealed with. */
export function messagesName(owner: Owner, session: string, run: string): string {
  return `${sessionKey(owner, session)} run ${run}`;
}

function toSession(owner: Owner, id: string, row: Row): SessionRecord {
  const record: unknown = JSON.parse(bodyOf(sessionKey(owner, id), row));
  if (isSession(record)) return record;
  throw changed(sessionKey(owner, id));
}

/** What was written was a session, and the checksum says that this is what was written. */
function isSession(value: unknown): value is SessionRecord {
  return typeof value === "object" && value !== null && "id" in value && "tenant" in value;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
