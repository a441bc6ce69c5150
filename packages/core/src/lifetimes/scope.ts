/**
 * Scope: how long something may live.
 *
 * A scope does not end before all it owns has ended: work is started with `race`, `only` or `all`, which wait for it.
 * A cancel reaches every descendant at once and settles within the grace period even if work ignores it; the receipt
 * says what became of each. A child that has ended leaves nothing behind in its parent.
 */
import type { Clock, Timer } from "./clock.ts";
import { BatonError } from "../words/error.ts";
import type { Receipt } from "../words/event.ts";

type Listener = (reason: BatonError) => void;

/** One piece of work. It settles once; what it does after that has no effect. */
interface Task {
  readonly scope: Scope;
  readonly abandon: () => void;
  fate: "running" | keyof Receipt;
  /** Made when a cancel waits for it. */
  settled: PromiseWithResolvers<void> | undefined;
}

/** Made once: an error costs more than all else a scope does. */
const ENDED = new BatonError("closed", "the scope has ended");

const QUIET = Promise.resolve();

type ChildOptions = Readonly<{ name: string; timeoutMs?: number; clock?: Clock }>;

/** A node in the tree of all running work. */
export class Scope {
  readonly name: string;
  readonly clock: Clock;
  readonly #graceMs: number;
  #parent: Scope | undefined;
  #deadlineAt = Infinity;
  #reason: BatonError | undefined;
  #ended = false;
  #ending: Promise<void> | undefined;
  #controller: AbortController | undefined;
  #timer: Timer | undefined;
  #deferred: (() => unknown)[] | undefined;
  /** The task or listener it holds: most scopes never hold more than one at a time. */
  #held: Task | Listener | undefined;
  #others: Set<Task | Listener> | undefined;
  /** The youngest child; the others follow. */
  #child: Scope | undefined;
  #before: Scope | undefined;
  #after: Scope | undefined;

  private constructor(name: string, clock: Clock, graceMs: number) {
    this.name = name;
    this.clock = clock;
    this.#graceMs = graceMs;
  }

  /** The top of a tree; cancelled work is abandoned if it has not settled after `graceMs`. */
  static root(options: { readonly clock: Clock; readonly name?: string; readonly graceMs?: number }): Scope {
    return new Scope(options.name ?? "root", options.clock, options.graceMs ?? 100);
  }

  /** With a clock of its own it has no deadline of its parent's. */
  child({ name, timeoutMs, clock = this.clock }: ChildOptions): Scope {
    if (this.#ended) throw closed(this);
    const child = new Scope(name, clock, this.#graceMs);
    child.#parent = this;
    if (clock === this.clock) child.#deadlineAt = this.#deadlineAt;
    child.#reason = this.#reason;
    child.#after = this.#child;
    if (this.#child !== undefined) this.#child.#before = child;
    this.#child = child;
    if (timeoutMs !== undefined) child.expireIn(timeoutMs);
    return child;
  }

  /** Neither cancelled nor ended: what is done here still counts. */
  get live(): boolean {
    return this.#reason === undefined && !this.#ended;
  }

  /** Why it is not live: what it or an ancestor was cancelled with, or code `closed` if it has just ended. */
  get reason(): BatonError | undefined {
    return this.#reason ?? (this.#ended ? closed(this) : undefined);
  }

  /** For everything that takes an `AbortSignal`: aborted on a cancel and at the end; made when first read. */
  get abort(): AbortSignal {
    this.#controller ??= new AbortController();
    if (!this.live) this.#controller.abort(this.reason);
    return this.#controller.signal;
  }

  /** Children, tasks and listeners that have not ended, here and below. */
  get open(): number {
    return this.#tree().reduce((count, scope) => count + 1 + scope.#holds().length, -1);
  }

  /** Until its deadline or, if that is earlier, an ancestor's. */
  get remainingMs(): number {
    return this.#deadlineAt - this.clock.monotonic();
  }

  /** Waits for work. After a cancel that has the grace period to settle in, then the wait rejects with the reason. */
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
    const start = async (work: (scope: Scope) => Promise<T>, index: number): Promise<T> => {
      await using member = group.child({ name: `${this.name}/${index + 1}` });
      return await member.race(() => work(member));
    };
    return await Promise.all(works.map(start));
  }

  /** Waits that long, or rejects with the reason as soon as the scope is cancelled. */
  sleep(delayMs: number): Promise<void> {
    return this.wait((wake) => {
      const timer = this.clock.after(delayMs, wake);
      return () => timer.cancel();
    });
  }

  /** Waits until `go` is called, later than `begin`; a cancel rejects at once and calls what `begin` gave. */
  wait<T>(begin: (go: (value: T | PromiseLike<T>) => void) => () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = begin((value) => {
        forget();
        resolve(value);
      });
      const forget = this.onCancel((reason) => {
        leave();
        reject(reason);
      });
    });
  }

  /** Runs when the scope ends in any way, last in first out; if it throws, ending the scope throws that. */
  defer(undo: () => unknown): void {
    if (this.#ended) throw closed(this);
    (this.#deferred ??= []).push(undo);
  }

  /** Called once if the scope is cancelled, at once if it is over; lighter than `abort`. Returns how to forget it. */
  onCancel(listener: Listener): () => void {
    const reason = this.reason;
    if (reason === undefined) this.#hold(listener);
    else listener(reason);
    return () => this.#drop(listener);
  }

  /** Gives it that long from now, with no timer of its own if an ancestor ends earlier. Only for a scope without children. */
  expireIn(timeoutMs: number, expired?: () => BatonError): void {
    const deadlineAt = this.clock.monotonic() + timeoutMs;
    if (!this.live || !(deadlineAt < this.#deadlineAt)) return;
    this.#deadlineAt = deadlineAt;
    this.#timer?.cancel();
    this.#timer = this.clock.after(timeoutMs, () => {
      const late = () => new BatonError("timeout", `${this.name} took longer than ${timeoutMs} ms`);
      const cancelling = this.cancel((expired ?? late)());
      (this.#deferred ??= []).push(() => cancelling);
    });
  }

  /** Takes back the time limit that it was given, but not an ancestor's. Only for a scope without children. */
  forgetLimit(): void {
    this.#timer?.cancel();
    this.#deadlineAt = this.#parent === undefined ? Infinity : this.#parent.#deadlineAt;
  }

  /** Stops this scope and all below it; resolves when everything has settled or was abandoned. */
  cancel(reason: BatonError): Promise<Receipt> {
    return this.#cancel(reason, 1);
  }

  /** The same, and the receipt includes this scope. */
  stop(reason: BatonError): Promise<Receipt> {
    return this.#cancel(reason, 0);
  }

  async #cancel(reason: BatonError, from: number): Promise<Receipt> {
    const receipt: Record<keyof Receipt, string[]> = { stopped: [], finished: [], abandoned: [] };
    if (this.#ended) return receipt;
    const works = this.#tree().map((scope) => ({ scope, tasks: scope.#holds().filter(isTask) }));
    for (const { scope } of works) scope.#reason ??= reason;
    for (const { scope } of works) scope.#tell(scope.#reason ?? reason);
    await this.#settle(works.flatMap(({ tasks }) => tasks));
    for (const { name, tasks } of toNamed(works.slice(from))) receipt[toFate(tasks)].push(name);
    return receipt;
  }

  /** The open scope with this name, here or below. */
  find(name: string): Scope | undefined {
    return this.#tree().find((scope) => scope.name === name && !scope.#ended);
  }

  /** Ends the scope: stops what is running in it, ends its children, runs what was deferred. */
  [Symbol.asyncDispose](): Promise<void> {
    if (this.#ending !== undefined) return this.#ending;
    if (this.#isBusy() || this.#deferred !== undefined) return (this.#ending = this.#end());
    this.#close();
    this.#detach();
    return (this.#ending = QUIET);
  }

  /** An error in one must not keep the others from ending; the first error is thrown at the end. */
  async #end(): Promise<void> {
    const errors: unknown[] = [];
    const note = (error: unknown) => errors.push(error);
    if (this.#isBusy()) await this.cancel(new BatonError("cancelled", `${this.name} has ended`));
    while (this.#child !== undefined) {
      // From the leaves up, so that no scope finds anything left to cancel.
      for (const scope of this.#tree().slice(1).toReversed()) await scope[Symbol.asyncDispose]().catch(note);
    }
    this.#close();
    for (const undo of (this.#deferred ?? []).toReversed()) {
      const attempt = async () => undo();
      // To undo is work too: in a cancelled scope it has the grace period, so that no scope hangs on its way out.
      const done = this.#start(() => attempt().catch(note)).catch(() => undefined);
      if (this.#reason !== undefined) await this.#settle(this.#holds().filter(isTask));
      await done;
    }
    this.#detach();
    if (errors.length > 0) throw errors[0];
  }

  #start<T>(work: () => T | PromiseLike<T>, end = (): Promise<void> => QUIET): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const settle = (fate: keyof Receipt, answer: () => void) => {
        if (task.fate !== "running") return;
        task.fate = fate;
        task.settled?.resolve();
        this.#drop(task);
        const ending = end();
        if (ending === QUIET) answer();
        else ending.then(answer, reject);
      };
      const abandon = () => settle("abandoned", () => reject(this.#reason));
      const task: Task = { scope: this, abandon, fate: "running", settled: undefined };
      this.#hold(task);
      const succeed = (value: T) => settle("finished", () => resolve(value));
      const fail = (error: unknown) => {
        // Not the reason that it has later: the end of this scope cancels what the work left behind.
        const reason = this.#reason ?? error;
        settle("stopped", () => reject(reason));
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

  async #settle(tasks: readonly Task[]): Promise<void> {
    const running = tasks.filter(isRunning);
    if (running.length === 0) return;
    const timer = this.clock.after(this.#graceMs, () => this.#abandon(running));
    await Promise.all(running.map((task) => (task.settled ??= Promise.withResolvers()).promise));
    timer.cancel();
  }

  /** From the leaves up: work that only waits for abandoned work can still settle by itself. */
  #abandon(tasks: readonly Task[]): void {
    const running = tasks.filter(isRunning);
    const above = new Set<Scope>();
    for (const { scope } of running) {
      for (let parent = scope.#parent; parent !== undefined; parent = parent.#parent) above.add(parent);
    }
    for (const task of running) if (!above.has(task.scope)) task.abandon();
    if (running.length > 0) this.clock.soon(() => this.#abandon(running));
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

  #tell(reason: BatonError): void {
    this.#timer?.cancel();
    for (const held of this.#holds()) {
      if (typeof held !== "function" || !this.#drop(held)) continue;
      try {
        held(reason);
      } catch (error) {
        (this.#deferred ??= []).push(() => Promise.reject(error));
      }
    }
    this.#controller?.abort(reason);
  }

  #close(): void {
    this.#timer?.cancel();
    this.#ended = true;
    this.#controller?.abort(ENDED);
  }

  #detach(): void {
    if (this.#before !== undefined) this.#before.#after = this.#after;
    else if (this.#parent !== undefined && this.#parent.#child === this) this.#parent.#child = this.#after;
    if (this.#after !== undefined) this.#after.#before = this.#before;
    this.#before = undefined;
    this.#after = undefined;
  }

  #hold(held: Task | Listener): void {
    if (this.#held === undefined) this.#held = held;
    else (this.#others ??= new Set()).add(held);
  }

  /** False if it was released before. */
  #drop(held: Task | Listener): boolean {
    if (this.#held !== held) return this.#others?.delete(held) ?? false;
    this.#held = undefined;
    return true;
  }

  #holds(): (Task | Listener)[] {
    return [...(this.#held === undefined ? [] : [this.#held]), ...(this.#others ?? [])];
  }

  #isBusy(): boolean {
    return this.#child !== undefined || this.#held !== undefined || (this.#others?.size ?? 0) > 0;
  }
}

const closed = ({ name }: Scope): BatonError => new BatonError("closed", `${name} has ended`);

const isTask = (held: Task | Listener): held is Task => typeof held === "object";

const isRunning = ({ fate }: Task): boolean => fate === "running";

/** Lists the tasks of scopes by name; those of a scope without a name count for the scope before it, its parent. */
function toNamed(works: readonly { readonly scope: Scope; readonly tasks: readonly Task[] }[]) {
  const named: { readonly name: string; tasks: readonly Task[] }[] = [];
  for (const { scope, tasks } of works) {
    const last = named.at(-1);
    if (scope.name !== "" || last === undefined) named.push({ name: scope.name, tasks });
    else last.tasks = [...last.tasks, ...tasks];
  }
  return named;
}

/** Result of all work of one scope. */
function toFate(tasks: readonly Task[]): keyof Receipt {
  const fates = tasks.map(({ fate }) => fate);
  if (fates.includes("abandoned")) return "abandoned";
  return fates.length > 0 && fates.every((fate) => fate === "finished") ? "finished" : "stopped";
}

function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return ((typeof value === "object" && value !== null) || typeof value === "function") && "then" in value;
}
