/**
 * Sessions: conversations, and what the runs in them have said.
 */
import { sessionKey } from "../claim-key.ts";
import type { Conversation, SessionFilter, SessionRecord } from "../database.ts";
import { orDamaged, toDamagedSession } from "../damaged-record.ts";
import type { Owner } from "../owner.ts";
import type { Ask, Cell } from "./connection.ts";
import { FORGET, FORGET_ANSWERS } from "./runs.ts";
import { parseName, SEALED, type Sealed, sealRecord, toName, unsealRecord } from "./sealed.ts";

/** A record as its row in a commit, in the order of its columns. */
export function toSessionColumns(session: SessionRecord): readonly Cell[] {
  const { tenant, user, id, createdAt } = session;
  const { body, checksum } = sealRecord(sessionName(session, id), session);
  return [toName(tenant), toName(user), toName(id), createdAt, body, checksum];
}

/** What a run said as its row in a commit, in the order of its columns. */
export function toConversationColumns(said: Conversation): readonly Cell[] {
  const { tenant, user, session, run, messages, replaces = false } = said;
  const { body, checksum } = sealRecord(messagesName(said, session, run), messages);
  return [toName(tenant), toName(user), toName(session), toName(run), body, checksum, replaces];
}

/** One session of an owner. */
export async function readSession(ask: Ask, owner: Owner, id: string): Promise<SessionRecord | undefined> {
  const text = `select ${SEALED} from baton_sessions where tenant = $1 and user_name = $2 and id = $3`;
  const [row] = await ask<Sealed>({ text }, [toName(owner.tenant), toName(owner.user), toName(id)]);
  return row && unsealRecord(sessionName(owner, id), row, isSession);
}

/** An owner's sessions, newest first. */
export async function findSessions(ask: Ask, filter: SessionFilter): Promise<readonly SessionRecord[]> {
  const { tenant, user, before, limit = 100 } = filter;
  const older = `and (created_at, id) < (
    select created_at, id from baton_sessions where tenant = $1 and user_name = $2 and id = $4)`;
  const text = `select id, created_at, ${SEALED} from baton_sessions
    where tenant = $1 and user_name = $2 ${before === undefined ? "" : older}
    order by created_at desc, id desc limit $3`;
  const last = before === undefined ? [] : [toName(before)];
  const rows = await ask<ListedRow>({ text }, [toName(tenant), toName(user), limit, ...last]);
  return rows.map((row) => {
    const id = parseName(row.id);
    return orDamaged(
      () => unsealRecord(sessionName(filter, id), row, isSession),
      (error) => toDamagedSession({ id, tenant, user, createdAt: row.created_at }, error),
    );
  });
}

/** What was said in a session, each run's messages in the place where it began. */
export async function readMessages(ask: Ask, owner: Owner, id: string): Promise<readonly string[]> {
  const text = `select run, ${SEALED} from baton_messages
    where tenant = $1 and user_name = $2 and session = $3 order by place`;
  const whose = [toName(owner.tenant), toName(owner.user)];
  const rows = await ask<Sealed & { readonly run: string }>({ text }, [...whose, toName(id)]);
  return rows.flatMap((row) => unsealRecord(messagesName(owner, id, parseName(row.run)), row, isMessages));
}

const DELETE = `
with session as (delete from baton_sessions where tenant = $1 and user_name = $2 and id = $3 returning id),
messages as (delete from baton_messages where tenant = $1 and user_name = $2 and session = $3),
documents as (delete from baton_documents where tenant = $1 and user_name = $2 and session = $3),
writer as (delete from baton_claims where key = $4),
gone as (delete from baton_runs where tenant = $1 and user_name = $2 and session = $3 returning id),
${FORGET}, ${FORGET_ANSWERS}
select from session
`;

/** Forgets a session with its messages, runs and documents; false where there was none. */
export async function deleteSession(ask: Ask, owner: Owner, id: string): Promise<boolean> {
  const values = [owner.tenant, owner.user, id, sessionKey(owner, id)].map(toName);
  return (await ask({ text: DELETE }, values)).length > 0;
}

/** What a session's record is sealed with. */
export function sessionName({ tenant, user }: Owner, id: string): string {
  return `session ${tenant} ${user} ${id}`;
}

/** What the messages of a run in a session are sealed with. */
export function messagesName({ tenant, user }: Owner, session: string, run: string): string {
  return `messages ${tenant} ${user} ${session} ${run}`;
}

type ListedRow = Sealed & { readonly id: string; readonly created_at: number };

/** What was written was a record, and the checksum says that this is what was written. */
function isSession(value: unknown): value is SessionRecord {
  return typeof value === "object" && value !== null && "id" in value && "tenant" in value;
}

function isMessages(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
