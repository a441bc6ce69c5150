/**
 * Scope: how long something may live.
 *
 * A scope does not end before all it owns has ended. Work is started with `all` or `race`, which wait for it,
 * so no task outlives the run that began it. A cancel reaches every descendant at once and settles within the
 * grace period even if work ignores it; the receipt says what became of each. A child that has ended leaves
 * nothing behind in its parent: children are an intrusive list, and an `AbortSignal` exists only once read.
 * Reads: error, clock, task. Read by: every port and verb.
 */
import type { Clock, Timer } from "./clock.ts";
import { BatonError } from "./error.ts";
import type { Receipt } from "./event.ts";
import { Task, toReceipt } from "./task.ts";

/** What a root scope needs; children take these from their parent. */
export interface RootOptions {
  readonly clock: Clock;
  readonly name?: string;
  /** How long cancelled work may take to settle before it is abandoned. Default 100 ms. */
  readonly graceMs?: number;
}

/** What a child may have of its own. */
export interface ChildOptions {
  readonly name: string;
  readonly timeoutMs?: number;
  /** What it is cancelled with when the time is over. Default: an error with code `timeout`. */
  readonly expired?: () => BatonError;
}

/** A scope and what was at work in it when it was cancelled. */
interface Work {
  readonly scope: Scope;
  readonly tasks: readonly Task[];
}

/** Made once: an error costs more than all else a scope does. */
const ENDED = new BatonError("closed", "the scope has ended");

const QUIET = Promise.resolve();

const NOTHING: Receipt = { stopped: [], finished: [], abandoned: [] };

/** A node in the tree of all that is at work. */
export class Scope {
  readonly name: string;
  readonly clock: Clock;
  readonly #parent: Scope | undefined;
  readonly #graceMs: number;
  #deadlineAt: number;
  #reason: BatonError | undefined;
  #ended = false;
  #ending: Promise<void> | undefined;
  #controller: AbortController | undefined;
  #timer: Timer | undefined;
  #expiring: Promise<Receipt> | undefined;
  #deferred: (() => unknown)[] | undefined;
  #errors: unknown[] | undefined;
  #listeners: Set<(reason: BatonError) => void> | undefined;
  #tasks: Set<Task> | undefined;
  #task: Task | undefined;
  #child: Scope | undefined;
  #before: Scope | undefined;
  #after: Scope | undefined;

  private constructor(name: string, above: Scope | RootOptions) {
    this.name = name;
    this.clock = above.clock;
    if (!(above instanceof Scope)) {
      this.#graceMs = above.graceMs ?? 100;
      this.#deadlineAt = Infinity;
      return;
    }
    this.#parent = above;
    this.#graceMs = above.#graceMs;
    this.#deadlineAt = above.#deadlineAt;
    this.#reason = above.#reason;
    this.#after = above.#child;
    if (above.#child !== undefined) above.#child.#before = this;
    above.#child = this;
  }

  /** The top of a tree. */
  static root(options: RootOptions): Scope {
    return new Scope(options.name ?? "root", options);
  }

  child(options: ChildOptions): Scope {
    if (this.#ended) throw this.#closed();
    const child = new Scope(options.name, this);
    if (options.timeoutMs !== undefined) child.expireIn(options.timeoutMs, options.expired);
    return child;
  }

  /** Neither cancelled nor ended: what is done here still counts. */
  get live(): boolean {
    return this.#reason === undefined && !this.#ended;
  }

  /** Why it is not live: what it or an ancestor was cancelled with, or code `closed` where it has just ended. */
  get reason(): BatonError | undefined {
    return this.#reason ?? (this.#ended ? this.#closed() : undefined);
  }

  /** For everything that takes an `AbortSignal`: aborted on a cancel and at the end; made when first read. */
  get abort(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (!this.live) this.#controller.abort(this.reason);
    }
    return this.#controller.signal;
  }

  /** Children, tasks and listeners that have not ended. */
  get open(): number {
    let count = -1;
    for (const scope of this.#tree()) count += 1 + scope.#owned().length + (scope.#listeners?.size ?? 0);
    return count;
  }

  /** By the clock's `monotonic`; an ancestor's where that is earlier. */
  get deadlineAt(): number {
    return this.#deadlineAt;
  }

  get remainingMs(): number {
    return this.#deadlineAt === Infinity ? Infinity : this.#deadlineAt - this.clock.monotonic();
  }

  /**
   * Waits for work, or for the scope's end if that comes first: then it rejects with the reason, at once where
   * the work obeys, after the grace period where it does not. A result within the grace period still counts.
   */
  race<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return this.live ? this.#start(work) : Promise.reject(this.reason);
  }

  /** Its only work: like `race`, and the scope has ended when it settles. */
  only<T>(work: () => T | PromiseLike<T>): Promise<T> {
    return this.live ? this.#start(work, () => this[Symbol.asyncDispose]()) : Promise.reject(this.reason);
  }

  /** Starts all; the first failure cancels the others, and all have settled before it is thrown. */
  async all<T>(works: readonly ((scope: Scope) => Promise<T>)[]): Promise<T[]> {
    await using group = this.child({ name: `${this.name}/all` });
    const failures: unknown[] = [];
    const start = async (work: (scope: Scope) => Promise<T>, index: number): Promise<T[]> => {
      await using member = group.child({ name: `${this.name}/${index + 1}` });
      try {
        return [await member.race(() => work(member))];
      } catch (error) {
        failures.push(error);
        if (failures.length === 1) await group.cancel(new BatonError("cancelled", "a sibling failed"));
        return [];
      }
    };
    const results = await Promise.all(works.map(start));
    if (failures.length > 0) throw failures[0];
    return results.flat();
  }

  /** Waits that long, or rejects with the reason as soon as the scope is cancelled. */
  sleep(delayMs: number): Promise<void> {
    if (!this.live) return Promise.reject(this.reason);
    return new Promise((resolve, reject) => {
      const forget = this.onCancel((reason) => {
        timer.cancel();
        reject(reason);
      });
      const timer = this.clock.after(delayMs, () => {
        forget();
        resolve();
      });
    });
  }

  /** Runs when the scope ends, last in first out, whatever way it ends; what it throws, the scope's end throws. */
  defer(undo: () => unknown): void {
    if (this.#ended) throw this.#closed();
    (this.#deferred ??= []).push(undo);
  }

  /** Called once if the scope is cancelled, at once if it is over; lighter than `abort`. Returns how to forget it. */
  onCancel(listener: (reason: BatonError) => void): () => void {
    if (!this.live) {
      listener(this.#reason ?? this.#closed());
      return () => undefined;
    }
    const listeners = (this.#listeners ??= new Set());
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Gives it that long from now, with no timer of its own where an ancestor ends earlier; before it has children. */
  expireIn(timeoutMs: number, expired?: () => BatonError): void {
    const deadlineAt = this.clock.monotonic() + timeoutMs;
    if (!this.live || !(deadlineAt < this.#deadlineAt)) return;
    this.#deadlineAt = deadlineAt;
    this.#timer?.cancel();
    this.#timer = this.clock.after(timeoutMs, () => {
      const late = () => new BatonError("timeout", `${this.name} took longer than ${timeoutMs} ms`);
      this.#expiring = this.cancel((expired ?? late)());
    });
  }

  /** Stops this scope and all below it; resolves when everything has settled or was abandoned. */
  async cancel(reason: BatonError): Promise<Receipt> {
    if (this.#ended) return NOTHING;
    const scopes = this.#tree();
    for (const scope of scopes) scope.#reason ??= reason;
    const works = scopes.map((scope) => ({ scope, tasks: scope.#owned() }));
    for (const scope of scopes) scope.#tell();
    await this.#settle(works);
    return toReceipt(works.filter(({ scope }) => scope !== this));
  }

  /** Ends the scope: stops what is at work in it, ends its children, runs what was deferred. */
  [Symbol.asyncDispose](): Promise<void> {
    if (this.#ending !== undefined) return this.#ending;
    const isQuiet = !this.#isBusy() && this.#deferred === undefined && this.#expiring === undefined;
    if (!isQuiet || this.#errors !== undefined) return (this.#ending = this.#end());
    this.#close();
    this.#detach();
    return (this.#ending = QUIET);
  }

  async #end(): Promise<void> {
    this.#timer?.cancel();
    if (this.#expiring !== undefined) await this.#expiring;
    if (this.#isBusy()) await this.cancel(new BatonError("cancelled", `${this.name} has ended`));
    while (this.#child !== undefined) await this.#endBelow();
    this.#close();
    if (this.#deferred !== undefined) await this.#undo(this.#deferred);
    this.#detach();
    if (this.#errors !== undefined) throw this.#errors[0];
  }

  /** From the leaves up, so that no scope finds anything left to cancel. */
  async #endBelow(): Promise<void> {
    for (const scope of this.#tree().slice(1).toReversed()) {
      try {
        await scope[Symbol.asyncDispose]();
      } catch (error) {
        this.#note(error);
      }
    }
  }

  /** To undo is work too: in a cancelled scope it has the grace period, so that no scope hangs on its way out. */
  async #undo(deferred: (() => unknown)[]): Promise<void> {
    for (const undo of deferred.toReversed()) {
      const attempt = async () => {
        try {
          await undo();
        } catch (error) {
          this.#note(error);
        }
      };
      const done = this.#start(attempt).catch(() => undefined);
      if (this.#reason !== undefined) await this.#settle([{ scope: this, tasks: this.#owned() }]);
      await done;
    }
  }

  #start<T>(work: () => T | PromiseLike<T>, end = (): Promise<void> => QUIET): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const leave = (then: () => void) => {
        const ending = end();
        if (ending === QUIET) then();
        else ending.then(then, reject);
      };
      const task = new Task(() => {
        this.#disown(task);
        leave(() => reject(this.#reason));
      });
      this.#own(task);
      const succeed = (value: T) => {
        if (!task.settle("finished")) return;
        this.#disown(task);
        leave(() => resolve(value));
      };
      const fail = (error: unknown) => {
        if (!task.settle("stopped")) return;
        this.#disown(task);
        leave(() => reject(this.#reason ?? error));
      };
      try {
        const result = work();
        if (isThenable(result)) Promise.resolve(result).then(succeed, fail);
        else succeed(result);
      } catch (error) {
        fail(error);
      }
    });
  }

  async #settle(works: readonly Work[]): Promise<void> {
    const running = works.flatMap(({ tasks }) => tasks).filter((task) => task.running);
    if (running.length === 0) return;
    const timer = this.clock.after(this.#graceMs, () => this.#abandon(works));
    await Promise.all(running.map((task) => task.settled()));
    timer.cancel();
  }

  /** From the leaves up: whoever only waits for one that is abandoned can still settle by itself. */
  #abandon(works: readonly Work[]): void {
    const above = new Set<Scope>();
    for (const { scope, tasks } of works.toReversed()) {
      const running = tasks.filter((task) => task.running);
      if (running.length === 0) continue;
      for (let parent = scope.#parent; parent !== undefined; parent = parent.#parent) above.add(parent);
      if (!above.has(scope)) for (const task of running) task.abandon();
    }
    if (works.some(({ tasks }) => tasks.some((task) => task.running))) this.clock.soon(() => this.#abandon(works));
  }

  /** This scope and all below it, parents first, in the order they began. */
  #tree(): Scope[] {
    const scopes: Scope[] = [];
    const found: Scope[] = [this];
    for (let scope = found.pop(); scope !== undefined; scope = found.pop()) {
      scopes.push(scope);
      for (let child = scope.#child; child !== undefined; child = child.#after) found.push(child);
    }
    return scopes;
  }

  #tell(): void {
    this.#timer?.cancel();
    const reason = this.#reason;
    if (reason === undefined) return;
    const listeners = this.#listeners ?? [];
    this.#listeners = undefined;
    for (const listener of listeners) {
      try {
        listener(reason);
      } catch (error) {
        this.#note(error);
      }
    }
    this.#controller?.abort(reason);
  }

  /** The first is thrown when the scope has ended: an error of one must not keep the others from ending. */
  #note(error: unknown): void {
    (this.#errors ??= []).push(error);
  }

  #close(): void {
    this.#timer?.cancel();
    this.#ended = true;
    this.#controller?.abort(ENDED);
  }

  #closed(): BatonError {
    return new BatonError("closed", `${this.name} has ended`);
  }

  #own(task: Task): void {
    if (this.#task === undefined) this.#task = task;
    else (this.#tasks ??= new Set()).add(task);
  }

  #disown(task: Task): void {
    if (this.#task === task) this.#task = undefined;
    else this.#tasks?.delete(task);
  }

  #isBusy(): boolean {
    if (this.#child !== undefined || this.#task !== undefined) return true;
    return (this.#tasks?.size ?? 0) + (this.#listeners?.size ?? 0) > 0;
  }

  #owned(): Task[] {
    return [...(this.#task === undefined ? [] : [this.#task]), ...(this.#tasks ?? [])];
  }

  #detach(): void {
    const before = this.#before;
    const after = this.#after;
    if (before !== undefined) before.#after = after;
    else if (this.#parent !== undefined && this.#parent.#child === this) this.#parent.#child = after;
    if (after !== undefined) after.#before = before;
    this.#before = undefined;
    this.#after = undefined;
  }
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  if (value instanceof Promise) return true;
  const mayHaveThen = (typeof value === "object" && value !== null) || typeof value === "function";
  return mayHaveThen && "then" in value && typeof value.then === "function";
}
