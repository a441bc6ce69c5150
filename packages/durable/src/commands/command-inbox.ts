/**
 * Command inbox: commands between processes. A sender posts one and waits for what the run's log, or its owner, says of it; an
 * owner reads what was posted to the runs it holds: at once if the database notifies it, else several times a second.
 */
import { BatonError, type Command, type Receipt } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { readAll } from "@baton/store";
import type { InboxCommand, ClaimedRequest } from "@baton/store/ports";
import type { EngineContext } from "../engine/engine-context.ts";
import { runEndedError } from "../engine/engine-errors.ts";
import type { HeldRuns } from "../held/held-runs.ts";
import { readInbox } from "../held/run-commands.ts";
import { isReceipt, isWholeCancel, toRefusalError } from "./posted-command.ts";

/** Interval at which an owner reads the inbox of a database that cannot notify it, and of one that can. */
const LOOK_MS = 100;
const FALLBACK_MS = 1_000;
/** Interval at which a sender looks for the fate of its command. */
const POLL_MS = 50;
/** Time for which a sender waits for an owner that does not answer. */
const PATIENCE_MS = 10_000;

/** Reads the inbox for the runs that are held, as long as there are any. */
export class InboxReader {
  readonly #held: HeldRuns;
  readonly #unwatch: (() => void) | undefined;
  #timer: ReturnType<Clock["after"]> | undefined;
  #isReading = false;
  #isStopped = false;

  constructor(held: HeldRuns) {
    this.#held = held;
    this.#unwatch = held.context.store.database.inbox.watch?.((run) => this.#readOf(run));
  }

  /** Reads from now on; called when a run is held. */
  begin(): void {
    if (this.#timer !== undefined || this.#isReading || this.#isStopped) return;
    const waitMs = this.#unwatch === undefined ? LOOK_MS : FALLBACK_MS;
    this.#timer = this.#held.context.store.clock.after(waitMs, () => {
      this.#timer = undefined;
      this.#isReading = true;
      const again = (): void => {
        this.#isReading = false;
        if (this.#held.size > 0) this.begin();
      };
      this.#read().then(again, again);
    });
  }

  stop(): void {
    this.#isStopped = true;
    this.#unwatch?.();
    this.#timer?.cancel();
  }

  async #read(): Promise<void> {
    const { all, context } = this.#held;
    if (all.length === 0) return;
    const unread = new Set(await context.store.database.inbox.unread());
    for (const run of all) if (unread.has(run.id)) await readInbox(run);
  }

  /** Something was posted to a run; if it cannot be read now, the next look reads it. */
  #readOf(id: string): void {
    const run = this.#held.get(id);
    if (run !== undefined) this.#held.context.own(readInbox(run).catch(() => undefined));
  }
}

interface PostOptions {
  /** Called now and then while the run has not seen the command: it may have no owner. */
  readonly wake: (posted: InboxCommand) => Promise<void>;
  /** The client's request that the command carries out. */
  readonly once?: ClaimedRequest | undefined;
}

type PostContext = Pick<EngineContext, "store" | "scope" | "newPostId">;

/** A command that was posted, and where. */
interface Post {
  readonly context: PostContext;
  readonly command: Command;
  readonly posted: InboxCommand;
}

/** Sends a command to a run that is not held here, and gives what came of it: a receipt if it is a cancel. */
export async function postCommand(
  context: PostContext,
  { run, command }: { readonly run: string; readonly command: Command },
  { wake, once }: PostOptions,
): Promise<Receipt | undefined> {
  const { store, scope } = context;
  const { inbox, logs } = store.database;
  const posted: InboxCommand = { run, id: context.newPostId(), command: JSON.stringify(command), fate: "sent" };
  const post = { context, command, posted };
  const begun = once && { run, after: await logs.length(run) };
  const carriedOut = once && { ...once, request: { ...once.request, ...omitUndefined({ begun }) } };
  if (!(await inbox.post(posted, carriedOut))) throw runEndedError(run);
  const until = store.clock.now() + PATIENCE_MS;
  for (;;) {
    const fate = await fateOf(post);
    if (fate === undefined || fate === "taken") return findReceipt(post);
    if (fate !== "sent") return toReply(post, fate);
    const isLate = store.clock.now() >= until || scope.reason !== undefined;
    if (isLate && (await inbox.settle(posted, "withdrawn"))) throw scope.reason ?? notHeard(run);
    await wake(posted);
    await scope.sleep(POLL_MS).catch(() => undefined);
  }
}

/** Returns the fate of a posted command; undefined if the log has it. */
async function fateOf({ context, posted: { run, id } }: Post): Promise<InboxCommand["fate"] | undefined> {
  const { database } = context.store;
  const fate = (await database.inbox.list(run)).find((row) => row.id === id)?.fate;
  if (fate !== "sent" || (await database.runs.find(run))?.status !== "ended") return fate;
  // It ended without having seen the command.
  if (!(await database.inbox.settle({ run, id }, "withdrawn"))) return undefined;
  return { code: "run_ended", message: `run ${run} has ended` };
}

async function toReply({ context, posted }: Post, fate: Exclude<InboxCommand["fate"], string>): Promise<Receipt> {
  await context.store.database.inbox.settle(posted, "withdrawn");
  if (isReceipt(fate)) return fate;
  throw toRefusalError(fate);
}

/** The receipt of a cancel is in the log of the run that it ended. */
async function findReceipt({ context, command, posted: { run } }: Post): Promise<Receipt | undefined> {
  if (!isWholeCancel(command)) return undefined;
  const last = (await readAll(context.store.database, run)).at(-1);
  if (last?.type === "run.ended" && last.outcome === "cancelled") return last.receipt;
  throw runEndedError(run);
}

function notHeard(run: string): BatonError {
  const message = `run ${run} is executing on another server, which does not answer; try again later`;
  return new BatonError("busy", message, { retryable: true });
}
