/**
 * Command route: finds the way of a command to its run, wherever that executes.
 *
 * A run that is held here gets it directly. One without an owner is opened here, or offered to another process; one
 * that another process executes finds it in its inbox.
 */
import { BatonError, type Command } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import type { RunRecord } from "@baton/store";
import type { InboxCommand, ClaimedRequest } from "@baton/store/ports";
import type { CommandResult } from "../engine/active-segment.ts";
import type { EngineContext } from "../engine/engine-context.ts";
import type { HeldRun } from "../held/held-run.ts";
import type { HeldRuns, OpeningReason } from "../held/held-runs.ts";
import { readInbox } from "../held/run-commands.ts";
import { toWork } from "../placement/placement.ts";
import type { SessionQueue } from "../sessions/session-queue.ts";
import { postCommand } from "./command-inbox.ts";
import { isWholeCancel } from "./posted-command.ts";

/** Interval at which a queued run that is starting is looked at again. */
const WAIT_MS = 50;

/** A command, and the client's request that it carries out if the run is not held here. */
interface Sent {
  readonly command: Command;
  readonly once?: ClaimedRequest | undefined;
}

/** Gives the held run that a command must be sent to, or what came of it in another process. */
export async function routeCommand(queue: SessionQueue, id: string, sent: Sent): Promise<HeldRun | CommandResult> {
  const { held, context } = queue;
  const { command } = sent;
  for (;;) {
    const known = await held.find(id);
    if (known?.state === "released") continue;
    if (known !== undefined) return known;
    context.checkOpen();
    const record = await context.findOpen(id);
    if (record.status === "queued") {
      const result = await endQueued(queue, record, command);
      if (result !== undefined) return result;
      continue;
    }
    const why = !context.crews.has(record) && isWholeCancel(command) ? "absent" : "request";
    if (!context.placement.isLocal && why === "request") return post(held, sent, { id, wake: offering(context) });
    const run = await held.open(record, why);
    if (run?.state === "released") continue;
    if (run !== undefined) return run;
    return post(held, { command }, { id, wake: () => openIfFree(held, record, why) });
  }
}

async function post(
  held: HeldRuns,
  { command, once }: Sent,
  { id, wake }: { readonly id: string; readonly wake: (posted: InboxCommand) => Promise<void> },
): Promise<CommandResult> {
  const receipt = await postCommand(held.context, { run: id, command }, { wake, once });
  return { segment: await held.requireSegment(id), ...omitUndefined({ receipt }) };
}

/** A queued run can only be cancelled; undefined if it has begun meanwhile. */
async function endQueued(queue: SessionQueue, record: RunRecord, command: Command): Promise<CommandResult | undefined> {
  const { store, scope } = queue.context;
  const { id } = record;
  if (!isWholeCancel(command)) throw new BatonError("conflict", `run ${id} waits for its session`);
  const receipt = await store.orUnwritable(queue.end(record, command.reason));
  if (receipt !== undefined) return { segment: await queue.held.requireSegment(id), receipt };
  await scope.sleep(WAIT_MS);
  return undefined;
}

/** Opens a run that has no owner any more, so that it reads its inbox. */
async function openIfFree(held: HeldRuns, record: RunRecord, why: OpeningReason): Promise<void> {
  const run = await held.open(record, why).catch(() => undefined);
  if (run === undefined) return;
  await readInbox(run);
  await run.rest();
}

/** Offers a run once it is paused, so that its next owner reads its inbox; a running one reads it by itself. */
function offering({ store, placement }: EngineContext): (posted: InboxCommand) => Promise<void> {
  let isOffered = false;
  return async ({ run, id }) => {
    const record = isOffered ? undefined : await store.database.runs.find(run);
    if (record?.status !== "paused") return;
    isOffered = true;
    // If that fails, the next look of any process offers it.
    await placement.offer(toWork(record, `@${id}`)).catch(() => undefined);
  };
}
