/**
 * Migration: what SQL alone cannot do to bring the rows of an older Baton up to date.
 */
import { parseJson } from "@baton/core/util";
import { requestKey } from "../claim-key.ts";
import { LOCAL } from "../owner.ts";
import { toShortId } from "../run-id.ts";
import { fold, toRunText } from "../search/run-text.ts";
import { RUN_TEXT_FIELDS } from "../search/run-text-fields.ts";
import { answerOf, titleOf } from "../session-title.ts";
import { toListedRun } from "../stored-record.ts";
import type { RunStatement } from "./connection.ts";
import { parseName, toName, toSearch } from "./names.ts";

const REQUEST = "request:";

type OwnedRow = Readonly<Record<"tenant" | "user_name" | "id" | "body", string>>;

/** Runs are found by their short ids; requests from before there were users belong to `local`. */
export async function addOwners(ask: RunStatement): Promise<void> {
  const rows = await ask<{ readonly id: string }>({ text: "select id from baton_runs" }, []);
  const ids = rows.map(({ id }) => id);
  const text = `update baton_runs set short_id = given.short_id
    from unnest($1::text[], $2::text[]) as given (id, short_id) where baton_runs.id = given.id`;
  await ask({ text }, [ids, ids.map((id) => toName(toShortId(parseName(id))))]);
  for (const row of await ask<{ readonly key: string }>({ text: "select key from baton_requests" }, [])) {
    const key = parseName(row.key);
    const parts = key.startsWith(REQUEST) ? parseJson(key.slice(REQUEST.length)) : undefined;
    if (!Array.isArray(parts) || parts.length !== 2) continue;
    const [tenant = "", name = ""] = parts.map(String);
    const renamed = toName(requestKey({ tenant, user: LOCAL.user }, name));
    await ask({ text: "update baton_requests set key = $1 where key = $2" }, [renamed, row.key]);
  }
}

/** Sessions have titles, and are listed by their last use. */
export async function addTitles(ask: RunStatement): Promise<void> {
  for (const row of await ask<OwnedRow>({ text: "select tenant, user_name, id, body from baton_sessions" }, [])) {
    const place = [row.tenant, row.user_name, row.id];
    const said = `select body from baton_messages where tenant = $1 and user_name = $2 and session = $3 order by place`;
    const messages = await ask<{ readonly body: string }>({ text: said }, place);
    const title = titleOf(messages.flatMap(({ body }) => toTexts(parseJson(body))));
    const record = parseJson(row.body);
    if (typeof record !== "object" || record === null || !("updatedAt" in record)) continue;
    const body = JSON.stringify(title === undefined ? record : { ...record, title });
    const text = `update baton_sessions set body = $4, updated_at = $5, search = $6
      where tenant = $1 and user_name = $2 and id = $3`;
    await ask({ text }, [...place, body, Number(record["updatedAt"]), toSearch(title ?? "")]);
  }
}

const PAGE = 500;

type RunRow = Readonly<Record<"id" | "body", string>> & Readonly<{ said: string | null; title: string | null }>;

/** Runs are found by their texts. The answer of an old run is known only if it is in a conversation. */
export async function addRunTexts(ask: RunStatement): Promise<void> {
  await addTitleWords(ask);
  const text = `select r.id, r.body, m.body as said, s.words as title from baton_runs r
    left join baton_messages m on m.run = r.id
    left join baton_sessions s on (s.tenant, s.user_name, s.id) = (r.tenant, r.user_name, r.session)
    where r.id > $1 order by r.id limit ${PAGE}`;
  for (let last: string | undefined = ""; last !== undefined;) {
    const rows: readonly RunRow[] = await ask<RunRow>({ text }, [last]);
    for (const row of rows) await addRunText(ask, row);
    last = rows[PAGE - 1]?.id;
  }
  await ask({ text: "alter table baton_runs drop column if exists search" }, []);
}

async function addTitleWords(ask: RunStatement): Promise<void> {
  for (const row of await ask<OwnedRow>(
    { text: "select tenant, user_name, id, search as body from baton_sessions" },
    [],
  )) {
    const place = [row.tenant, row.user_name, row.id];
    const update = "update baton_sessions set words = $4 where tenant = $1 and user_name = $2 and id = $3";
    await ask({ text: update }, [...place, fold(row.body)]);
  }
}

async function addRunText(ask: RunStatement, { id, body, said, title }: RunRow): Promise<void> {
  const columns = {
    id: parseName(id),
    tenant: "",
    user: "",
    crew: "",
    session: undefined,
    createdAt: 0,
    updatedAt: 0,
    body,
  };
  const record = toListedRun(columns);
  const answer = answerOf(toTexts(parseJson(said ?? "[]")));
  const words = { ...toRunText(record, { answer }), title: title ?? "" };
  const places = RUN_TEXT_FIELDS.map((_, index) => `$${index + 2}`).join(", ");
  const insert = `insert into baton_run_texts (run, ${RUN_TEXT_FIELDS.join(", ")}) values ($1, ${places}) on conflict do nothing`;
  await ask({ text: insert }, [id, ...RUN_TEXT_FIELDS.map((field) => words[field])]);
}

function toTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
