/**
 * Logs: the rows of a run's log from any event on, and how long it is.
 */
import type { Batch } from "../database.ts";
import type { Ask } from "./connection.ts";
import { parseName, toName } from "./sealed.ts";

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

/** The rows of a log beyond an event, as many as fit. */
export async function readBatches(
  ask: Ask,
  { run, after, maxBytes }: { readonly run: string; readonly after: number; readonly maxBytes: number },
): Promise<readonly Batch[]> {
  const rows = await ask<Batch>({ name: "baton_batches", text: PAGE }, [toName(run), after, maxBytes]);
  return rows.map((row) => ({ ...row, run: parseName(row.run) }));
}

/** The number of a log's last event. */
export async function readLength(ask: Ask, run: string): Promise<number> {
  const text = "select length from baton_logs where run = $1";
  const [row] = await ask<{ length: number }>({ name: "baton_length", text }, [toName(run)]);
  return row?.length ?? 0;
}
