/**
 * Ledger page: what an account has spent and reserved in one window, as data; every ledger counts with these functions.
 */
import { type Account, type Amount, type Cap, type CapUse, parseJson, type Spent } from "@baton/core/ports";
import { unreadable } from "./stored-record.ts";

const NOTHING = { tokens: 0, usd: 0, calls: 0, errors: 0, errorsInRow: 0 } as const;
const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Sums of dollars are off by less. */
const ROUNDING = 1e-9;

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
export function findRefusal({ id, caps }: Account, { used, held }: LedgerPage, worst: Amount): CapUse | undefined {
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
): Readonly<{ page: LedgerPage; alerts: readonly CapUse[] }> {
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

/** A page from its JSON text; throws `damaged` if it is not one. */
export function parsePage(name: string, text: string): LedgerPage {
  const page = parseJson(text);
  if (isPage(page)) return page;
  throw unreadable(name);
}

function isPage(value: unknown): value is LedgerPage {
  return typeof value === "object" && value !== null && "used" in value && "held" in value && "told" in value;
}
