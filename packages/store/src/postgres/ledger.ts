/**
 * Ledger: what model calls may spend, shared by all processes on one database.
 *
 * Each reservation and settlement is a transaction that has its pages to itself; pages are locked in one order, so two
 * of them cannot wait for each other. What an owner had reserved whose lease is over counts as spent.
 * Reads: connection, page, sealed. Read by: postgres-database.
 */
import type { Account, Amount, Clock, Ledger, Reserved, Spent, Standing } from "@baton/core";
import type { Ask, Connection } from "./connection.ts";
import { bury, hold, type Page, parsePage, refusalOf, settle, takeAlerts, toText } from "./page.ts";
import { toName } from "./sealed.ts";

const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** A page that ended so long ago is forgotten. */
const KEEP_MS = 2 * WINDOW_MS.day;

const OPEN = `
insert into baton_pages (id, ends_at)
select * from unnest($1::text[], $2::double precision[]) as given (id, ends_at) order by id collate "C"
on conflict (id) do update set ends_at = excluded.ends_at
returning id, body, array(select owner from baton_leases where ends_at > clock_timestamp()) as living
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
/** One call, as it was reserved. */
type Call = Readonly<{ entries: readonly Entry[]; worst: Amount }>;

/** The ledger as one process sees it. */
export class PostgresLedger implements Ledger {
  readonly #connection: Connection;
  readonly #owner: string;
  readonly #clock: Clock;

  constructor({ connection, owner, clock }: Readonly<{ connection: Connection; owner: string; clock: Clock }>) {
    this.#connection = connection;
    this.#owner = toName(owner);
    this.#clock = clock;
  }

  async reserve(accounts: readonly Account[], worst: Amount): Promise<Reserved> {
    const now = this.#clock.now();
    const entries = accounts.map((account) => toEntry(account, now));
    return this.#connection.transaction(async (ask): Promise<Reserved> => {
      const pages = await this.#open(ask, entries);
      for (const { account, id } of entries) {
        const refusal = refusalOf(account, pageOf(pages, id), worst);
        if (refusal !== undefined) return { ok: false, refusal };
      }
      for (const { id } of entries) hold(pageOf(pages, id), this.#owner, worst);
      await save(ask, pages);
      return { ok: true, settle: async (spent) => this.#settle({ entries, worst }, spent) };
    });
  }

  async #settle({ entries, worst }: Call, spent: Spent): Promise<readonly Standing[]> {
    return this.#connection.transaction(async (ask) => {
      const pages = await this.#open(ask, entries);
      const alerts = entries.flatMap(({ account, id }) => {
        settle(pageOf(pages, id), this.#owner, { worst, spent });
        return takeAlerts(account, pageOf(pages, id));
      });
      await save(ask, pages);
      return alerts;
    });
  }

  /** The pages, new where there were none, and nobody else's until the transaction ends. */
  async #open(ask: Ask, entries: readonly Entry[]): Promise<ReadonlyMap<string, Page>> {
    const wanted = new Map(entries.map(({ id, endsAt }) => [id, endsAt]));
    const rows = await ask<{ readonly id: string; readonly body: string | null; readonly living: readonly string[] }>(
      { name: "baton_open_pages", text: OPEN },
      [[...wanted.keys()], [...wanted.values()]],
    );
    if (rows.some(({ body }) => body === null)) await ask({ text: FORGET }, [this.#clock.now() - KEEP_MS]);
    return new Map(
      rows.map(({ id, body, living }) => {
        const page = parsePage(body);
        bury(page, (owner) => owner === this.#owner || living.includes(owner));
        return [id, page];
      }),
    );
  }
}

/** Windows begin and end in UTC; without one an account counts for ever. */
function toEntry(account: Account, now: number): Entry {
  const { id, window } = account;
  const endsAt = window === undefined ? Infinity : (Math.floor(now / WINDOW_MS[window]) + 1) * WINDOW_MS[window];
  return { account, id: `${window ?? "ever"} ${endsAt} ${toName(id)}`, endsAt };
}

function pageOf(pages: ReadonlyMap<string, Page>, id: string): Page {
  return pages.get(id) ?? parsePage(null);
}

async function save(ask: Ask, pages: ReadonlyMap<string, Page>): Promise<void> {
  await ask({ name: "baton_save_pages", text: SAVE }, [[...pages.keys()], [...pages.values()].map(toText)]);
}
