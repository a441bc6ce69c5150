/**
 * Sessions: conversations, and what the runs in them have said.
 */
import { BatonError } from "@baton/core";
import { given } from "@baton/core/ports";
import { sessionKey } from "../claim-key.ts";
import type { Conversation, SessionFilter, SessionRecord, SessionRuns } from "../database.ts";
import { orDamaged, toDamagedSession, toStatus } from "../damaged-record.ts";
import type { Owner } from "../owner.ts";
import { titleOf } from "../session-title.ts";
import type { Ask, Cell } from "./connection.ts";
import { FORGET, FORGET_ANSWERS, toSearch } from "./runs.ts";
import { parseName, SEALED, type Sealed, sealRecord, toName, unsealRecord } from "./sealed.ts";

/** A record as its row in a commit, in the order of its columns. */
export function toSessionColumns(session: SessionRecord): readonly Cell[] {
  const { tenant, user, id, createdAt } = session;
  const { body, checksum } = sealRecord(sessionName(session, id), session);
  return [toName(tenant), toName(user), toName(id), createdAt, body, checksum];
}

/** What a session is listed and found by, in the order of its columns. */
export function toUseColumns({ updatedAt, title = "" }: SessionRecord): readonly Cell[] {
  return [updatedAt, toSearch(title)];
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

const FIND = `
select id, created_at, updated_at, ${SEALED} from baton_sessions
where tenant = $1 and user_name = $2 and ($3::text is null or strpos(search, $3) > 0)
  and ($4::double precision is null or (updated_at, id) < ($4, $5::text))
order by updated_at desc, id desc limit $6
`;

/** An owner's sessions, the one that was used last first. */
export async function findSessions(ask: Ask, filter: SessionFilter): Promise<readonly SessionRecord[]> {
  const { tenant, user, text, before, limit = 100 } = filter;
  const place = before === undefined ? [null, null] : [before.updatedAt, toName(before.id)];
  const search = text === undefined ? null : toSearch(text);
  const rows = await ask<ListedRow>({ text: FIND }, [toName(tenant), toName(user), search, ...place, limit]);
  return rows.map((row) => {
    const id = parseName(row.id);
    const { created_at: createdAt, updated_at: updatedAt } = row;
    return orDamaged(
      () => unsealRecord(sessionName(filter, id), row, isSession),
      (error) => toDamagedSession({ id, tenant, user, createdAt, updatedAt }, error),
    );
  });
}

const RUNS = `
select distinct on (session) session, crew, status, count(*) over (partition by session)::integer as runs from baton_runs
where tenant = $1 and user_name = $2 and session = any($3::text[])
order by session, created_at desc, id desc
`;

/** The runs of some sessions. */
export async function findSessionRuns(
  ask: Ask,
  owner: Owner,
  ids: readonly string[],
): Promise<ReadonlyMap<string, SessionRuns>> {
  const rows = await ask<RunsRow>({ text: RUNS }, [toName(owner.tenant), toName(owner.user), ids.map(toName)]);
  return new Map(
    rows.flatMap(({ session, crew, status: column, runs }): [string, SessionRuns][] => {
      const status = toStatus(column);
      return status === undefined ? [] : [[parseName(session), { runs, crew: parseName(crew), status }]];
    }),
  );
}

/** Gives sessions that were written before they had titles their title and the time of their last use. */
export async function addTitles(ask: Ask): Promise<void> {
  await ask({ text: "update baton_sessions set updated_at = created_at" }, []);
  const rows = await ask<OwnedRow>({ text: "select tenant, user_name, id from baton_sessions" }, []);
  for (const row of rows) {
    const owner = { tenant: parseName(row.tenant), user: parseName(row.user_name) };
    const id = parseName(row.id);
    const record = await orLost(readSession(ask, owner, id));
    if (record === undefined) continue;
    const title = titleOf((await orLost(readMessages(ask, owner, id))) ?? []);
    const titled = { ...record, ...given({ title }) };
    const { body, checksum } = sealRecord(sessionName(owner, id), titled);
    const text = `update baton_sessions set body = $4, checksum = $5, updated_at = $6, search = $7
      where tenant = $1 and user_name = $2 and id = $3`;
    await ask({ text }, [row.tenant, row.user_name, row.id, body, checksum, ...toUseColumns(titled)]);
  }
}

async function orLost<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof BatonError && error.code === "damaged") return undefined;
    throw error;
  }
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

type ListedRow = Sealed & { readonly id: string; readonly created_at: number; readonly updated_at: number };

type OwnedRow = Readonly<Record<"tenant" | "user_name" | "id", string>>;

type RunsRow = Readonly<Record<"session" | "crew" | "status", string>> & { readonly runs: number };

/** What was written was a record, and the checksum says that this is what was written. */
function isSession(value: unknown): value is SessionRecord {
  return typeof value === "object" && value !== null && "id" in value && "tenant" in value;
}

function isMessages(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
