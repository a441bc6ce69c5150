/**
 * Run commands: what a command does to a run that is open here, acknowledged when it is on disk.
 *
 * What a running run hears later, between two steps, is kept in its inbox until its log has it, so that neither a crash nor
 * a stop nor a pause loses it.
 */
import { BatonError, type Command } from "@baton/core";
import type { LiveRun } from "@baton/core/engine";
import type { HeldContext } from "./held-context.ts";
import { hasReply, isWholeCancel, type PostedCommand } from "../commands/posted-command.ts";
import { runEndedError, engineStoppingError } from "../engine/engine-errors.ts";
import type { ActiveSegment, CommandResult } from "../engine/active-segment.ts";
import type { StoredRunLog } from "../log/stored-run-log.ts";
import type { Claim } from "@baton/store/ports";

/** The run that commands are sent to. */
export interface CommandTarget {
  readonly id: string;
  /** The run in the engine, and its log. */
  readonly live: LiveRun;
  readonly log: StoredRunLog;
  /** The claim that it is written under. */
  readonly claim: Claim;
  /** The segment that is under way, or the last one; one that a command has just begun is attended to from here on. */
  follow(): ActiveSegment;
}

/** Messages that a run may be behind before no more are taken. */
export const MAX_UNHEARD = 32;

/** Time for which a message waits for room, and how often it looks. */
const ROOM_MS = 10_000;
const LOOK_MS = 50;

/** Carries out the commands to one run. */
export class RunCommands {
  readonly #run: CommandTarget;
  readonly #parts: HeldContext;
  /** Messages are kept and heard in the order in which they came. */
  #telling: Promise<unknown> = Promise.resolve();

  constructor(run: CommandTarget, parts: HeldContext) {
    this.#run = run;
    this.#parts = parts;
  }

  /** Carries out a command that its caller, or another process by the inbox, has sent. */
  async send(command: Command, posted: PostedCommand | undefined): Promise<CommandResult> {
    const { log } = this.#run;
    this.#parts.checkOpen();
    const isRunning = log.record.status === "running";
    // What runs is stopped, whatever the store can do.
    if (!isRunning || command.type !== "cancel") this.#parts.store.checkWritable();
    if (isRunning && (command.type === "say" || command.type === "pause")) return this.#tell(command, posted);
    return this.#obey(command, posted);
  }

  #tell(command: Command, posted: PostedCommand | undefined): Promise<CommandResult> {
    const untilAt = this.#parts.store.clock.now() + ROOM_MS;
    const telling = this.#telling.then(async () => {
      if (command.type === "say") await this.#waitForRoom(untilAt);
      return this.#keep(command, posted);
    });
    this.#telling = telling.catch(() => undefined);
    return telling;
  }

  /** Waits until the run has heard some of its messages, has paused or has ended; throws `busy` if that takes too long. */
  async #waitForRoom(untilAt: number): Promise<void> {
    const { id, log } = this.#run;
    const { clock } = this.#parts.store;
    while (log.unheard >= MAX_UNHEARD && log.record.status === "running") {
      if (clock.now() >= untilAt) {
        throw new BatonError("busy", `run ${id} has not heard ${MAX_UNHEARD} messages yet; try again later`);
      }
      await new Promise<void>((resolve) => {
        clock.after(LOOK_MS, resolve);
      });
      this.#parts.checkOpen();
    }
  }

  async #keep(command: Command, posted: PostedCommand | undefined): Promise<CommandResult> {
    const { id, live, log, claim } = this.#run;
    const { database } = this.#parts.store;
    const kept = posted ?? { run: id, id: this.#parts.newPostId(), command };
    log.expect(kept);
    try {
      const row = { run: id, id: kept.id, command: JSON.stringify(command), fate: "taken" } as const;
      if (posted === undefined && !(await database.inbox.post(row, { claim }))) throw runEndedError(id);
      await live.send(command);
    } catch (error) {
      // A run that was left hears it when it continues.
      const isKept = posted === undefined && log.isSealed && (await this.#isKept(kept));
      if (!isKept && log.forget(kept) && posted === undefined) await database.inbox.settle(kept, "withdrawn");
      if (!isKept) throw error;
    }
    // Its sender is not told before the run has it: it may have paused or ended meanwhile.
    if (posted !== undefined) await database.inbox.settle(kept, "taken", claim);
    return { segment: this.#run.follow() };
  }

  async #isKept({ run, id }: PostedCommand): Promise<boolean> {
    const rows = await this.#parts.store.database.inbox.list(run);
    return rows.some((row) => row.id === id);
  }

  async #obey(command: Command, posted: PostedCommand | undefined): Promise<CommandResult> {
    const { id, live, log } = this.#run;
    if (posted !== undefined && !hasReply(command)) log.expect(posted);
    const receipt = await live.send(command);
    const segment = this.#run.follow();
    await log.stored();
    // It was left before it felt the cancel, and continues at the next start.
    if (isWholeCancel(command) && log.record.status !== "ended") throw engineStoppingError();
    // All that it would have stopped had just finished.
    if (isWholeCancel(command) && log.record.outcome !== "cancelled") throw runEndedError(id);
    return receipt === undefined ? { segment } : { segment, receipt };
  }
}
