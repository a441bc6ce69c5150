/**
 * SQLite ledger: what model calls may spend, shared by all processes that have the file open.
 *
 * It does not wait for the disk: a power failure may forget the last calls, and nothing else.
 */
import type { Ledger } from "@baton/core/ports";
import { type LedgerPages, parsePage, reserve, settle, toLedgerEntries } from "../ledger-page.ts";
import { textOf } from "./columns.ts";
import type { SqliteConnection } from "./connection.ts";

/** A call may be settled so long after its window. */
const KEPT_MS = 86_400_000;

/** The ledger of a database. */
export function sqliteLedger(connection: SqliteConnection, now: () => number): Ledger {
  const pages: LedgerPages = {
    get: (name) => {
      const row = connection.get("SELECT body FROM pages WHERE name = ?", name);
      return row && parsePage(name, textOf(row, "body"));
    },
    set: (name, page, endsAt) => {
      const sql = `INSERT INTO pages (name, ends_at, body) VALUES (?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET body = excluded.body`;
      connection.run(sql, name, endsAt, JSON.stringify(page));
    },
  };
  return {
    reserve: async (accounts, worst) => {
      const entries = toLedgerEntries(accounts, now());
      const refusal = await connection.writeLightly(() => {
        connection.run("DELETE FROM pages WHERE ends_at < ?", now() - KEPT_MS);
        return reserve(pages, entries, worst);
      });
      if (refusal !== undefined) return { ok: false, refusal };
      return {
        ok: true,
        settle: async (spent) => connection.writeLightly(() => settle(pages, entries, { worst, spent })),
      };
    },
  };
}
