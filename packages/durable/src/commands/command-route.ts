/**
 * Command route: brings a command to its run, wherever that executes.
 *
 * A run that is held here gets it directly. One without an owner is opened here, or offered to another process; one
 * that another process executes finds it in its inbox.
 */
import { BatonError, type Command } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import type { RunRecord, Store } from "@baton/store";
import type { InboxCommand, ClaimedRequest } from "@baton/store/ports";
import type { CrewList } from "../engine/crew-list.ts";
import type { HeldRuns, OpeningReason } from "../held/held-runs.ts";
import type { CommandInbox } from "./command-inbox.ts";
import { type Placement, toWork } from "../placement/placement.ts";
import { isWholeCancel } from "./posted-command.ts";
import type { ActiveSegment, CommandResult } from "../engine/active-segment.ts";
import type { SessionQueue } from "../sessions/session-queue.ts";

/** Interval at which a queued run that is starting is looked at again. */
const WAIT_MS = 50;

interface Parts {
  readonly store: Store;
  /** Cancelled when the engine stops. */
  readonly scope: Scope;
  readonly crews: CrewList;
  readonly held: HeldRuns;
  readonly queue: SessionQueue;
  readonly inbox: CommandInbox;
  readonly placement: Placement;
  readonly checkOpen: () => void;
  /** A run that has not ended. */
  readonly find: (id: string) => Promise<RunRecord>;
  /** The segment that is under way, or the last one. */
  readonly segment: (id: string) => Promise<ActiveSegment>;
}

/** Options of posting a command. */
interface Posting {
  readonly record: RunRecord;
  /** Called while the run has not seen the command: it may have no owner. */
  readonly wake: (posted: InboxCommand) => Promise<void>;
  readonly once?: ClaimedRequest | undefined;
}

/** Sends commands to runs. */
export class CommandRoute {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Sends a command; `once` is the client's request that it carries out, if the run is not held here. */
  async send(id: string, command: Command, once?: ClaimedRequest): Promise<CommandResult> {
    const { held, crews, placement } = this.#parts;
    for (;;) {
      const known = await held.find(id);
      if (known?.state === "released") continue;
      if (known !== undefined) return known.send(command);
      this.#parts.checkOpen();
      const record = await this.#parts.find(id);
      if (record.status === "queued") {
        const sent = await this.#endQueued(record, command);
        if (sent !== undefined) return sent;
        continue;
      }
      const why = !crews.has(record) && isWholeCancel(command) ? "absent" : "request";
      if (!placement.isLocal && why === "request") return this.#post(command, { record, wake: this.#toOffer(), once });
      const run = await held.open(record, why);
      if (run?.state === "released") continue;
      if (run !== undefined) return run.send(command);
      return this.#post(command, { record, wake: () => this.#openIfFree(record, why) });
    }
  }

  async #post(command: Command, { record, wake, once }: Posting): Promise<CommandResult> {
    const { inbox, segment } = this.#parts;
    const receipt = await inbox.send(record.id, command, { wake, once });
    return { segment: await segment(record.id), ...omitUndefined({ receipt }) };
  }

  /** A queued run can only be cancelled; undefined if it has begun meanwhile. */
  async #endQueued(record: RunRecord, command: Command): Promise<CommandResult | undefined> {
    const { store, queue, scope, segment } = this.#parts;
    if (!isWholeCancel(command)) throw notBegun(record.id);
    const receipt = await store.orUnwritable(queue.end(record, command.reason));
    if (receipt !== undefined) return { segment: await segment(record.id), receipt };
    await scope.sleep(WAIT_MS);
    return undefined;
  }

  /** Opens a run that has no owner any more, so that it reads its inbox. */
  async #openIfFree(record: RunRecord, why: OpeningReason): Promise<void> {
    const run = await this.#parts.held.open(record, why).catch(() => undefined);
    await run?.readInbox();
    await run?.rest();
  }

  /** Offers a run once it is paused, so that its next owner reads its inbox; a running one reads it by itself. */
  #toOffer(): (posted: InboxCommand) => Promise<void> {
    const { store, placement } = this.#parts;
    let isOffered = false;
    return async ({ run, id }) => {
      const record = isOffered ? undefined : await store.database.runs.find(run);
      if (record?.status !== "paused") return;
      isOffered = true;
      // If that fails, the next look of any process offers it.
      await placement.offer(toWork(record, `@${id}`)).catch(() => undefined);
    };
  }
}

/** The error of what is sent to a run that waits for its session. */
function notBegun(id: string): BatonError {
  return new BatonError("conflict", `run ${id} waits for its session`);
}
