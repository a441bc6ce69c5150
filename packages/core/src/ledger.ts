/**
 * Ledger: what model calls may still spend, and what they have spent.
 *
 * Before a call its worst case is reserved in every account it counts in, all or nothing; after it, settled with what
 * it took. What is reserved is nobody else's, so parallel calls cannot overspend together. Windows are those of UTC;
 * a call counts in the window it was reserved in.
 */
import type { Clock } from "./clock.ts";

const NOTHING = { tokens: 0, usd: 0, calls: 0, errors: 0, errorsInRow: 0 } as const;
const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Sums of dollars are off by less. */
const ROUNDING = 1e-9;

/** The most that an account may come to. */
export interface Cap {
  /** For people: `max_cost_per_day`. */
  readonly name: string;
  /** A success ends a row of errors. */
  readonly measure: keyof typeof NOTHING;
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

type Sums = Readonly<Record<Cap["measure"], number>>;

/** An account in one window, as data: what was used, what is reserved, and which alerts were given. */
export type LedgerPage = Readonly<{ used: Sums; held: Sums; told: readonly string[] }>;

/** A page on which nothing was written yet. */
export const EMPTY_PAGE: LedgerPage = { used: NOTHING, held: NOTHING, told: [] };

/** What the page of an account at this time is called, and when its window is over. */
export function toPageName({ id, window }: Account, now: number): Readonly<{ name: string; endsAt: number }> {
  if (window === undefined) return { name: `for ever ${id}`, endsAt: Infinity };
  const endsAt = (Math.floor(now / WINDOW_MS[window]) + 1) * WINDOW_MS[window];
  return { name: `${window} to ${endsAt} ${id}`, endsAt };
}

/** The first cap of an account that one more call does not fit; what is held and never settled counts as used. */
export function findRefusal({ id, caps }: Account, { used, held }: LedgerPage, worst: Amount): Standing | undefined {
  const need: Sums = { ...worst, calls: 1, errors: 1, errorsInRow: 1 };
  const taken = add(used, held, 1);
  const isOver = ({ isSoft, measure, max }: Cap) => isSoft !== true && taken[measure] + need[measure] > max + ROUNDING;
  const cap = caps.find(isOver);
  return cap === undefined ? undefined : { account: id, cap, used: taken[cap.measure] };
}

/** The page with one more call reserved. */
export function reserveOn(page: LedgerPage, worst: Amount): LedgerPage {
  return { ...page, held: add(page.held, { ...NOTHING, ...worst, calls: 1 }, 1) };
}

/** A call that was reserved, and what it took. */
export type SettledCall = Readonly<{ worst: Amount; spent: Spent }>;

/** The page after a reserved call, and what is worth an alert for the first time. */
export function settleOn(
  { caps, id }: Account,
  page: LedgerPage,
  { worst, spent: { tokens, usd, result } }: SettledCall,
): Readonly<{ page: LedgerPage; alerts: readonly Standing[] }> {
  const errors = result === "error" ? 1 : 0;
  const sum = add(page.used, { tokens, usd, calls: 1, errors, errorsInRow: errors }, 1);
  const used = result === "success" ? { ...sum, errorsInRow: 0 } : sum;
  const held = add(page.held, { ...NOTHING, ...worst, calls: 1 }, -1);
  const due = caps.filter(({ alertAt, measure, max }) => alertAt !== undefined && used[measure] >= max * alertAt);
  const fresh = due.filter((cap) => !page.told.includes(toAlert(cap)));
  const alerts = fresh.map((cap) => ({ account: id, cap, used: used[cap.measure] }));
  return { page: { used, held, told: [...page.told, ...fresh.map(toAlert)] }, alerts };
}

const toAlert = ({ name, alertAt }: Cap): string => `${name} ${alertAt}`;

function add(one: Sums, other: Sums, sign: 1 | -1): Sums {
  return {
    tokens: one.tokens + sign * other.tokens,
    usd: one.usd + sign * other.usd,
    calls: one.calls + sign * other.calls,
    errors: one.errors + sign * other.errors,
    errorsInRow: one.errorsInRow + sign * other.errorsInRow,
  };
}

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
    const settle = (spent: Spent): readonly Standing[] =>
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
