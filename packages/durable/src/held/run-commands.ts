/**
 * Run commands: what a command does to a run that is held here, acknowledged when it is on disk.
 *
 * What a running run hears later, between two steps, is kept in its inbox until its log has it, so that neither a crash nor
 * a stop nor a pause loses it.
 */
import { BatonError, type Command } from "@baton/core";
import type { MessageOptions } from "@baton/core/engine";
import type { ClaimedRequest } from "@baton/store/ports";
import { hasReply, isWholeCancel, parsePosted, type PostedCommand } from "../commands/posted-command.ts";
import type { ActiveSegment, CommandResult } from "../engine/active-segment.ts";
import { runEndedError, engineStoppingError } from "../engine/engine-errors.ts";
import type { HeldRun } from "./held-run.ts";

/** Messages that a run may be behind before no more are taken. */
export const MAX_UNHEARD = 32;

/** Time for which a message waits for room, and how often it looks. */
const ROOM_MS = 10_000;
const LOOK_MS = 50;

/** Carries out a command that its caller, or another process by the inbox, has sent; resolves when that is on disk. */
export async function sendToRun(run: HeldRun, command: Command, posted?: PostedCommand): Promise<CommandResult> {
  await using _use = run.use();
  const { context, id, live, log } = run;
  context.checkOpen();
  const isRunning = log.record.status === "running";
  // What runs is stopped, whatever the store can do.
  if (!isRunning || command.type !== "cancel") context.store.checkWritable();
  if (isRunning && (command.type === "say" || command.type === "pause")) return await tell(run, command, posted);
  if (posted !== undefined && !hasReply(command)) log.expect(posted);
  const receipt = await live.send(command);
  const segment = run.follow();
  await log.stored();
  // It was left before it felt the cancel, and continues at the next start.
  if (isWholeCancel(command) && log.record.status !== "ended") throw engineStoppingError();
  // All that it would have stopped had just finished.
  if (isWholeCancel(command) && log.record.outcome !== "cancelled") throw runEndedError(id);
  return receipt === undefined ? { segment } : { segment, receipt };
}

/** Options of a message that resumes a run. */
interface ResumeOptions extends MessageOptions {
  readonly once?: ClaimedRequest | undefined;
}

/** Resumes a run that waits for a message, as the client's request that is given. */
export async function resumeRun(
  run: HeldRun,
  input: string,
  { once, ...message }: ResumeOptions,
): Promise<ActiveSegment> {
  await using _use = run.use();
  const { context, live, log } = run;
  context.checkOpen();
  live.resume(input, message);
  const segment = run.follow();
  log.carryOut(once);
  await log.stored();
  return segment;
}

/** Reads what other processes have posted for a run, and carries that out. */
export async function readInbox(run: HeldRun): Promise<void> {
  for (const row of await run.context.store.database.inbox.list(run.id)) {
    const isOpen = run.state === "running" || run.state === "resting";
    if (!isOpen || row.fate !== "sent" || run.read.has(row.id)) continue;
    run.read.add(row.id);
    run.context.own(carryOut(run, parsePosted(row)));
  }
}

/**
 * Carries out what another process has posted, once: a list that was read before it was settled may still have it. A refusal
 * is for its sender to read; what failed for now is read again.
 */
async function carryOut(run: HeldRun, posted: PostedCommand): Promise<void> {
  const { inbox } = run.context.store.database;
  const { claim } = run;
  try {
    const { receipt } = await sendToRun(run, posted.command, posted);
    if (receipt !== undefined && hasReply(posted.command)) await inbox.settle(posted, receipt, claim);
  } catch (error) {
    if (!(error instanceof BatonError) || error.code === "closed" || error.retryable) {
      run.read.delete(posted.id);
      return;
    }
    run.log.forget(posted);
    const { code, message } = error;
    await inbox.settle(posted, { code, message }, claim).catch(() => false);
  }
}

/** Keeps a message for a running run; messages are kept and heard in the order in which they came. */
function tell(run: HeldRun, command: Command, posted: PostedCommand | undefined): Promise<CommandResult> {
  const untilAt = run.context.store.clock.now() + ROOM_MS;
  return run.inOrder(async () => {
    if (command.type === "say") await waitForRoom(run, untilAt);
    return keep(run, command, posted);
  });
}

/** Waits until the run has heard some of its messages, has paused or has ended; throws `busy` if that takes too long. */
async function waitForRoom({ id, context, log }: HeldRun, untilAt: number): Promise<void> {
  const { clock } = context.store;
  while (log.unheard >= MAX_UNHEARD && log.record.status === "running") {
    if (clock.now() >= untilAt) {
      throw new BatonError("busy", `run ${id} has not heard ${MAX_UNHEARD} messages yet; try again later`);
    }
    await new Promise<void>((resolve) => {
      clock.after(LOOK_MS, resolve);
    });
    context.checkOpen();
  }
}

async function keep(run: HeldRun, command: Command, posted: PostedCommand | undefined): Promise<CommandResult> {
  const { id, context, live, log, claim } = run;
  const { inbox } = context.store.database;
  const kept = posted ?? { run: id, id: context.newPostId(), command };
  log.expect(kept);
  try {
    const row = { run: id, id: kept.id, command: JSON.stringify(command), fate: "taken" } as const;
    if (posted === undefined && !(await inbox.post(row, { claim }))) throw runEndedError(id);
    await live.send(command);
  } catch (error) {
    // A run that was left hears it when it continues.
    const isLeft = posted === undefined && log.isSealed;
    const isKept = isLeft && (await inbox.list(id)).some((row) => row.id === kept.id);
    if (!isKept && log.forget(kept) && posted === undefined) await inbox.settle(kept, "withdrawn");
    if (!isKept) throw error;
  }
  // Its sender is not told before the run has it: it may have paused or ended meanwhile.
  if (posted !== undefined) await inbox.settle(kept, "taken", claim);
  return { segment: run.follow() };
}
