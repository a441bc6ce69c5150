/**
 * Inbox: commands that were posted to runs, until the logs say what came of them.
 */
import type { Inbox, Once } from "../database.ts";
import { parseFate, toFateText } from "../stored-record.ts";
import { CHANNEL } from "./commit-function.ts";
import type { Cell, Connection } from "./connection.ts";
import { parseName, toName } from "./names.ts";

type Row = Readonly<Record<"id" | "fate" | "command", string>>;

/** Workers that wait for something to do are told. */
const POST = `
with held as (
  select from baton_claims where key = $5 and owner = $6 and number = $7 for share
),
posted as (
  insert into baton_inbox (run, id, fate, command)
  select id, $2, $3, $4 from baton_runs
  where id = $1 and status <> 'ended' and ($5::text is null or exists (select from held))
  returning run
),
requested as (
  insert into baton_requests (key, run, kept_until, body) select $8, run, $9, $10 from posted where $8::text is not null
  on conflict (key) do update set run = excluded.run, kept_until = excluded.kept_until, body = excluded.body
)
select pg_notify('${CHANNEL}', run) from posted
`;

/** The inbox of a database. */
export function inboxIn({ ask }: Connection): Inbox {
  return {
    async post({ run, id, command, fate }, once) {
      const values = [toName(run), toName(id), toFateText(fate), command, ...toRequestColumns(once)];
      return (await ask({ text: POST }, values)).length > 0;
    },
    async list(run) {
      const text = "select id, fate, command from baton_inbox where run = $1 order by id";
      const rows = await ask<Row>({ text }, [toName(run)]);
      return rows.map(({ id, fate, command }) => ({ run, id: parseName(id), command, fate: parseFate(fate) }));
    },
    async settle({ run, id }, fate) {
      const key = [toName(run), toName(id)];
      const [text, values] =
        fate === "withdrawn"
          ? ["delete from baton_inbox where run = $1 and id = $2 returning id", key]
          : ["update baton_inbox set fate = $3 where run = $1 and id = $2 returning id", [...key, toFateText(fate)]];
      return (await ask({ text }, values)).length > 0;
    },
    async unread() {
      const text = "select distinct run from baton_inbox where fate = 'sent' limit 1000";
      return (await ask<{ readonly run: string }>({ text }, [])).map(({ run }) => parseName(run));
    },
  };
}

function toRequestColumns(once: Once | undefined): readonly Cell[] {
  if (once === undefined) return Array.from({ length: 6 }, () => null);
  const { claim, request } = once;
  const { key, owner, number } = claim;
  return [toName(key), toName(owner), number, toName(request.key), request.keptUntil, JSON.stringify(request)];
}
