/**
 * SQLite ledger: what model calls may spend, shared by all processes that have the file open.
 *
 * It does not wait for the disk: a power failure may forget the last calls, and nothing else.
 */
import type { Account, Amount, CapUse, Ledger, Reserved } from "@baton/core/ports";
import { EMPTY_PAGE, findRefusal, parsePage, reserveOn, settleOn, toPageName } from "../ledger-page.ts";
import type { LedgerPage, SettledCall } from "../ledger-page.ts";
import { textOf } from "./columns.ts";
import type { Connection } from "./connection.ts";

/** A call may be settled so long after its window. */
const KEPT_MS = 86_400_000;

/** The ledger in a file. */
export class SqliteLedger implements Ledger {
  readonly #connection: Connection;
  readonly #now: () => number;

  constructor(connection: Connection, now: () => number) {
    this.#connection = connection;
    this.#now = now;
  }

  async reserve(accounts: readonly Account[], worst: Amount): Promise<Reserved> {
    const now = this.#now();
    const rows = accounts.map((account) => ({ account, ...toPageName(account, now) }));
    const refusal = this.#connection.writeLightly(() => {
      for (const { account, name } of rows) {
        const refused = findRefusal(account, this.#read(name) ?? EMPTY_PAGE, worst);
        if (refused !== undefined) return refused;
      }
      for (const { name, endsAt } of rows) this.#write(name, reserveOn(this.#read(name) ?? EMPTY_PAGE, worst), endsAt);
      this.#connection.run("DELETE FROM pages WHERE ends_at < ?", now - KEPT_MS);
      return undefined;
    });
    if (refusal !== undefined) return { ok: false, refusal };
    return { ok: true, settle: (spent) => this.#settle(rows, { worst, spent }) };
  }

  async #settle(rows: readonly Entry[], call: SettledCall): Promise<readonly CapUse[]> {
    return this.#connection.writeLightly(() =>
      rows.flatMap(({ account, name, endsAt }) => {
        const stored = this.#read(name);
        if (stored === undefined) return [];
        const { page, alerts } = settleOn(account, stored, call);
        this.#write(name, page, endsAt);
        return alerts;
      }),
    );
  }

  #read(name: string): LedgerPage | undefined {
    const row = this.#connection.get("SELECT body FROM pages WHERE name = ?", name);
    return row && parsePage(name, textOf(row, "body"));
  }

  #write(name: string, page: LedgerPage, endsAt: number): void {
    const sql = `INSERT INTO pages (name, ends_at, body) VALUES (?, ?, ?)
      ON CONFLICT (name) DO UPDATE SET body = excluded.body`;
    this.#connection.run(sql, name, endsAt, JSON.stringify(page));
  }
}

type Entry = Readonly<{ account: Account; name: string; endsAt: number }>;
