/**
 * Sessions: conversations, and what their runs have said, in the order in which they began.
 */
import { sessionKey } from "../claim-key.ts";
import type { Sessions } from "../database.ts";
import type { Owner } from "../owner.ts";
import type { SessionEdit, SessionFilter, SessionRecord, SessionRuns } from "../record.ts";
import { fold } from "../search/run-text.ts";
import { toListedSession, toMessages, toSession, toStatus } from "../stored-record.ts";
import type { RunStatement, PostgresConnection } from "./connection.ts";
import { parseName, toName, toSearch } from "./names.ts";
import { FORGET, FORGET_ANSWERS } from "./runs.ts";

const OWNED = "tenant = $1 and user_name = $2";

const FIND = `
select id, created_at, updated_at, body, given_title, pinned from baton_sessions
where ${OWNED} and ($3::text is null or strpos(coalesce(given_search, search), $3) > 0)
  and ($4::double precision is null or (pinned, updated_at, id) < ($7::boolean, $4, $5::text))
order by pinned desc, updated_at desc, id desc limit $6
`;

const RUNS = `
select distinct on (session) session, crew, status, count(*) over (partition by session)::integer as runs from baton_runs
where ${OWNED} and session = any($3::text[])
order by session, created_at desc, id desc
`;

const DELETE = `
with session as (delete from baton_sessions where ${OWNED} and id = $3 returning id),
messages as (delete from baton_messages where ${OWNED} and session = $3),
documents as (delete from baton_documents where ${OWNED} and session = $3),
writer as (delete from baton_claims where key = $4),
gone as (delete from baton_runs where ${OWNED} and session = $3 returning id),
${FORGET}, ${FORGET_ANSWERS}
select from session
`;

const EDIT = `
update baton_sessions set
  pinned = coalesce($4::boolean, pinned),
  given_title = case when $5 then $6::text else given_title end,
  given_search = case when $5 then $7::text else given_search end,
  given_words = case when $5 then $8::text else given_words end
where ${OWNED} and id = $3 returning coalesce(given_words, words) as title
`;

const RENAME = `
update baton_run_texts set title = $4 where run in (select id from baton_runs where ${OWNED} and session = $3)
`;

interface Row {
  readonly id: string;
  readonly created_at: number;
  readonly updated_at: number;
  readonly body: string;
  readonly given_title: string | null;
  readonly pinned: boolean;
}

type RunsRow = Readonly<Record<"session" | "crew" | "status", string>> & { readonly runs: number };

/** The sessions of a database. */
export function postgresSessions({ ask, transaction }: PostgresConnection): Sessions {
  return {
    find: async (owner, id) => findSession(ask, owner, id),
    list: async (filter) => findSessions(ask, filter),
    async runs({ tenant, user }, ids) {
      const rows = await ask<RunsRow>({ text: RUNS }, [toName(tenant), toName(user), ids.map(toName)]);
      return new Map(
        rows.flatMap(({ session, crew, status: column, runs }): [string, SessionRuns][] => {
          const status = toStatus(column);
          return status === undefined ? [] : [[parseName(session), { runs, crew: parseName(crew), status }]];
        }),
      );
    },
    messages: async (owner, session) =>
      (await findConversation(ask, owner, session)).flatMap(({ messages }) => messages),
    conversation: async (owner, session) => findConversation(ask, owner, session),
    edit: async (owner, id, edit) =>
      transaction(async (own) => {
        await editSession(own, { ...owner, id }, edit);
        return findSession(own, owner, id);
      }),
    async delete(owner, id) {
      const values = [owner.tenant, owner.user, id, sessionKey(owner, id)].map(toName);
      return (await ask({ text: DELETE }, values)).length > 0;
    },
  };
}

async function findSession(ask: RunStatement, { tenant, user }: Owner, id: string): Promise<SessionRecord | undefined> {
  const text = `select body, given_title, pinned from baton_sessions where ${OWNED} and id = $3`;
  const [row] = await ask<Row>({ text }, [toName(tenant), toName(user), toName(id)]);
  return row && toSession({ id, tenant, user, body: row.body, ...toEdited(row) });
}

function toEdited({ given_title: title, pinned }: Pick<Row, "given_title" | "pinned">) {
  return { givenTitle: title === null ? undefined : parseName(title), pinned };
}

/** Changes what a person may change; the runs of the session are found by its new title. */
async function editSession(
  ask: RunStatement,
  { tenant, user, id }: Owner & { readonly id: string },
  { title, pinned }: SessionEdit,
): Promise<void> {
  const place = [tenant, user, id].map(toName);
  const given = typeof title === "string" ? [toName(title), toSearch(title), fold(title)] : [null, null, null];
  const [row] = await ask<{ readonly title: string }>({ text: EDIT }, [
    ...place,
    pinned ?? null,
    title !== undefined,
    ...given,
  ]);
  if (row !== undefined && title !== undefined) await ask({ text: RENAME }, [...place, row.title]);
}

async function findConversation(ask: RunStatement, { tenant, user }: Owner, session: string) {
  const text = `select run, body from baton_messages where ${OWNED} and session = $3 order by place`;
  const rows = await ask<{ run: string; body: unknown }>({ text }, [toName(tenant), toName(user), toName(session)]);
  return rows.map(({ run, body }) => ({ run: parseName(run), messages: toMessages(session, body) }));
}

async function findSessions(ask: RunStatement, filter: SessionFilter): Promise<readonly SessionRecord[]> {
  const { tenant, user, text, before, limit = 100 } = filter;
  const place = before === undefined ? [null, null] : [before.updatedAt, toName(before.id)];
  const search = text === undefined ? null : toSearch(text);
  const rows = await ask<Row>({ text: FIND }, [
    toName(tenant),
    toName(user),
    search,
    ...place,
    limit,
    before?.pinned === true,
  ]);
  return rows.map(({ id, created_at: createdAt, updated_at: updatedAt, body, ...row }) =>
    toListedSession({ id: parseName(id), tenant, user, createdAt, updatedAt, body, ...toEdited(row) }),
  );
}
