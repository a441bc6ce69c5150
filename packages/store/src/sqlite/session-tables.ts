/**
 * Session tables: the record of each session, and what each of its runs has said in it.
 *
 * A conversation's order is that in which its runs first spoke: the order of the rows.
 */
import { sessionKey } from "../claim-key.ts";
import { orDamaged, toDamagedSession } from "../damaged-record.ts";
import type { Conversation, SessionFilter, SessionRecord } from "../database.ts";
import type { Connection, Row } from "./connection.ts";
import { deleteRun } from "./run-table.ts";
import { bodyOf, changed, checksumOf, SEALED, textOf } from "./sealed.ts";

/** Writes a session's record, in the place of an older one. */
export function saveSession(connection: Connection, record: SessionRecord): void {
  const { tenant, id, createdAt } = record;
  const body = JSON.stringify(record);
  connection.run(
    `INSERT INTO sessions (tenant, id, created_at, checksum, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (tenant, id) DO UPDATE SET
      created_at = excluded.created_at, checksum = excluded.checksum, body = excluded.body`,
    tenant,
    id,
    createdAt,
    checksumOf(sessionKey(tenant, id), body),
    body,
  );
}

/** Writes what a run has said, in the place of what it said before, or of all that was said. */
export function saveMessages(connection: Connection, said: Conversation): void {
  const { tenant, session, run, messages, replaces } = said;
  if (replaces === true)
    connection.run("DELETE FROM messages WHERE tenant = ? AND session = ? AND run <> ?", tenant, session, run);
  const body = JSON.stringify(messages);
  connection.run(
    `INSERT INTO messages (tenant, session, run, checksum, body) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (tenant, session, run) DO UPDATE SET checksum = excluded.checksum, body = excluded.body`,
    tenant,
    session,
    run,
    checksumOf(messagesName(tenant, session, run), body),
    body,
  );
}

/** A session's record. */
export function findSession(connection: Connection, tenant: string, id: string): SessionRecord | undefined {
  const row = connection.get(`SELECT id, ${SEALED} FROM sessions WHERE tenant = ? AND id = ?`, tenant, id);
  return row === undefined ? undefined : toSession(tenant, id, row);
}

/** A tenant's sessions, newest first. */
export function findSessions(connection: Connection, filter: SessionFilter): readonly SessionRecord[] {
  const { tenant, before, limit = 100 } = filter;
  const older = "AND (created_at, id) < (SELECT created_at, id FROM sessions WHERE tenant = ? AND id = ?)";
  const rows = connection.all(
    `SELECT id, created_at, ${SEALED} FROM sessions WHERE tenant = ? ${before === undefined ? "" : older}
      ORDER BY created_at DESC, id DESC LIMIT ?`,
    ...(before === undefined ? [tenant] : [tenant, tenant, before]),
    limit,
  );
  return rows.map((row) =>
    orDamaged(
      () => toSession(tenant, textOf(row, "id"), row),
      (error) => toDamagedSession({ id: row["id"], tenant, createdAt: row["created_at"] }, error),
    ),
  );
}

/** All messages of a session. */
export function findMessages(connection: Connection, tenant: string, session: string): readonly string[] {
  const rows = connection.all(
    `SELECT run, ${SEALED} FROM messages WHERE tenant = ? AND session = ? ORDER BY rowid`,
    tenant,
    session,
  );
  return rows.flatMap((row) => {
    const name = messagesName(tenant, session, textOf(row, "run"));
    const messages: unknown = JSON.parse(bodyOf(name, row));
    if (areTexts(messages)) return messages;
    throw changed(name);
  });
}

/** Removes a session with its messages, its runs and the claim on it. */
export function deleteSession(connection: Connection, tenant: string, id: string): boolean {
  if (connection.run("DELETE FROM sessions WHERE tenant = ? AND id = ?", tenant, id) === 0) return false;
  connection.run("DELETE FROM messages WHERE tenant = ? AND session = ?", tenant, id);
  connection.run("DELETE FROM claims WHERE key = ?", sessionKey(tenant, id));
  const runs = connection.all("SELECT id FROM runs WHERE session = ? AND tenant = ?", id, tenant);
  for (const run of runs) deleteRun(connection, textOf(run, "id"));
  return true;
}

function messagesName(tenant: string, session: string, run: string): string {
  return `${sessionKey(tenant, session)} run ${run}`;
}

function toSession(tenant: string, id: string, row: Row): SessionRecord {
  const record: unknown = JSON.parse(bodyOf(sessionKey(tenant, id), row));
  if (isSession(record)) return record;
  throw changed(sessionKey(tenant, id));
}

/** What was written was a session, and the checksum says that this is what was written. */
function isSession(value: unknown): value is SessionRecord {
  return typeof value === "object" && value !== null && "id" in value && "tenant" in value;
}

function areTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
