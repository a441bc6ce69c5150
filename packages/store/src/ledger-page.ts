/**
 * Ledger page: an account in one window, as data, for ledgers that several processes share.
 *
 * The same sums as core's `MemoryLedger`. What is held and never settled stays held: it counts as spent, which is what
 * a dead process has coming. Reads nothing. Read by: ledgers of databases.
 */
import type { Account, Amount, Cap, Spent, Standing } from "@baton/core";

const MEASURES = ["tokens", "usd", "calls", "errors", "errorsInRow"] as const;
const WINDOW_MS = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
/** Sums of dollars are off by less. */
const ROUNDING = 1e-9;
const NOTHING: Sums = { tokens: 0, usd: 0, calls: 0, errors: 0, errorsInRow: 0 };

type Sums = Readonly<Record<Cap["measure"], number>>;

/** What was used, what is reserved, and which alerts were given. */
export type Page = Readonly<{ used: Sums; held: Sums; told: readonly string[] }>;

/** A page on which nothing was written yet. */
export const EMPTY_PAGE: Page = { used: NOTHING, held: NOTHING, told: [] };

/** What the page of an account at this time is called, and when its window is over. */
export function pageName({ id, window }: Account, now: number): Readonly<{ name: string; endsAt: number }> {
  if (window === undefined) return { name: `for ever ${id}`, endsAt: Infinity };
  const endsAt = (Math.floor(now / WINDOW_MS[window]) + 1) * WINDOW_MS[window];
  return { name: `${window} to ${endsAt} ${id}`, endsAt };
}

/** The first cap of an account that one more call does not fit. */
export function refusalOf({ id, caps }: Account, { used, held }: Page, worst: Amount): Standing | undefined {
  const need: Sums = { ...worst, calls: 1, errors: 1, errorsInRow: 1 };
  const taken = add(used, held, 1);
  const cap = caps.find(
    ({ isSoft, measure, max }) => isSoft !== true && taken[measure] + need[measure] > max + ROUNDING,
  );
  return cap === undefined ? undefined : { account: id, cap, used: taken[cap.measure] };
}

/** The page with one more call reserved. */
export function reserveOn(page: Page, worst: Amount): Page {
  return { ...page, held: add(page.held, { ...NOTHING, ...worst, calls: 1 }, 1) };
}

/** The page after a reserved call, and what is worth an alert for the first time. */
export function settleOn(
  { caps, id }: Account,
  page: Page,
  { worst, spent }: Readonly<{ worst: Amount; spent: Spent }>,
): Readonly<{ page: Page; alerts: readonly Standing[] }> {
  const { tokens, usd, result } = spent;
  const errors = result === "error" ? 1 : 0;
  const sum = add(page.used, { tokens, usd, calls: 1, errors, errorsInRow: errors }, 1);
  const used = result === "success" ? { ...sum, errorsInRow: 0 } : sum;
  const held = add(page.held, { ...NOTHING, ...worst, calls: 1 }, -1);
  const told = new Set(page.told);
  const alerts = caps.flatMap((cap) => {
    const { name, alertAt, measure, max } = cap;
    if (alertAt === undefined || used[measure] < max * alertAt || told.has(`${name} ${alertAt}`)) return [];
    told.add(`${name} ${alertAt}`);
    return [{ account: id, cap, used: used[measure] }];
  });
  return { page: { used, held, told: [...told] }, alerts };
}

/** The page that was written as JSON. */
export function parsePage(text: string): Page | undefined {
  const page: unknown = JSON.parse(text);
  return isPage(page) ? page : undefined;
}

function isPage(value: unknown): value is Page {
  return typeof value === "object" && value !== null && "used" in value && "held" in value && "told" in value;
}

function add(one: Sums, other: Sums, sign: 1 | -1): Sums {
  const sums = { ...one };
  for (const measure of MEASURES) sums[measure] += sign * other[measure];
  return sums;
}
