/**
 * Ledger: what model calls may still spend, and what they have spent.
 *
 * Before a call its worst case is reserved in every account it counts in, all or nothing; after it, settled with what
 * it took. What is reserved is nobody else's, so parallel calls cannot overspend together. Windows are those of UTC;
 * a call counts in the window it was reserved in. Reads: clock. Read by: packages that wrap models.
 */
import type { Clock } from "./clock.ts";

const MEASURES = ["tokens", "usd", "calls", "errors", "errorsInRow"] as const;
const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Sums of dollars are off by less. */
const ROUNDING = 1e-9;

/** The most that an account may come to. */
export interface Cap {
  /** For people: `max_cost_per_day`. */
  readonly name: string;
  /** A success ends a row of errors. */
  readonly measure: (typeof MEASURES)[number];
  readonly max: number;
  /** The share of `max` that is worth an alert. */
  readonly alertAt?: number;
  /** It gives alerts and refuses nothing. */
  readonly isSoft?: boolean;
}

/** Something that calls count in; for ever where it has no window. */
export type Account = Readonly<{ id: string; window?: keyof typeof WINDOW_MS; caps: readonly Cap[] }>;

/** What a call takes beside being a call. */
export type Amount = Readonly<Record<"tokens" | "usd", number>>;

/** What a call took; `cut` is neither a success nor an error. */
export type Spent = Amount & { readonly result: "success" | "error" | "cut" };

/** How far an account has come towards a cap. */
export type Standing = Readonly<{ account: string; cap: Cap; used: number }>;

/** A reservation, or the first cap it does not fit, with what others have reserved counted as used. */
export type Reserved =
  /** `settle` gives what is worth an alert for the first time in its window. */
  | { readonly ok: true; readonly settle: (spent: Spent) => readonly Standing[] | Promise<readonly Standing[]> }
  | { readonly ok: false; readonly refusal: Standing };

/** Where spending is written down. */
export interface Ledger {
  /** Reserves one call; it may fail once, but errors are only checked, not reserved. */
  reserve(accounts: readonly Account[], worst: Amount): Reserved | Promise<Reserved>;
}

type Sums = Record<Cap["measure"], number>;
/** An account in one window: what was used, what is reserved, and which alerts were given. */
type Page = Readonly<{ endsAt: number; used: Sums; held: Sums; told: Set<string> }>;

/** Keeps so many accounts; when there are more, forgets windows that are over, then what was not used for longest. */
export class MemoryLedger implements Ledger {
  readonly #pages = new Map<string, Page>();
  readonly #clock: Clock;
  readonly #maxPages: number;

  constructor(clock: Clock, maxPages = 10_000) {
    this.#clock = clock;
    this.#maxPages = maxPages;
  }

  reserve(accounts: readonly Account[], worst: Amount): Reserved {
    const rows = accounts.map((account) => ({ account, page: this.#open(account, this.#clock.now()) }));
    const need: Sums = { ...worst, calls: 1, errors: 1, errorsInRow: 1 };
    for (const { account, page } of rows) {
      for (const cap of account.caps) {
        const used = page.used[cap.measure] + page.held[cap.measure];
        const isOver = cap.isSoft !== true && used + need[cap.measure] > cap.max + ROUNDING;
        if (isOver) return { ok: false, refusal: { account: account.id, cap, used } };
      }
    }
    const held: Sums = { ...need, errors: 0, errorsInRow: 0 };
    for (const { page } of rows) add(page.held, held, 1);
    const settle = ({ tokens, usd, result }: Spent): readonly Standing[] => {
      const errors = result === "error" ? 1 : 0;
      return rows.flatMap(({ account, page }) => {
        add(page.held, held, -1);
        add(page.used, { tokens, usd, calls: 1, errors, errorsInRow: errors }, 1);
        if (result === "success") page.used.errorsInRow = 0;
        return takeAlerts(account, page);
      });
    };
    return { ok: true, settle };
  }

  /** The account's page of now, which becomes the youngest. */
  #open({ id, window }: Account, now: number): Page {
    const endsAt = window === undefined ? Infinity : (Math.floor(now / WINDOW_MS[window]) + 1) * WINDOW_MS[window];
    const key = `${window} ${endsAt} ${id}`;
    const page = this.#pages.get(key) ?? { endsAt, used: zero(), held: zero(), told: new Set() };
    this.#pages.delete(key);
    this.#pages.set(key, page);
    if (this.#pages.size <= this.#maxPages) return page;
    for (const [old, { endsAt: endedAt }] of this.#pages) if (endedAt <= now) this.#pages.delete(old);
    const [oldest = key] = this.#pages.size > this.#maxPages ? this.#pages.keys() : [];
    if (oldest !== key) this.#pages.delete(oldest);
    return page;
  }
}

const zero = (): Sums => ({ tokens: 0, usd: 0, calls: 0, errors: 0, errorsInRow: 0 });

function add(sums: Sums, amounts: Sums, sign: 1 | -1): void {
  for (const measure of MEASURES) sums[measure] += sign * amounts[measure];
}

function takeAlerts({ id, caps }: Account, { used, told }: Page): Standing[] {
  return caps.flatMap((cap) => {
    const { name, alertAt, measure, max } = cap;
    if (alertAt === undefined || used[measure] < max * alertAt || told.has(`${name} ${alertAt}`)) return [];
    told.add(`${name} ${alertAt}`);
    return [{ account: id, cap, used: used[measure] }];
  });
}
