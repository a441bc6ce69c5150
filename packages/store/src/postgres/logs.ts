/**
 * Logs: the rows of each run's log, and apart from them its length, so that a lost row is noticed.
 */
import type { Logs } from "../database.ts";
import type { Batch } from "../record.ts";
import type { PostgresConnection } from "./connection.ts";
import type { Listener } from "./listener.ts";
import { parseName, toName } from "./names.ts";

const PAGE = `
with recursive page as (
  (select last, octet_length(body)::bigint as bytes from baton_batches where run = $1 and last > $2 order by last limit 1)
  union all
  select next.last, page.bytes + next.bytes from page cross join lateral (
    select last, octet_length(body) as bytes from baton_batches where run = $1 and last > page.last order by last limit 1
  ) as next where page.bytes + next.bytes <= $3
)
select run, first, last, body, checksum::double precision as checksum
from baton_batches join page using (last) where run = $1 order by last
`;

/** The logs of a database. */
export function postgresLogs({ ask }: PostgresConnection, listener: Listener): Logs {
  return {
    async batches(run, after, maxBytes) {
      const pushed = listener.pushed(run, after);
      if (pushed.length > 0) return pushed;
      const rows = await ask<Batch>({ name: "baton_batches", text: PAGE }, [toName(run), after, maxBytes]);
      return rows.map((row) => ({ ...row, run: parseName(row.run) }));
    },
    async length(run) {
      const text = "select length from baton_logs where run = $1";
      const [row] = await ask<{ readonly length: number }>({ name: "baton_length", text }, [toName(run)]);
      return row?.length ?? 0;
    },
    watch: (run, changed) => listener.watch(run, changed),
    watchAll: (changed) => listener.watch(undefined, changed),
  };
}
