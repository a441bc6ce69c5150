/**
 * Memory ledger: what model calls may spend, counted in this process and of bounded size.
 */
import type { Account, Amount, Clock, Ledger, Reserved } from "@baton/core/ports";
import { type LedgerPage, type LedgerPages, reserve, settle, toLedgerEntries } from "./ledger-page.ts";

/** Keeps so many accounts; when there are more, forgets windows that are over, then what was not used for longest. */
export class MemoryLedger implements Ledger {
  readonly #pages = new Map<string, { readonly endsAt: number; readonly page: LedgerPage }>();
  readonly #all: LedgerPages = {
    get: (name) => this.#get(name),
    set: (name, page, endsAt) => this.#set(name, page, endsAt),
  };
  readonly #clock: Clock;
  readonly #maxPages: number;

  constructor(clock: Clock, maxPages = 10_000) {
    this.#clock = clock;
    this.#maxPages = maxPages;
  }

  reserve(accounts: readonly Account[], worst: Amount): Reserved {
    const entries = toLedgerEntries(accounts, this.#clock.now());
    const refusal = reserve(this.#all, entries, worst);
    if (refusal !== undefined) return { ok: false, refusal };
    return { ok: true, settle: (spent) => settle(this.#all, entries, { worst, spent }) };
  }

  /** A page that is asked for becomes the youngest. */
  #get(name: string): LedgerPage | undefined {
    const kept = this.#pages.get(name);
    if (kept === undefined) return undefined;
    this.#pages.delete(name);
    this.#pages.set(name, kept);
    return kept.page;
  }

  #set(name: string, page: LedgerPage, endsAt: number): void {
    this.#pages.set(name, { endsAt, page });
    if (this.#pages.size <= this.#maxPages) return;
    const now = this.#clock.now();
    for (const [old, { endsAt: endedAt }] of this.#pages) if (endedAt <= now) this.#pages.delete(old);
    const [oldest = name] = this.#pages.size > this.#maxPages ? this.#pages.keys() : [];
    if (oldest !== name) this.#pages.delete(oldest);
  }
}
