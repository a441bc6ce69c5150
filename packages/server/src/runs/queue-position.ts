/**
 * Queue position: the place of a run that waits for its session.
 */
import type { RunRecord, Store } from "@baton/store";

/** From 1; undefined if the run does not wait. */
export async function findQueuePosition({ database }: Store, record: RunRecord): Promise<number | undefined> {
  const { id, tenant, user, session, status } = record;
  if (session === undefined || status !== "queued") return undefined;
  const waiting = await database.runs.list({ tenant, user, session, status: "queued" });
  // The newest is first.
  const after = waiting.findIndex((one) => one.id === id);
  return after === -1 ? undefined : waiting.length - after;
}
