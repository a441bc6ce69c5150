/**
 * Sessions: conversations, and what the runs in them have said.
 */
import type { Conversation, SessionFilter, SessionRecord } from "../database.ts";
import { orDamaged, toDamagedSession } from "../damaged-record.ts";
import type { Ask, Cell } from "./connection.ts";
import { FORGET, FORGET_ANSWERS } from "./runs.ts";
import { parseName, SEALED, type Sealed, sealRecord, toName, unsealRecord } from "./sealed.ts";

/** A record as its row in a commit, in the order of its columns. */
export function toSessionColumns(session: SessionRecord): readonly Cell[] {
  const { tenant, id, createdAt } = session;
  const { body, checksum } = sealRecord(`session ${tenant} ${id}`, session);
  return [toName(tenant), toName(id), createdAt, body, checksum];
}

/** What a run said as its row in a commit, in the order of its columns. */
export function toConversationColumns(said: Conversation): readonly Cell[] {
  const { tenant, session, run, messages, replaces = false } = said;
  const { body, checksum } = sealRecord(`messages ${tenant} ${session} ${run}`, messages);
  return [toName(tenant), toName(session), toName(run), body, checksum, replaces];
}

/** One session of a tenant. */
export async function readSession(ask: Ask, tenant: string, id: string): Promise<SessionRecord | undefined> {
  const text = `select ${SEALED} from baton_sessions where tenant = $1 and id = $2`;
  const [row] = await ask<Sealed>({ text }, [toName(tenant), toName(id)]);
  return row && unsealRecord(`session ${tenant} ${id}`, row, isSession);
}

/** A tenant's sessions, newest first. */
export async function findSessions(ask: Ask, filter: SessionFilter): Promise<readonly SessionRecord[]> {
  const { tenant, before, limit = 100 } = filter;
  const older = "and (created_at, id) < (select created_at, id from baton_sessions where tenant = $1 and id = $3)";
  const text = `select id, created_at, ${SEALED} from baton_sessions
    where tenant = $1 ${before === undefined ? "" : older} order by created_at desc, id desc limit $2`;
  const last = before === undefined ? [] : [toName(before)];
  const rows = await ask<ListedRow>({ text }, [toName(tenant), limit, ...last]);
  return rows.map((row) => {
    const id = parseName(row.id);
    return orDamaged(
      () => unsealRecord(`session ${tenant} ${id}`, row, isSession),
      (error) => toDamagedSession({ id, tenant, createdAt: row.created_at }, error),
    );
  });
}

/** What was said in a session, each run's messages in the place where it began. */
export async function readMessages(ask: Ask, tenant: string, id: string): Promise<readonly string[]> {
  const text = `select run, ${SEALED} from baton_messages where tenant = $1 and session = $2 order by place`;
  const rows = await ask<Sealed & { readonly run: string }>({ text }, [toName(tenant), toName(id)]);
  return rows.flatMap((row) => unsealRecord(`messages ${tenant} ${id} ${parseName(row.run)}`, row, isMessages));
}

const DELETE = `
with session as (delete from baton_sessions where tenant = $1 and id = $2 returning id),
messages as (delete from baton_messages where tenant = $1 and session = $2),
writer as (delete from baton_claims where key = 'session:' || $1::text || ':' || $2::text),
gone as (delete from baton_runs where tenant = $1 and session = $2 returning id), ${FORGET}, ${FORGET_ANSWERS}
select from session
`;

/** Forgets a session with its messages and runs; false where there was none. */
export async function deleteSession(ask: Ask, tenant: string, id: string): Promise<boolean> {
  return (await ask({ text: DELETE }, [toName(tenant), toName(id)])).length > 0;
}

type ListedRow = Sealed & { readonly id: string; readonly created_at: number };

/** What was written was a record, and the checksum says that this is what was written. */
function isSession(value: unknown): value is SessionRecord {
  return typeof value === "object" && value !== null && "id" in value && "tenant" in value;
}

function isMessages(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
