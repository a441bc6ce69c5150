/**
 * Ledger: what model calls may spend, shared by all processes on one database.
 *
 * Each reservation and settlement is a transaction that has its pages to itself; pages are locked in one order, so
 * two of them cannot wait for each other. What a process had reserved and did not live to settle counts as spent.
 */
import type { Ledger } from "@baton/core/ports";
import { type LedgerEntry, type LedgerPage, parsePage, reserve, settle, toLedgerEntries } from "../ledger-page.ts";
import type { PostgresConnection } from "./connection.ts";
import { parseName, toName } from "./names.ts";

/** A page that ended so long ago is forgotten. */
const KEEP_MS = 2 * 86_400_000;

const OPEN = `
insert into baton_pages (id, ends_at)
select * from unnest($1::text[], $2::double precision[]) as given (id, ends_at) order by id collate "C"
on conflict (id) do update set ends_at = excluded.ends_at
returning id, body
`;

const SAVE = `
update baton_pages set body = given.body
from unnest($1::text[], $2::text[]) as given (id, body) where baton_pages.id = given.id
`;

const FORGET = `
delete from baton_pages
where id in (select id from baton_pages where ends_at < $1 limit 100 for update skip locked)
`;

/** The ledger of a database. */
export function postgresLedger({ transaction }: PostgresConnection, now: () => number): Ledger {
  /** Changes pages; they are created if they do not exist, and locked until the transaction ends. */
  const change = <T>(entries: readonly LedgerEntry[], work: (pages: Map<string, LedgerPage>) => T): Promise<T> =>
    transaction(async (ask) => {
      const wanted = new Map(entries.map(({ name, endsAt }) => [toName(name), endsAt]));
      const rows = await ask<{ readonly id: string; readonly body: string | null }>(
        { name: "baton_open_pages", text: OPEN },
        [[...wanted.keys()], [...wanted.values()]],
      );
      if (rows.some(({ body }) => body === null)) await ask({ text: FORGET }, [now() - KEEP_MS]);
      const pages = new Map<string, LedgerPage>();
      for (const { id, body } of rows) if (body !== null) pages.set(parseName(id), parsePage(id, body));
      const result = work(pages);
      const bodies = Array.from(pages.values(), (page) => JSON.stringify(page));
      await ask({ name: "baton_save_pages", text: SAVE }, [Array.from(pages.keys(), toName), bodies]);
      return result;
    });
  return {
    async reserve(accounts, worst) {
      const entries = toLedgerEntries(accounts, now());
      const refusal = await change(entries, (pages) => reserve(pages, entries, worst));
      if (refusal !== undefined) return { ok: false, refusal };
      return { ok: true, settle: (spent) => change(entries, (pages) => settle(pages, entries, { worst, spent })) };
    },
  };
}
