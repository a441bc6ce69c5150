/**
 * Ledger page: what an account has spent and reserved in one window, as data; every ledger counts with these functions.
 */
import { type Account, type Amount, type Cap, type CapUse, toWindowEnd } from "@baton/core/ports";
import { parseJson } from "@baton/core/util";
import { unreadable } from "./stored-record.ts";

const NOTHING = { tokens: 0, usd: 0, calls: 0 } as const;
/** Sums of dollars are off by less. */
const ROUNDING = 1e-9;

type Sums = Readonly<Record<Cap["measure"], number>>;

/** An account in one window, as data: what was used, what is reserved, and which alerts were given. */
export type LedgerPage = Readonly<{ used: Sums; held: Sums; told: readonly string[] }>;

/** A page on which nothing was written yet. */
const EMPTY_PAGE: LedgerPage = { used: NOTHING, held: NOTHING, told: [] };

/** An account at a time: the name of its page, and when its window is over. */
export type LedgerEntry = Readonly<{ account: Account; name: string; endsAt: number }>;

/** Pages that no other transaction reads or writes meanwhile. */
export interface LedgerPages {
  get(name: string): LedgerPage | undefined;
  set(name: string, page: LedgerPage, endsAt: number): unknown;
}

/** A call that was reserved, and what it took. */
export type SettledCall = Readonly<{ worst: Amount; spent: Amount }>;

/** The pages on which a call counts at this time. */
export function toLedgerEntries(accounts: readonly Account[], now: number): readonly LedgerEntry[] {
  return accounts.map((account) => {
    const { id, window } = account;
    if (window === undefined) return { account, name: `for ever ${id}`, endsAt: Infinity };
    const endsAt = toWindowEnd(window, now);
    return { account, name: `${window} to ${endsAt} ${id}`, endsAt };
  });
}

/** Reserves a call on all pages, or on none and gives the first cap that it does not fit. */
export function reserve(pages: LedgerPages, entries: readonly LedgerEntry[], worst: Amount): CapUse | undefined {
  for (const { account, name } of entries) {
    const refusal = findRefusal(account, pages.get(name) ?? EMPTY_PAGE, worst);
    if (refusal !== undefined) return refusal;
  }
  for (const { name, endsAt } of entries) {
    const page = pages.get(name) ?? EMPTY_PAGE;
    pages.set(name, { ...page, held: add(page.held, { ...NOTHING, ...worst, calls: 1 }, 1) }, endsAt);
  }
  return undefined;
}

/** Settles a reserved call, but on pages that were removed since; gives what is worth an alert for the first time. */
export function settle(pages: LedgerPages, entries: readonly LedgerEntry[], call: SettledCall): readonly CapUse[] {
  return entries.flatMap(({ account, name, endsAt }) => {
    const stored = pages.get(name);
    if (stored === undefined) return [];
    const { page, alerts } = settleOn(account, stored, call);
    pages.set(name, page, endsAt);
    return alerts;
  });
}

/** The first cap of an account that one more call does not fit; what is held and never settled counts as used. */
function findRefusal({ id, caps }: Account, { used, held }: LedgerPage, worst: Amount): CapUse | undefined {
  const need: Sums = { ...worst, calls: 1 };
  const taken = add(used, held, 1);
  const isOver = ({ isSoft, measure, max }: Cap) => isSoft !== true && taken[measure] + need[measure] > max + ROUNDING;
  const cap = caps.find(isOver);
  return cap === undefined ? undefined : { account: id, cap, used: taken[cap.measure] };
}

function settleOn(
  { caps, id }: Account,
  page: LedgerPage,
  { worst, spent: { tokens, usd } }: SettledCall,
): Readonly<{ page: LedgerPage; alerts: readonly CapUse[] }> {
  const used = add(page.used, { tokens, usd, calls: 1 }, 1);
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
