/**
 * Ledger: what model calls may spend, shared by all processes on one database.
 *
 * Each reservation and settlement is a transaction that has its pages to itself; pages are locked in one order, so
 * two of them cannot wait for each other. What a process had reserved and did not live to settle counts as spent.
 */
import type { Account, Amount, CapUse, Clock, Ledger, Reserved } from "@baton/core/ports";
import { EMPTY_PAGE, findRefusal, parsePage, reserveOn, settleOn, toPageName } from "../ledger-page.ts";
import type { LedgerPage, SettledCall } from "../ledger-page.ts";
import type { Ask, Connection } from "./connection.ts";
import { toName } from "./names.ts";

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

/** What an account counts in: the name of its page, and when that ends. */
type Entry = Readonly<{ account: Account; id: string; endsAt: number }>;

/** The ledger as one process sees it. */
export class PostgresLedger implements Ledger {
  readonly #connection: Connection;
  readonly #clock: Clock;

  constructor({ connection, clock }: Readonly<{ connection: Connection; clock: Clock }>) {
    this.#connection = connection;
    this.#clock = clock;
  }

  async reserve(accounts: readonly Account[], worst: Amount): Promise<Reserved> {
    const now = this.#clock.now();
    const entries = accounts.map((account) => toEntry(account, now));
    return this.#connection.transaction(async (ask): Promise<Reserved> => {
      const pages = await this.#open(ask, entries);
      for (const { account, id } of entries) {
        const refusal = findRefusal(account, pages.get(id) ?? EMPTY_PAGE, worst);
        if (refusal !== undefined) return { ok: false, refusal };
      }
      for (const { id } of entries) pages.set(id, reserveOn(pages.get(id) ?? EMPTY_PAGE, worst));
      await save(ask, pages);
      return { ok: true, settle: async (spent) => this.#settle(entries, { worst, spent }) };
    });
  }

  async #settle(entries: readonly Entry[], call: SettledCall): Promise<readonly CapUse[]> {
    return this.#connection.transaction(async (ask) => {
      const pages = await this.#open(ask, entries);
      const told = entries.flatMap(({ account, id }) => {
        const { page, alerts } = settleOn(account, pages.get(id) ?? EMPTY_PAGE, call);
        pages.set(id, page);
        return alerts;
      });
      await save(ask, pages);
      return told;
    });
  }

  /** The pages, created if they do not exist, and locked until the transaction ends. */
  async #open(ask: Ask, entries: readonly Entry[]): Promise<Map<string, LedgerPage>> {
    const wanted = new Map(entries.map(({ id, endsAt }) => [id, endsAt]));
    const rows = await ask<{ readonly id: string; readonly body: string | null }>(
      { name: "baton_open_pages", text: OPEN },
      [[...wanted.keys()], [...wanted.values()]],
    );
    if (rows.some(({ body }) => body === null)) await ask({ text: FORGET }, [this.#clock.now() - KEEP_MS]);
    return new Map(rows.map(({ id, body }) => [id, body === null ? EMPTY_PAGE : parsePage(id, body)]));
  }
}

function toEntry(account: Account, now: number): Entry {
  const { name, endsAt } = toPageName(account, now);
  return { account, id: toName(name), endsAt };
}

async function save(ask: Ask, pages: ReadonlyMap<string, LedgerPage>): Promise<void> {
  const bodies = Array.from(pages.values(), (page) => JSON.stringify(page));
  await ask({ name: "baton_save_pages", text: SAVE }, [[...pages.keys()], bodies]);
}
