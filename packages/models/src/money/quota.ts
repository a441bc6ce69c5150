/**
 * Quota: one limit on model calls, and the accounts of the ledger that keep several of them.
 */
import type { Account, Cap } from "@baton/core/ports";

/** A limit as a crew's files, a plan or the caller of a run may set it; without a `max` there is none. */
export interface CallQuota {
  /** As the user's file spells it. */
  readonly name: string;
  readonly measure: Cap["measure"];
  readonly window?: Account["window"];
  readonly max: number | undefined;
  readonly alertAt: number;
  readonly isSoft: boolean;
}

/** One account for each window in which something is set. */
export function createAccounts(id: string, quotas: readonly CallQuota[]): readonly Account[] {
  const set = quotas.filter(({ max }) => max !== undefined);
  return [...Map.groupBy(set, ({ window }) => window)].map(([window, own]) => ({
    id,
    ...(window === undefined ? {} : { window }),
    caps: own.flatMap(toCaps),
  }));
}

function toCaps({ name, measure, max = Infinity, alertAt, isSoft }: CallQuota): readonly Cap[] {
  const cap: Cap = { name, measure, isSoft, max };
  const warning = measure === "calls" ? cap : { ...cap, alertAt };
  return isSoft ? [warning, { ...cap, alertAt: 1 }] : [warning];
}
