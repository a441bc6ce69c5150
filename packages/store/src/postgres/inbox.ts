/**
 * Inbox: commands that were posted to runs, until the logs say what came of them.
 */
import type { Inbox } from "../database.ts";
import type { Claim, RequestRecord } from "../record.ts";
import { parseFate, toFateText } from "../stored-record.ts";
import { CHANNEL, INBOX_CHANNEL } from "./commit-function.ts";
import type { SqlCell, PostgresConnection } from "./connection.ts";
import type { Listener } from "./listener.ts";
import { parseName, toName } from "./names.ts";

type Row = Readonly<Record<"id" | "fate" | "command", string>>;

/** A claim that must be held, if there is one. */
const HELD = `
with held as (select from baton_claims where key = $3 and owner = $4 and number = $5 for share),
fence as (select where $3::text is null or exists (select from held))`;

/** The run's owner is notified, and workers that wait for something to do. */
const POST = `${HELD},
posted as (
  insert into baton_inbox (run, id, fate, command)
  select id, $2, $6, $7 from baton_runs, fence where id = $1 and status <> 'ended'
  returning run
),
requested as (
  insert into baton_requests (key, run, kept_until, body) select $8, run, $9, $10 from posted where $8::text is not null
  on conflict (key) do update set run = excluded.run, kept_until = excluded.kept_until, body = excluded.body
)
select pg_notify(channel, concat_ws(E'\\n', run, current_schema(), 1))
from posted, unnest(array['${CHANNEL}', '${INBOX_CHANNEL}']) as channel
`;

const SETTLE = `${HELD}
update baton_inbox set fate = $6 from fence where run = $1 and id = $2 returning id`;
const WITHDRAW = `${HELD}
delete from baton_inbox using fence where run = $1 and id = $2 returning id`;
const UNREAD = `
select distinct run from baton_inbox join baton_runs on baton_runs.id = run
where fate = 'sent' and status <> 'ended' limit 1000`;

/** The inbox of a database. */
export function postgresInbox({ ask }: PostgresConnection, listener: Listener): Inbox {
  return {
    watch: (posted) => listener.watchInbox(posted),
    async post({ run, id, command, fate }, under) {
      const key = [toName(run), toName(id), ...toClaimColumns(under?.claim)];
      const values = [...key, toFateText(fate), command, ...toRequestColumns(under?.request)];
      return (await ask({ text: POST }, values)).length > 0;
    },
    async list(run) {
      const text = "select id, fate, command from baton_inbox where run = $1 order by id";
      const rows = await ask<Row>({ text }, [toName(run)]);
      return rows.map(({ id, fate, command }) => ({ run, id: parseName(id), command, fate: parseFate(fate) }));
    },
    async settle({ run, id }, fate, claim) {
      const key = [toName(run), toName(id), ...toClaimColumns(claim)];
      const rows =
        fate === "withdrawn" ? ask({ text: WITHDRAW }, key) : ask({ text: SETTLE }, [...key, toFateText(fate)]);
      return (await rows).length > 0;
    },
    async unread() {
      return (await ask<{ readonly run: string }>({ text: UNREAD }, [])).map(({ run }) => parseName(run));
    },
  };
}

function toClaimColumns(claim: Claim | undefined): readonly SqlCell[] {
  if (claim === undefined) return [null, null, null];
  return [toName(claim.key), toName(claim.owner), claim.number];
}

function toRequestColumns(request: RequestRecord | undefined): readonly SqlCell[] {
  if (request === undefined) return [null, null, null];
  return [toName(request.key), request.keptUntil, JSON.stringify(request)];
}
