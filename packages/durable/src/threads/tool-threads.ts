/**
 * Tool threads: worker threads in which tools run, so that a tool that never yields stops nothing else.
 *
 * At the level `thread` each thread of a pool carries out one call at a time, for one tenant; at the level `shared` one
 * thread carries out all calls of the tools of a file. A thread is not a security boundary.
 */
import { availableParallelism } from "node:os";
import { BatonError, type CallContext, type Json, type Tool } from "@baton/core";
import { type Isolation, NO_RECORDED_CALLS, noDocuments, type Prepared, Scope, SystemClock } from "@baton/core/ports";
import { omitUndefined, Semaphore } from "@baton/core/util";
import type { JobOutput } from "./thread-job.ts";
import type { ToolPlace, ToolTask } from "./thread-message.ts";
import { type ThreadOptions, ToolThread } from "./tool-thread.ts";

/** Options of a pool; every field has a default. */
export interface ToolThreadsOptions extends Partial<ThreadOptions> {
  /** Calls that run at once at the level `thread`, each in its own thread. Default: one a core, at least 4. */
  readonly size?: number;
  /** A thread of the pool that had nothing to do for this long is ended. */
  readonly idleMs?: number;
}

interface IdleThread {
  readonly thread: ToolThread;
  /** The tenant of all calls that it has served. */
  readonly tenant: string | undefined;
  /** The version of the code that it has loaded. */
  readonly version: string | undefined;
  readonly timer: NodeJS.Timeout;
}

/** The level of a tool; `auto` is decided at each call. */
type Level = Isolation | "auto";

/** The `onShutdown` of a file in the main thread, and whether some of its tools always run there. */
type OwnHook = Readonly<{ hook: (() => unknown) | undefined; isUsedHere: boolean }>;

/** A tool, where it is, and at which level it runs. */
type WrappedTool = Readonly<{ tool: Tool; place: ToolPlace; level: Level }>;

/** A task for a thread of this level. */
type PlacedTask = Readonly<{ place: ToolPlace; level: Level; task: ToolTask }>;

/** The context of a release: there is no call any more. */
const NO_CALL: Omit<CallContext, "key" | "scope"> = {
  ...NO_RECORDED_CALLS,
  run: "",
  call: "",
  attempt: 1,
  messages: [],
  state: { get: () => undefined, set: () => undefined, entries: () => [] },
  documents: noDocuments("a release has no documents"),
  progress: () => undefined,
  note: () => undefined,
};

const LEAST_SIZE = 4;
const IDLE_MS = 30_000;
const HEAP_MB = 512;

/** Threads for tools, made by the caller that reads crews. */
export class ToolThreads implements AsyncDisposable {
  readonly #options: ThreadOptions;
  readonly #idleMs: number;
  readonly #maxThreads: number;
  readonly #permits: Semaphore;
  readonly #threads = new Set<ToolThread>();
  /** The one that was used last is used first, so that the others become idle. */
  readonly #idle: IdleThread[] = [];
  /** By the file and version of their tools. */
  readonly #shared = new Map<string, ToolThread>();
  /** By the tool as its file gives it: crews that share a tool share its limit. */
  readonly #tools = new WeakMap<Tool, Map<Level, Tool>>();
  #auto: Isolation = "inline";
  #isClosed = false;

  constructor(options: ToolThreadsOptions = {}) {
    const { size, setup = [], heapMb = HEAP_MB, idleMs = IDLE_MS, onStray = () => undefined } = options;
    this.#options = { setup, heapMb, onStray };
    this.#idleMs = idleMs;
    this.#maxThreads = size ?? Math.max(LEAST_SIZE, availableParallelism());
    this.#permits = new Semaphore(this.#maxThreads);
  }

  /** Number of threads. */
  get size(): number {
    return this.#threads.size;
  }

  /** Makes `auto` mean `shared` from now on: others depend on this process. */
  shareAuto(): void {
    this.#auto = "shared";
  }

  /** The tool that a file has, with every call at this level. */
  wrap(tool: Tool, place: ToolPlace, level: Level): Tool {
    const known = this.#tools.get(tool) ?? new Map<Level, Tool>();
    this.#tools.set(tool, known);
    const wrapped = known.get(level) ?? this.#make({ tool, place, level });
    known.set(level, wrapped);
    return wrapped;
  }

  /**
   * Returns a function that ends the code of a file. It calls `hook`, the file's `onShutdown` in this thread, or the same
   * in the shared thread if calls have run there, after the last of them; both if tools of the file are used here too.
   */
  toShutdown(place: ToolPlace, { hook, isUsedHere }: OwnHook): () => Promise<void> {
    return async () => {
      const key = keyOf(place);
      const thread = this.#shared.get(key);
      this.#shared.delete(key);
      if (thread === undefined || isUsedHere) await hook?.();
      await thread?.shutDown();
    };
  }

  /** Ends every thread; a call that is running fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    const threads = [...this.#threads];
    for (const thread of threads) thread.end();
    await Promise.all(threads.map(({ ended }) => ended));
  }

  #make({ tool, place, level }: WrappedTool): Tool {
    const levelNow = () => (level === "auto" ? this.#auto : level);
    const bind = (args: Json, prepared: Prepared): Prepared =>
      prepared.ok && levelNow() !== "inline"
        ? { ok: true, run: (context) => this.#call({ tool, place, level: levelNow() }, args, context) }
        : prepared;
    return Object.freeze<Tool>({
      ...tool,
      ...(level === "auto" ? {} : { isolation: level }),
      file: place.file,
      ...(level === "thread" ? { pool: this.#permits } : {}),
      ...(tool.release === undefined
        ? {}
        : {
            release: (kept, context) =>
              levelNow() === "inline"
                ? tool.release?.(kept, context)
                : this.#release({ tool, place, level: levelNow() }, kept, context),
          }),
      warmUp: (tenant) => this.#warmUp(place, levelNow(), tenant),
      prepare(args) {
        const prepared = tool.prepare(args);
        return prepared instanceof Promise ? prepared.then((one) => bind(args, one)) : bind(args, prepared);
      },
    });
  }

  #call({ tool, place, level }: WrappedTool, args: Json, context: CallContext): Promise<JobOutput> {
    const { file, crew } = place;
    return this.#carryOut({ place, level, task: { file, tool: tool.name, args, ...omitUndefined({ crew }) } }, context);
  }

  /** Gives back in a thread what a suspended call kept. */
  async #release({ tool, place, level }: WrappedTool, released: Json, { key }: { readonly key: string }) {
    const { file, crew } = place;
    const task = { file, tool: tool.name, args: null, released, ...omitUndefined({ crew }) };
    await using scope = Scope.root({ clock: new SystemClock(), name: "release" });
    await this.#carryOut({ place, level, task }, { ...NO_CALL, key, scope });
  }

  async #carryOut({ place, level, task }: PlacedTask, context: CallContext): Promise<JobOutput> {
    if (this.#isClosed) throw new BatonError("closed", "the tool threads are closed");
    if (level === "shared") return this.#sharedOf(place).call(task, context);
    const thread = this.#take(place, context.tenant);
    try {
      return await thread.call(task, context);
    } finally {
      this.#giveBack(thread, place, context.tenant);
    }
  }

  /** Starts the thread of a call and lets it import the file. */
  async #warmUp(place: ToolPlace, level: Isolation, tenant: string | undefined): Promise<void> {
    if (this.#isClosed || level === "inline") return;
    const isShared = level === "shared";
    if (isShared && this.#shared.get(keyOf(place))?.isFree) return;
    if (!isShared && this.#idle.some((idle) => isFor(idle, place, tenant))) return;
    const thread = isShared ? this.#sharedOf(place) : this.#take(place, tenant);
    await thread.load(place.file);
    if (!isShared) this.#giveBack(thread, place, tenant);
  }

  #sharedOf(place: ToolPlace): ToolThread {
    const key = keyOf(place);
    const known = this.#shared.get(key);
    if (known?.isFree) return known;
    const thread = this.#start(place, { isShared: true });
    this.#shared.set(key, thread);
    return thread;
  }

  /** An idle thread that has served only this tenant with this code, or a new one. */
  #take(place: ToolPlace, tenant: string | undefined): ToolThread {
    for (;;) {
      const index = this.#idle.findLastIndex((idle) => isFor(idle, place, tenant));
      const [idle] = index === -1 ? [] : this.#idle.splice(index, 1);
      if (idle === undefined) break;
      clearTimeout(idle.timer);
      if (idle.thread.isFree) return idle.thread;
    }
    if (this.#threads.size - this.#shared.size >= this.#maxThreads) this.#endLongestIdle();
    return this.#start(place, { isShared: false });
  }

  /** Makes room for a thread of another tenant. */
  #endLongestIdle(): void {
    const idle = this.#idle.shift();
    clearTimeout(idle?.timer);
    idle?.thread.end();
  }

  #start({ version }: ToolPlace, { isShared }: { readonly isShared: boolean }): ToolThread {
    const thread = new ToolThread(this.#options, { isShared, version });
    this.#threads.add(thread);
    thread.ended.then(
      () => this.#threads.delete(thread),
      () => this.#threads.delete(thread),
    );
    return thread;
  }

  #giveBack(thread: ToolThread, { version }: ToolPlace, tenant: string | undefined): void {
    if (!thread.isFree || this.#isClosed) return;
    const timer = setTimeout(() => thread.end(), this.#idleMs);
    timer.unref();
    this.#idle.push({ thread, tenant, version: version?.id, timer });
  }
}

function keyOf({ file, version }: ToolPlace): string {
  return `${file} ${version?.id ?? ""}`;
}

function isFor(idle: IdleThread, { version }: ToolPlace, tenant: string | undefined): boolean {
  return idle.tenant === tenant && idle.version === version?.id;
}
