/**
 * Command inbox: commands between processes. A sender posts one and waits for what the run's log, or its owner, says of it; an
 * owner looks several times a second for what was posted to the runs it holds.
 */
import { BatonError, type Command, type Receipt } from "@baton/core";
import type { Clock, Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { type Store, readAll } from "@baton/store";
import type { InboxCommand, ClaimedRequest } from "@baton/store/ports";
import type { HeldRun } from "../held/held-run.ts";
import { isReceipt, isWholeCancel, toRefusalError } from "./posted-command.ts";
import { runEndedError } from "../engine/engine-errors.ts";

/** Interval at which an owner reads the inbox. */
const LOOK_MS = 100;
/** Interval at which a sender looks for the fate of its command. */
const POLL_MS = 50;
/** Time for which a sender waits for an owner that does not answer. */
const PATIENCE_MS = 10_000;

type Timer = ReturnType<Clock["after"]>;

interface Parts {
  readonly store: Store;
  /** Cancelled when the engine stops. */
  readonly scope: Scope;
  readonly newId: () => string;
}

interface PostOptions {
  /** Called now and then while the run has not seen the command: it may have no owner. */
  readonly wake: (posted: InboxCommand) => Promise<void>;
  /** The client's request that the command carries out. */
  readonly once?: ClaimedRequest | undefined;
}

/** Both ends of the inbox, in one process. */
export class CommandInbox {
  readonly #parts: Parts;
  /** The next look, or the one under way. */
  #looking: Timer | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Looks for commands to the runs that are held, as long as there are any. */
  watch(held: () => readonly HeldRun[]): void {
    if (this.#looking !== undefined || this.#parts.scope.reason !== undefined) return;
    this.#looking = this.#parts.store.clock.after(LOOK_MS, () => {
      const again = (): void => {
        this.#looking = undefined;
        if (held().length > 0) this.watch(held);
      };
      const runs = held();
      (runs.length === 0 ? Promise.resolve() : this.#look(runs)).then(again, again);
    });
  }

  /** Looks no more. */
  stop(): void {
    this.#looking?.cancel();
  }

  async #look(runs: readonly HeldRun[]): Promise<void> {
    const unread = new Set(await this.#parts.store.database.inbox.unread());
    for (const run of runs) if (unread.has(run.id)) await run.readInbox();
  }

  /** Sends a command to a run that is not held here, and gives what came of it: a receipt if it is a cancel. */
  async send(run: string, command: Command, { wake, once }: PostOptions): Promise<Receipt | undefined> {
    const { store, scope, newId } = this.#parts;
    const posted: InboxCommand = { run, id: newId(), command: JSON.stringify(command), fate: "sent" };
    const begun = once && { run, after: await store.database.logs.length(run) };
    const carriedOut = once && { ...once, request: { ...once.request, ...omitUndefined({ begun }) } };
    if (!(await store.database.inbox.post(posted, carriedOut))) throw runEndedError(run);
    const until = store.clock.now() + PATIENCE_MS;
    for (;;) {
      const fate = await this.#fateOf(posted);
      if (fate === undefined || fate === "taken") return this.#toReceipt(run, command);
      if (fate !== "sent") return this.#toReply(posted, fate);
      const isLate = store.clock.now() >= until || scope.reason !== undefined;
      if (isLate && (await store.database.inbox.settle(posted, "withdrawn"))) throw scope.reason ?? notHeard(run);
      await wake(posted);
      await scope.sleep(POLL_MS).catch(() => undefined);
    }
  }

  /** Returns the fate of a posted command; undefined if the log has it. */
  async #fateOf({ run, id }: InboxCommand): Promise<InboxCommand["fate"] | undefined> {
    const { database } = this.#parts.store;
    const rows = await database.inbox.list(run);
    const fate = rows.find((row) => row.id === id)?.fate;
    if (fate !== "sent" || (await database.runs.find(run))?.status !== "ended") return fate;
    // It ended without having seen the command.
    return (await database.inbox.settle({ run, id }, "withdrawn"))
      ? { code: "run_ended", message: `run ${run} has ended` }
      : undefined;
  }

  async #toReply(posted: InboxCommand, fate: Exclude<InboxCommand["fate"], string>): Promise<Receipt> {
    await this.#parts.store.database.inbox.settle(posted, "withdrawn");
    if (isReceipt(fate)) return fate;
    throw toRefusalError(fate);
  }

  /** The receipt of a cancel is in the log of the run that it ended. */
  async #toReceipt(run: string, command: Command): Promise<Receipt | undefined> {
    if (!isWholeCancel(command)) return undefined;
    const last = (await readAll(this.#parts.store.database, run)).at(-1);
    if (last?.type === "run.ended" && last.outcome === "cancelled") return last.receipt;
    throw runEndedError(run);
  }
}

function notHeard(run: string): BatonError {
  const message = `run ${run} is executing on another server, which does not answer; try again later`;
  return new BatonError("busy", message, { retryable: true });
}
