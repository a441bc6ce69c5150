/**
 * Start placed work: continues a run that a placement has given to this process.
 *
 * It is safe to place a run twice, or one that has nothing to do: that ends at once.
 */
import { BatonError } from "@baton/core";
import { type ClaimOptions, ownerOf } from "@baton/store/ports";
import type { HeldRun } from "../held/held-run.ts";
import { readInbox } from "../held/run-commands.ts";
import type { StartedWork } from "./placement.ts";
import { engineStoppingError } from "../engine/engine-errors.ts";
import type { SessionQueue } from "../sessions/session-queue.ts";

/** Begins a run that was placed here: it continues, begins, or carries out what is in its inbox. */
export async function startPlacedWork(queue: SessionQueue, id: string, how: ClaimOptions): Promise<StartedWork> {
  if ((await queue.held.find(id)) === undefined) await open(queue, id, how);
  return { done: () => untilDone(queue, id, how) };
}

async function open(queue: SessionQueue, id: string, how: ClaimOptions): Promise<void> {
  const { held } = queue;
  const { store, crews } = queue.context;
  const record = await store.database.runs.find(id);
  if (record === undefined || record.status === "ended") return;
  const { session, status, crew } = record;
  if (!crews.has(record)) {
    throw new BatonError("conflict", `the crew ${crew} of run ${id} is not here`, { retryable: true });
  }
  if (status !== "paused" && session !== undefined) return queue.advance({ ...ownerOf(record), id: session }, how);
  if (status === "paused" && (await store.database.inbox.list(id)).length === 0) return;
  const run = await held.open(record, status === "paused" ? "request" : "recovery", how);
  if (run === undefined)
    throw new BatonError("conflict", `run ${id} is running on another server`, { retryable: true });
  await readInbox(run);
  await run.rest();
}

/**
 * Resolves at the pause or end of a run; rejects if this process has left it, or never had it. A run that waits behind
 * another one of its session that executes here waits for that one: no other process may take the session over meanwhile.
 */
async function untilDone(queue: SessionQueue, id: string, how: ClaimOptions): Promise<void> {
  const { held } = queue;
  for (;;) {
    await held.get(id)?.released;
    const record = await queue.context.store.database.runs.find(id);
    if (record?.status !== "queued" && record?.status !== "running") return;
    const { session, tenant, user } = record;
    const isAhead = ({ record: other }: HeldRun): boolean =>
      session !== undefined && other?.session === session && other.tenant === tenant && other.user === user;
    const ahead = held.all.find(isAhead);
    if (ahead === undefined) throw engineStoppingError();
    await ahead.released;
    await open(queue, id, how);
  }
}
