/**
 * Call queue: calls that wait until a cap on calls has room.
 *
 * Users are served by turns, and the calls of one user in order of arrival; a new call does not overtake those that wait
 * for the same cap. A call whose room comes later than the end of its run is refused at once, also if that turns out
 * later. The counts are the ledger's, so they outlive the process and are shared by all servers; the queue is this process's.
 */
import type { Chunk } from "@baton/core";
import {
  type Account,
  type Amount,
  type Cap,
  type CapUse,
  type Clock,
  type Ledger,
  type Reserved,
  type Scope,
  toWindowEnd,
  toWindowMs,
} from "@baton/core/ports";
import { TurnQueue } from "../wrappers/turn-queue.ts";

/** A call that asks for its reservation. */
export interface QueuedCall {
  readonly ledger: Ledger;
  readonly accounts: readonly Account[];
  readonly worst: Amount;
  /** The user whose turn it takes. */
  readonly owner: string;
}

/** A call may ask the ledger now, or its room comes later than the end of its run. */
type News = "turn" | "late";

/** A call in a line; `isAsking` while it is its turn to ask the ledger. */
interface Waiter {
  readonly call: QueuedCall;
  readonly scope: Scope;
  isAsking: boolean;
  /** News that it has not taken yet. */
  news: News | undefined;
  onNews: (() => void) | undefined;
}

/** The queues of an application, one for each cap that calls wait for. */
export class CallQueue {
  readonly #lines = new Map<string, Line>();

  /** Reserves a call. While it waits, it yields what the log is told; it returns a refusal that waiting cannot help. */
  async *reserve(call: QueuedCall, scope: Scope): AsyncGenerator<readonly Chunk[], Reserved> {
    let reserved = this.#findWaiting(call) ?? (await ask(call));
    while (!reserved.ok && reserved.refusal.cap.measure === "calls") {
      const { refusal } = reserved;
      const line = this.#lineOf(refusal, call);
      const waiter = line.join(call, scope);
      try {
        const delayMs = line.delayMs(waiter);
        if (delayMs >= scope.remainingMs) break;
        yield [{ type: "waiting", limit: refusal.cap.name, delayMs }];
        reserved = await line.reserve(waiter);
        // The wait is over, so silence counts again.
        yield [];
        if (!reserved.ok && isSame(reserved.refusal, refusal)) break;
      } finally {
        line.leave(waiter);
      }
    }
    return reserved;
  }

  /** The refusal of the first cap that other calls already wait for. */
  #findWaiting({ accounts }: QueuedCall): Reserved | undefined {
    for (const account of accounts) {
      const cap = account.caps.find(({ measure, isSoft }) => measure === "calls" && isSoft !== true);
      if (cap === undefined || !this.#lines.has(toKey(account))) continue;
      return { ok: false, refusal: { account: account.id, cap, used: cap.max } };
    }
    return undefined;
  }

  #lineOf({ account: id, cap }: CapUse, { accounts }: QueuedCall): Line {
    const account = accounts.find((one) => one.id === id && one.caps.some(({ name }) => name === cap.name)) ?? {
      id,
      caps: [cap],
    };
    const key = toKey(account);
    const known = this.#lines.get(key);
    if (known !== undefined) return known;
    const line = new Line({ account, cap, onEmpty: () => this.#lines.delete(key) });
    this.#lines.set(key, line);
    return line;
  }
}

interface LineOptions {
  readonly account: Account;
  readonly cap: Cap;
  readonly onEmpty: () => void;
}

/** The calls that wait for one cap; the first of them asks the ledger when the window begins, and then the next. */
class Line {
  readonly #options: LineOptions;
  readonly #queue = new TurnQueue<Waiter>();
  #timer: { cancel(): void } | undefined;

  constructor(options: LineOptions) {
    this.#options = options;
  }

  /** Puts a call into the line; it keeps its place until it leaves. */
  join(call: QueuedCall, scope: Scope): Waiter {
    const waiter: Waiter = { call, scope, isAsking: false, news: undefined, onNews: undefined };
    this.#queue.add(call.owner, waiter);
    if (this.#timer === undefined && this.#queue.size === 1) this.#arm(scope.clock);
    return waiter;
  }

  /** Gives up its place, if the call still has one. */
  leave(waiter: Waiter): void {
    const { size } = this.#queue;
    this.#queue.remove(waiter.call.owner, waiter);
    if (this.#queue.size === size) return;
    if (waiter.isAsking) this.#wakeNext();
    this.#end();
  }

  /** Milliseconds until a call's turn, by its place in the line. */
  delayMs(waiter: Waiter): number {
    let ahead = 0;
    for (const other of this.#queue) {
      if (other === waiter) break;
      ahead += 1;
    }
    return this.#delayOf(ahead, waiter.scope.clock);
  }

  /** Reserves the call when its turn has come; a refusal by the line's own cap means that its room comes too late. */
  async reserve(waiter: Waiter): Promise<Reserved> {
    const { call, scope } = waiter;
    for (;;) {
      if ((await this.#newsOf(waiter)) === "late") return this.#refusal();
      const reserved = await call.ledger.reserve(call.accounts, call.worst);
      if (reserved.ok && scope.reason !== undefined) {
        await reserved.settle({ tokens: 0, usd: 0 });
        throw scope.reason;
      }
      if (reserved.ok || !isSame(reserved.refusal, this.#refusal().refusal)) {
        this.#queue.serve(call.owner, waiter);
        this.#wakeNext();
        this.#end();
        return reserved;
      }
      waiter.isAsking = false;
      this.#refuseLate();
      this.#arm(scope.clock);
    }
  }

  async #newsOf(waiter: Waiter): Promise<News> {
    for (;;) {
      const { news } = waiter;
      waiter.news = undefined;
      if (news !== undefined) return news;
      await waiter.scope.wait<void>((go) => {
        waiter.onNews = () => go();
        return () => undefined;
      });
    }
  }

  #tell(waiter: Waiter, news: News): void {
    waiter.isAsking = news === "turn";
    waiter.news = news;
    waiter.onNews?.();
  }

  #wakeNext(): void {
    const next = this.#queue.next();
    if (next !== undefined) this.#tell(next, "turn");
  }

  /** Forgets the line if no call waits in it. */
  #end(): void {
    if (this.#queue.size > 0) return;
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#options.onEmpty();
  }

  #refuseLate(): void {
    let ahead = 0;
    for (const waiter of this.#queue) {
      if (this.#delayOf(ahead, waiter.scope.clock) >= waiter.scope.remainingMs) this.#tell(waiter, "late");
      else ahead += 1;
    }
  }

  #arm(clock: Clock): void {
    const restMs = this.#delayOf(0, clock);
    if (restMs === Infinity || this.#timer !== undefined) return;
    // The line is of many runs, so it does not stand still with one of them.
    this.#timer = (clock.real ?? clock).after(restMs, () => {
      this.#timer = undefined;
      this.#wakeNext();
    });
  }

  #delayOf(ahead: number, clock: Clock): number {
    const { account, cap } = this.#options;
    if (cap.max < 1) return Infinity;
    const now = clock.now();
    const windows = Math.floor(ahead / Math.floor(cap.max));
    return toWindowEnd(account.window, now) - now + windows * toWindowMs(account.window);
  }

  #refusal(): Extract<Reserved, { ok: false }> {
    const { account, cap } = this.#options;
    return { ok: false, refusal: { account: account.id, cap, used: cap.max } };
  }
}

const toKey = ({ id, window }: Account): string => `${window ?? "for ever"} ${id}`;

const isSame = (one: CapUse, other: CapUse): boolean =>
  one.account === other.account && one.cap.name === other.cap.name;

/** Asks for a reservation; of several caps on calls that are full, the one whose room comes last refuses. */
async function ask({ ledger, accounts, worst }: QueuedCall): Promise<Reserved> {
  const reserved = await ledger.reserve(accounts, worst);
  if (reserved.ok || reserved.refusal.cap.measure !== "calls") return reserved;
  const lastFirst = accounts.toSorted((one, other) => toWindowMs(other.window) - toWindowMs(one.window));
  return ledger.reserve(lastFirst, worst);
}
