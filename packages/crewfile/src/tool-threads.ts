/**
 * Tool threads: a pool of worker threads in which tools run, so that one that never yields stops nothing else.
 *
 * No thread is started before the first call, and one that has been idle for a while is ended. Disposing ends them all.
 */
import { availableParallelism } from "node:os";
import { BatonError, type CallContext, type Json, type Tool } from "@baton/core";
import type { Prepared } from "@baton/core/ports";
import { Semaphore } from "@baton/core/util";
import { type Task, type ThreadOptions, ToolThread } from "./tool-thread.ts";

/** How a pool works; every field has a default. */
export interface ToolThreadsOptions extends Partial<ThreadOptions> {
  /** How many calls run at once, each in its own thread. Default: one a core, at least 4. */
  readonly size?: number;
  /** A thread that had nothing to do for this long is ended. */
  readonly idleMs?: number;
}

const LEAST_SIZE = 4;
const IDLE_MS = 30_000;
const HEAP_MB = 512;

/** Threads for tools, made by the caller that reads crews. */
export class ToolThreads implements AsyncDisposable {
  readonly #options: ThreadOptions;
  readonly #idleMs: number;
  readonly #permits: Semaphore;
  readonly #threads = new Set<ToolThread>();
  /** The one that was used last is used first, so that the others become idle. */
  readonly #idle: { readonly thread: ToolThread; readonly timer: NodeJS.Timeout }[] = [];
  /** By the tool as its file gives it: crews that share a tool share its limit. */
  readonly #tools = new WeakMap<Tool, Tool>();
  #isClosed = false;

  constructor({ size, setup = [], heapMb = HEAP_MB, idleMs = IDLE_MS }: ToolThreadsOptions = {}) {
    this.#options = { setup, heapMb };
    this.#idleMs = idleMs;
    this.#permits = new Semaphore(size ?? Math.max(LEAST_SIZE, availableParallelism()));
  }

  /** How many threads there are. */
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

  async #call(task: Task, context: CallContext): Promise<Json> {
    if (this.#isClosed) throw new BatonError("closed", "the tool threads are closed");
    const thread = this.#take();
    try {
      return await thread.call(task, context);
    } finally {
      this.#giveBack(thread);
    }
  }

  #take(): ToolThread {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.thread.isFree) return idle.thread;
    }
    const thread = new ToolThread(this.#options);
    this.#threads.add(thread);
    thread.ended.then(
      () => this.#threads.delete(thread),
      () => this.#threads.delete(thread),
    );
    return thread;
  }

  #giveBack(thread: ToolThread): void {
    if (!thread.isFree || this.#isClosed) return;
    const timer = setTimeout(() => thread.end(), this.#idleMs);
    timer.unref();
    this.#idle.push({ thread, timer });
  }
}
