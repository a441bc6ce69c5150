/**
 * Find run: a run by the name that people use for it.
 */
import type { Database } from "../database.ts";
import type { RunFilter, RunRecord } from "../record.ts";

/** Filter by owner; without a user, all users of the tenant. */
export type OwnerFilter = Pick<RunFilter, "tenant" | "user">;

const SHORT_ID = /^(?:req-)?([0-9a-f]{12})$/i;

/** The run with this id or short id (`0123456789ab` or `req-0123456789ab`); of several with one short id, the newest. */
export async function findRun(database: Database, name: string, whose: OwnerFilter): Promise<RunRecord | undefined> {
  const exact = await database.runs.find(name);
  if (exact !== undefined && isOf(exact, whose)) return exact;
  const shortId = SHORT_ID.exec(name)?.[1]?.toLowerCase();
  if (shortId === undefined) return undefined;
  const [newest] = await database.runs.list({ ...whose, shortId, limit: 1 });
  return newest;
}

function isOf(record: RunRecord, { tenant = record.tenant, user = record.user }: OwnerFilter): boolean {
  return record.tenant === tenant && record.user === user;
}
