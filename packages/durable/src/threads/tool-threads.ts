/**
 * Tool threads: a pool of worker threads in which tools run, so that a tool that never yields stops nothing else.
 *
 * No thread is started before the first call, and one that has been idle for a while is ended. Disposing ends them all.
 * A thread serves one tenant only, because a call can change the built-in objects that later calls use. A thread is not
 * a security boundary: a tool in it can read the environment and the files of the process, and can end the process.
 */
import { availableParallelism } from "node:os";
import { BatonError, type CallContext, type Json, type Tool } from "@baton/core";
import type { Prepared } from "@baton/core/ports";
import { Semaphore } from "@baton/core/util";
import { type ToolTask, type ThreadOptions, ToolThread } from "./tool-thread.ts";

/** Options of a pool; every field has a default. */
export interface ToolThreadsOptions extends Partial<ThreadOptions> {
  /** Calls that run at once, each in its own thread. Default: one a core, at least 4. */
  readonly size?: number;
  /** A thread that had nothing to do for this long is ended. */
  readonly idleMs?: number;
}

interface IdleThread {
  readonly thread: ToolThread;
  /** The tenant of all calls that it has served. */
  readonly tenant: string | undefined;
  readonly timer: NodeJS.Timeout;
}

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
  /** By the tool as its file gives it: crews that share a tool share its limit. */
  readonly #tools = new WeakMap<Tool, Tool>();
  #isClosed = false;

  constructor({ size, setup = [], heapMb = HEAP_MB, idleMs = IDLE_MS }: ToolThreadsOptions = {}) {
    this.#options = { setup, heapMb };
    this.#idleMs = idleMs;
    this.#maxThreads = size ?? Math.max(LEAST_SIZE, availableParallelism());
    this.#permits = new Semaphore(this.#maxThreads);
  }

  /** Number of threads. */
  get size(): number {
    return this.#threads.size;
  }

  /** The tool that a file's default export has, with every call in a thread. */
  wrap(tool: Tool, file: string): Tool {
    const known = this.#tools.get(tool);
    if (known !== undefined) return known;
    const bind = (args: Json, prepared: Prepared): Prepared =>
      prepared.ok ? { ok: true, run: (context) => this.#call({ file, tool: tool.name, args }, context) } : prepared;
    const wrapped = Object.freeze<Tool>({
      ...tool,
      isolation: "thread",
      file,
      pool: this.#permits,
      prepare(args) {
        const prepared = tool.prepare(args);
        return prepared instanceof Promise ? prepared.then((one) => bind(args, one)) : bind(args, prepared);
      },
    });
    this.#tools.set(tool, wrapped);
    return wrapped;
  }

  /** Ends every thread; a call that is running fails. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const { timer } of this.#idle.splice(0)) clearTimeout(timer);
    const threads = [...this.#threads];
    for (const thread of threads) thread.end();
    await Promise.all(threads.map(({ ended }) => ended));
  }

  async #call(task: ToolTask, context: CallContext): ReturnType<ToolThread["call"]> {
    if (this.#isClosed) throw new BatonError("closed", "the tool threads are closed");
    const thread = this.#take(context.tenant);
    try {
      return await thread.call(task, context);
    } finally {
      this.#giveBack(thread, context.tenant);
    }
  }

  /** An idle thread that has served only this tenant, or a new one. */
  #take(tenant: string | undefined): ToolThread {
    for (;;) {
      const index = this.#idle.findLastIndex((idle) => idle.tenant === tenant);
      const [idle] = index === -1 ? [] : this.#idle.splice(index, 1);
      if (idle === undefined) break;
      clearTimeout(idle.timer);
      if (idle.thread.isFree) return idle.thread;
    }
    if (this.#threads.size >= this.#maxThreads) this.#endLongestIdle();
    return this.#start();
  }

  /** Makes room for a thread of another tenant. */
  #endLongestIdle(): void {
    const idle = this.#idle.shift();
    clearTimeout(idle?.timer);
    idle?.thread.end();
  }

  #start(): ToolThread {
    const thread = new ToolThread(this.#options);
    this.#threads.add(thread);
    thread.ended.then(
      () => this.#threads.delete(thread),
      () => this.#threads.delete(thread),
    );
    return thread;
  }

  #giveBack(thread: ToolThread, tenant: string | undefined): void {
    if (!thread.isFree || this.#isClosed) return;
    const timer = setTimeout(() => thread.end(), this.#idleMs);
    timer.unref();
    this.#idle.push({ thread, tenant, timer });
  }
}
