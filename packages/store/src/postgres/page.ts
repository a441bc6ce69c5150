/**
 * Page: an account in one window, as the ledger keeps it: what was used, what is reserved by whom, which alerts were
 * given.
 *
 * Functions of data; the ledger sees to it that nobody else has the page meanwhile. Reads nothing of ours. Read by:
 * ledger.
 */
import type { Account, Amount, Cap, Spent, Standing } from "@baton/core";

type Measure = Cap["measure"];
type Sums = Record<Measure, number>;

const MEASURES: readonly Measure[] = ["tokens", "usd", "calls", "errors", "errorsInRow"];
/** Sums of dollars are off by less. */
const ROUNDING = 1e-9;

/** One account in one window. */
export interface Page {
  readonly used: Sums;
  readonly held: Map<string, Sums>;
  readonly told: Set<string>;
}

/** What a page looks like as JSON. */
interface Stored {
  readonly used: Sums;
  readonly held: readonly (readonly [owner: string, sums: Sums])[];
  readonly told: readonly string[];
}

/** The page of a text; an empty one where there is none. */
export function parsePage(text: string | null): Page {
  const stored: unknown = text === null ? undefined : JSON.parse(text);
  if (!isStored(stored)) return { used: zero(), held: new Map(), told: new Set() };
  return { used: stored.used, held: new Map(stored.held), told: new Set(stored.told) };
}

/** The text of a page. */
export function toText({ used, held, told }: Page): string {
  return JSON.stringify({ used, held: [...held], told: [...told] } satisfies Stored);
}

function isStored(value: unknown): value is Stored {
  return typeof value === "object" && value !== null && "used" in value && "held" in value && "told" in value;
}

/** Counts as used what the dead had reserved. */
export function bury({ used, held }: Page, isAlive: (owner: string) => boolean): void {
  for (const [owner, sums] of held) {
    if (isAlive(owner)) continue;
    add(used, sums, 1);
    held.delete(owner);
  }
}

/** The first cap that a call does not fit. */
export function refusalOf({ id, caps }: Account, page: Page, worst: Amount): Standing | undefined {
  const need: Sums = { ...worst, calls: 1, errors: 1, errorsInRow: 1 };
  for (const cap of caps) {
    const held = [...page.held.values()].reduce((sum, sums) => sum + sums[cap.measure], 0);
    const used = page.used[cap.measure] + held;
    if (cap.isSoft !== true && used + need[cap.measure] > cap.max + ROUNDING) return { account: id, cap, used };
  }
  return undefined;
}

/** Reserves one call for an owner. */
export function hold({ held }: Page, owner: string, worst: Amount): void {
  const sums = held.get(owner) ?? zero();
  add(sums, { ...worst, calls: 1, errors: 0, errorsInRow: 0 }, 1);
  held.set(owner, sums);
}

/** Settles one call of an owner; what was buried meanwhile was counted as used, and is put right. */
export function settle({ used, held }: Page, owner: string, { worst, spent }: { worst: Amount; spent: Spent }): void {
  const sums = held.get(owner) ?? zero();
  const reserved: Sums = { ...worst, calls: 1, errors: 0, errorsInRow: 0 };
  const errors = spent.result === "error" ? 1 : 0;
  const took: Sums = { tokens: spent.tokens, usd: spent.usd, calls: 1, errors, errorsInRow: errors };
  for (const measure of MEASURES) {
    const released = Math.min(sums[measure], reserved[measure]);
    sums[measure] -= released;
    used[measure] += took[measure] - (reserved[measure] - released);
  }
  if (spent.result === "success") used.errorsInRow = 0;
  if (sums.calls > 0) held.set(owner, sums);
  else held.delete(owner);
}

/** The alerts that are due and were not given before. */
export function takeAlerts({ id, caps }: Account, { used, told }: Page): readonly Standing[] {
  return caps.flatMap((cap) => {
    const { name, alertAt, measure, max } = cap;
    if (alertAt === undefined || used[measure] < max * alertAt || told.has(`${name} ${alertAt}`)) return [];
    told.add(`${name} ${alertAt}`);
    return [{ account: id, cap, used: used[measure] }];
  });
}

const zero = (): Sums => ({ tokens: 0, usd: 0, calls: 0, errors: 0, errorsInRow: 0 });

function add(sums: Sums, amounts: Sums, sign: 1 | -1): void {
  for (const measure of MEASURES) sums[measure] += sign * amounts[measure];
}
