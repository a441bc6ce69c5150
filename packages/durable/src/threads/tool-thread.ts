/**
 * Tool thread: one worker thread for tools, as the main thread sees it.
 *
 * A thread of the pool carries out one call at a time, a shared one any number. A call that is cancelled or out of time
 * gets an abort; 50 ms later the thread is ended, a shared one only if its event loop has not turned meanwhile. The call
 * that ends a thread fails as `crash`; other calls in it are interrupted and say which call it was.
 */
import { extname } from "node:path";
import type { HeapInfo } from "node:v8";
import { Worker } from "node:worker_threads";
import { type CallContext, ToolError } from "@baton/core";
import { omitUndefined, toMessage } from "@baton/core/util";
import { type JobOutput, ThreadJob, toTaskContext } from "./thread-job.ts";
import type { FromThread, ModuleVersion, ThreadData, ToolTask, ToThread } from "./thread-message.ts";

/** Options of a thread. */
export interface ThreadOptions {
  /** Modules that a thread imports before any tool, by their URLs. */
  readonly setup: readonly string[];
  /** Memory that one thread may use, buffers included. */
  readonly heapMb: number;
  /** Called with an uncaught error that a call left behind in a shared thread. */
  readonly onStray: (text: string) => void;
}

/** The kind of a thread. */
export interface ThreadKind {
  readonly isShared: boolean;
  readonly version: ModuleVersion | undefined;
}

/** Time for a call to stop by itself. */
const STOP_MS = 50;

/** Interval at which a thread's memory is checked during a call. */
const WATCH_MS = 25;

/** A thread that V8 itself ends for its memory can take the process with it, so that limit is out of reach. */
const SPARE_MB = 1_024;
const MB = 1_024 * 1_024;

// The sources are TypeScript here and JavaScript in a published package.
const WORKER = new URL(`./thread-worker${extname(import.meta.url)}`, import.meta.url);

/** A thread, from its start to its end. */
export class ToolThread {
  readonly #options: ThreadOptions;
  readonly #kind: ThreadKind;
  readonly #worker: Worker;
  readonly #running = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #ended = Promise.withResolvers<void>();
  readonly #jobs = new Map<number, ThreadJob>();
  /** Those who wait for `loaded`, in order. */
  readonly #loading: (() => void)[] = [];
  readonly #idle: (() => void)[] = [];
  #shut: ((message: string | undefined) => void) | undefined;
  #watching: NodeJS.Timeout | undefined;
  #lastJob = 0;
  #isOver = false;
  #isTooLarge = false;
  /** The call that held the event loop. */
  #spinning: ThreadJob | undefined;
  #error: unknown;

  constructor(options: ThreadOptions, kind: ThreadKind) {
    this.#options = options;
    this.#kind = kind;
    const { isShared, version } = kind;
    const { setup, heapMb } = options;
    const data: ThreadData = { setup, isShared, running: this.#running.buffer, ...omitUndefined({ version }) };
    this.#worker = new Worker(WORKER, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: heapMb + SPARE_MB },
    });
    this.#worker.unref();
    this.#worker.on("message", (message: FromThread) => this.#hear(message));
    this.#worker.on("error", (error: unknown) => {
      this.#error = error;
    });
    this.#worker.on("exit", (code) => this.#exit(code));
  }

  /** Whether it can take another call. */
  get isFree(): boolean {
    return !this.#isOver && (this.#kind.isShared || this.#jobs.size === 0);
  }

  /** Settles when the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Imports a file; settles when that is done, or has failed, or the thread has ended. */
  load(file: string): Promise<void> {
    if (this.#isOver) return Promise.resolve();
    return new Promise((resolve) => {
      this.#loading.push(resolve);
      this.#worker.ref();
      this.#tell({ type: "load", file });
    });
  }

  /** Carries out a call; settles when the thread has answered or ended. */
  async call(task: ToolTask, context: CallContext): Promise<JobOutput> {
    const { scope } = context;
    const id = ++this.#lastJob;
    const job = new ThreadJob(task, context);
    this.#jobs.set(id, job);
    this.#worker.ref();
    this.#watching ??= setInterval(() => this.#watch(), WATCH_MS);
    this.#tell({ type: "call", job: id, task, context: toTaskContext(context) });
    let stopping: { cancel(): void } | undefined;
    const forget = scope.onCancel((reason) => {
      this.#tell({ type: "abort", job: id, reason: reason.message });
      if (!job.hasBegun && !this.#kind.isShared) {
        this.end();
        job.fail(reason);
      } else stopping = scope.clock.after(STOP_MS, () => this.#stop(job));
    });
    try {
      return await job.output;
    } finally {
      forget();
      stopping?.cancel();
      this.#forget(id);
    }
  }

  /** Ends the thread at once, also during calls. */
  end(): void {
    this.#isOver = true;
    // `exit` reports what became of it.
    this.#worker.terminate().catch((error: unknown) => this.#failAll(error));
  }

  /** Calls `onShutdown` of its modules after the last call, and ends; throws what the modules throw. */
  async shutDown(): Promise<void> {
    if (this.#jobs.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
    if (this.#isOver) return;
    const message = await new Promise<string | undefined>((resolve) => {
      this.#shut = resolve;
      this.#worker.ref();
      this.#tell({ type: "shut_down" });
    });
    this.end();
    if (message !== undefined) throw new Error(message);
  }

  /** Ends the thread of a call that did not stop; a shared one only if nothing in it can go on. */
  #stop(job: ThreadJob): void {
    if (this.#kind.isShared && job.hasTurned) return;
    this.#spinning = this.#jobs.get(this.#running[0] ?? 0) ?? job;
    this.end();
  }

  #watch(): void {
    const end = ({ used_heap_size: heap, external_memory: external }: HeapInfo): void => {
      if (heap + external <= this.#options.heapMb * MB || this.#jobs.size === 0) return;
      this.#isTooLarge = true;
      this.end();
    };
    // A thread that has just ended has no memory to look at.
    this.#worker.getHeapStatistics().then(end, () => undefined);
  }

  #forget(id: number): void {
    this.#jobs.delete(id);
    if (this.#jobs.size > 0) return;
    clearInterval(this.#watching);
    this.#watching = undefined;
    this.#worker.unref();
    for (const resolve of this.#idle.splice(0)) resolve();
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromThread): void {
    if (message.type === "loaded") {
      this.#loading.shift()?.();
      if (this.#jobs.size === 0 && this.#loading.length === 0) this.#worker.unref();
      return;
    }
    if (message.type === "shut") {
      this.#shut?.(message.message);
      return;
    }
    const job = this.#jobs.get(message.job ?? 0);
    if (message.type === "stray") {
      this.#options.onStray(`${job?.task.tool ?? "a tool"} left an uncaught error behind: ${message.message}`);
      job?.fail(new ToolError("crash", `${job.task.tool} threw an uncaught error: ${message.message}`));
      return;
    }
    if (job === undefined) return;
    job.hear(message).then(
      (answer) => {
        if (answer !== undefined && !this.#isOver) this.#tell(answer);
      },
      (error: unknown) => job.fail(error),
    );
  }

  #exit(code: number): void {
    this.#isOver = true;
    this.#failAll(undefined, code);
    this.#shut?.(undefined);
    for (const resolve of this.#loading.splice(0)) resolve();
    this.#ended.resolve();
  }

  #failAll(error: unknown, code = 1): void {
    const jobs = [...this.#jobs.values()];
    const culprit = this.#spinning ?? this.#jobs.get(this.#running[0] ?? 0) ?? jobs.at(-1);
    const cause = culprit === undefined ? "" : this.#toCause(code, culprit);
    for (const job of jobs) {
      const { reason } = job.context.scope;
      job.fail(error ?? reason ?? (job === culprit ? toCrash(job, cause) : toInterrupted(job, cause)));
    }
  }

  #toCause(code: number, { task: { tool } }: ThreadJob): string {
    if (this.#isTooLarge || codeOf(this.#error) === "ERR_WORKER_OUT_OF_MEMORY") {
      return `${tool} needed more than ${this.#options.heapMb} MB of memory`;
    }
    if (this.#spinning !== undefined) return `${tool} held its thread without a pause`;
    if (this.#error === undefined) return `${tool} ended its thread with exit code ${code}`;
    return `${tool} threw an uncaught error that ended its thread: ${toMessage(this.#error)}`;
  }
}

function toCrash({ task, hasBegun }: ThreadJob, cause: string): ToolError {
  // A thread that cannot even be started may be the next time.
  if (!hasBegun) return new ToolError("temporary", `the thread of ${task.tool} did not start`, { isUnstarted: true });
  return new ToolError("crash", cause);
}

/** The error of a call whose thread another call has ended. */
function toInterrupted({ task, hasBegun }: ThreadJob, cause: string): ToolError {
  const message = `${task.tool} was interrupted, because its thread ended: ${cause}`;
  return new ToolError("temporary", message, hasBegun ? { isInterrupted: true } : { isUnstarted: true });
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
