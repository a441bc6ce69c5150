/**
 * Memory ledger: what model calls may spend, counted in this process and of bounded size.
 */
import type { Account, Amount, CapUse, Clock, Ledger, Reserved, Spent } from "@baton/core/ports";
import { EMPTY_PAGE, findRefusal, type LedgerPage, reserveOn, settleOn, toPageName } from "./ledger-page.ts";

/** Keeps so many accounts; when there are more, forgets windows that are over, then what was not used for longest. */
export class MemoryLedger implements Ledger {
  readonly #pages = new Map<string, { readonly endsAt: number; page: LedgerPage }>();
  readonly #clock: Clock;
  readonly #maxPages: number;

  constructor(clock: Clock, maxPages = 10_000) {
    this.#clock = clock;
    this.#maxPages = maxPages;
  }

  reserve(accounts: readonly Account[], worst: Amount): Reserved {
    const rows = accounts.map((account) => ({ account, kept: this.#open(account, this.#clock.now()) }));
    for (const { account, kept } of rows) {
      const refusal = findRefusal(account, kept.page, worst);
      if (refusal !== undefined) return { ok: false, refusal };
    }
    for (const { kept } of rows) kept.page = reserveOn(kept.page, worst);
    const settle = (spent: Spent): readonly CapUse[] =>
      rows.flatMap(({ account, kept }) => {
        const { page, alerts } = settleOn(account, kept.page, { worst, spent });
        kept.page = page;
        return alerts;
      });
    return { ok: true, settle };
  }

  /** The account's page of now, which becomes the youngest. */
  #open(account: Account, now: number): { readonly endsAt: number; page: LedgerPage } {
    const { name, endsAt } = toPageName(account, now);
    const kept = this.#pages.get(name) ?? { endsAt, page: EMPTY_PAGE };
    this.#pages.delete(name);
    this.#pages.set(name, kept);
    if (this.#pages.size <= this.#maxPages) return kept;
    for (const [old, { endsAt: endedAt }] of this.#pages) if (endedAt <= now) this.#pages.delete(old);
    const [oldest = name] = this.#pages.size > this.#maxPages ? this.#pages.keys() : [];
    if (oldest !== name) this.#pages.delete(oldest);
    return kept;
  }
}
