/**
 * Session tables: the record of each session, and what each of its runs has said in it.
 *
 * A conversation's order is that in which its runs first spoke: the order of the rows.
 */
import { given } from "@baton/core/ports";
import { sessionKey } from "../claim-key.ts";
import { orDamaged, toDamagedSession, toStatus } from "../damaged-record.ts";
import type { Conversation, SessionFilter, SessionRecord, SessionRuns } from "../database.ts";
import type { Owner } from "../owner.ts";
import { titleOf } from "../session-title.ts";
import type { Connection, Row } from "./connection.ts";
import { deleteRun } from "./run-table.ts";
import { bodyOf, changed, checksumOf, numberOf, SEALED, textOf } from "./sealed.ts";
import { deleteSessionDocuments } from "./sqlite-documents.ts";

const OWNED = "tenant = ? AND user_name = ?";

/** Writes a session's record, in the place of an older one. */
export function saveSession(connection: Connection, record: SessionRecord): void {
  const { tenant, user, id, createdAt, updatedAt } = record;
  const body = JSON.stringify(record);
  connection.run(
    `INSERT INTO sessions (tenant, user_name, id, created_at, updated_at, checksum, body) VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (tenant, user_name, id) DO UPDATE SET created_at = excluded.created_at,
      updated_at = excluded.updated_at, checksum = excluded.checksum, body = excluded.body`,
    tenant,
    user,
    id,
    createdAt,
    updatedAt,
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

/** An owner's sessions, the one that was used last first. */
export function findSessions(connection: Connection, filter: SessionFilter): readonly SessionRecord[] {
  const { tenant, user, text = "", before, limit = 100 } = filter;
  const rows = connection.iterate(
    `SELECT id, created_at, updated_at, ${SEALED} FROM sessions
      WHERE ${OWNED} ${before === undefined ? "" : "AND (updated_at, id) < (?, ?)"}
      ORDER BY updated_at DESC, id DESC`,
    tenant,
    user,
    ...(before === undefined ? [] : [before.updatedAt, before.id]),
  );
  const part = text.toLowerCase();
  const found: SessionRecord[] = [];
  for (const row of limit > 0 ? rows : []) {
    const record = orDamaged<SessionRecord>(
      () => toSession(filter, textOf(row, "id"), row),
      (error) => {
        const { id, created_at: createdAt, updated_at: updatedAt } = row;
        return toDamagedSession({ id, tenant, user, createdAt, updatedAt }, error);
      },
    );
    // What a damaged one was about is not known: it might be what is looked for.
    if (record.error !== undefined || (record.title ?? "").toLowerCase().includes(part)) found.push(record);
    if (found.length >= limit) break;
  }
  return found;
}

/** The runs of some sessions. */
export function findSessionRuns(
  connection: Connection,
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

/** Gives sessions that were written before they had titles their title and the time of their last use. */
export function addTitles(connection: Connection): void {
  connection.run("UPDATE sessions SET updated_at = created_at");
  for (const row of connection.all(`SELECT tenant, user_name, id, ${SEALED} FROM sessions`)) {
    const [tenant, user, id] = [textOf(row, "tenant"), textOf(row, "user_name"), textOf(row, "id")];
    const owner = { tenant, user };
    const record = orDamaged<SessionRecord | undefined>(
      () => toSession(owner, id, row),
      () => undefined,
    );
    if (record !== undefined)
      saveSession(connection, { ...record, ...given({ title: findTitle(connection, owner, id) }) });
  }
}

function findTitle(connection: Connection, owner: Owner, id: string): string | undefined {
  return orDamaged<string | undefined>(
    () => titleOf(findMessages(connection, owner, id)),
    () => undefined,
  );
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
