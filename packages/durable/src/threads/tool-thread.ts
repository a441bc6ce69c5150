/**
 * Tool thread: one worker thread of a pool, as the main thread sees it. It carries out one call at a time.
 *
 * A call that is cancelled or out of time gets an abort, and its thread is ended 50 ms later; one that has not begun
 * yet never begins. A call whose thread ends fails as `crash`; nothing else notices.
 */
import { extname } from "node:path";
import type { HeapInfo } from "node:v8";
import { Worker } from "node:worker_threads";
import { type CallContext, type Json, type Message, ToolError, type ToolErrorKind } from "@baton/core";
import type { FinishedCall, Identity } from "@baton/core/ports";
import { ChangedOutput, omitUndefined, toMessage } from "@baton/core/util";

/** Options of a thread. */
export interface ThreadOptions {
  /** Modules that a thread imports before any tool, by their URLs. */
  readonly setup: readonly string[];
  /** Memory that one thread may use, buffers included. */
  readonly heapMb: number;
}

/** A tool to call, with its arguments. */
export type ToolTask = Readonly<{ file: string; tool: string; args: Json }>;

/** The part of a call's context that crosses to the thread. */
export type TaskContext = Identity &
  Readonly<{
    key: string;
    run: string;
    call: string;
    attempt: number;
    messages: readonly Message[];
    state: readonly (readonly [string, Json])[];
    calls: readonly FinishedCall[];
    /** Absent if there is no limit. */
    timeoutMs?: number;
  }>;

/** A message to a thread. */
export type ToThread =
  | Readonly<{ type: "call"; task: ToolTask; context: TaskContext }>
  | Readonly<{ type: "abort"; reason: string }>
  /** The answer to `asked`; without `output` if there is none. */
  | Readonly<{ type: "output"; of: string; output?: Json }>;

/** A message from a thread. */
export type FromThread =
  /** The tool is loaded, its arguments fit, and it runs from now on. */
  | Readonly<{ type: "began" }>
  | Readonly<{ type: "progressed"; progress: Json }>
  | Readonly<{ type: "noted"; kind: string; data: Json }>
  /** The tool asks for the recorded output of a call. */
  | Readonly<{ type: "asked"; of: string }>
  /** `changed` lists what JSON does not have. */
  | Readonly<{
      type: "done";
      output: Json;
      state: readonly (readonly [string, Json])[];
      changed?: readonly string[];
    }>
  | Readonly<{ type: "failed"; kind: ToolErrorKind; message: string }>;

/** The call under way. */
interface Job {
  readonly task: ToolTask;
  readonly context: CallContext;
  readonly resolve: (output: Json | ChangedOutput) => void;
  readonly reject: (error: unknown) => void;
  hasBegun: boolean;
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
  readonly #worker: Worker;
  readonly #ended = Promise.withResolvers<void>();
  #job: Job | undefined;
  #isOver = false;
  #isTooLarge = false;
  #error: unknown;

  constructor(options: ThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(WORKER, {
      argv: [...options.setup],
      resourceLimits: { maxOldGenerationSizeMb: options.heapMb + SPARE_MB },
    });
    this.#worker.on("message", (message: FromThread) => this.#hear(message));
    this.#worker.on("error", (error: unknown) => {
      this.#error = error;
    });
    this.#worker.on("exit", (code) => this.#exit(code));
  }

  /** Whether it can take another call. */
  get isFree(): boolean {
    return this.#job === undefined && !this.#isOver;
  }

  /** Settles when the thread has ended. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Carries out a call; settles when the thread has answered or ended. */
  async call(task: ToolTask, context: CallContext): Promise<Json | ChangedOutput> {
    const { scope } = context;
    const { promise, resolve, reject } = Promise.withResolvers<Json | ChangedOutput>();
    const job = { task, context, resolve, reject, hasBegun: false };
    this.#job = job;
    this.#worker.ref();
    this.#tell({ type: "call", task, context: toTaskContext(context) });
    let stopping: { cancel(): void } | undefined;
    const watching = setInterval(() => this.#watch(job), WATCH_MS);
    const forget = scope.onCancel((reason) => {
      this.#tell({ type: "abort", reason: reason.message });
      if (job.hasBegun) stopping = scope.clock.after(STOP_MS, () => this.end());
      else {
        this.end();
        reject(reason);
      }
    });
    try {
      return await promise;
    } finally {
      forget();
      stopping?.cancel();
      clearInterval(watching);
      this.#job = undefined;
      this.#worker.unref();
    }
  }

  /** Ends the thread at once, also during a call. */
  end(): void {
    this.#isOver = true;
    // `exit` reports what became of it.
    this.#worker.terminate().catch((error: unknown) => this.#job?.reject(error));
  }

  #watch(job: Job): void {
    const end = ({ used_heap_size: heap, external_memory: external }: HeapInfo): void => {
      if (heap + external <= this.#options.heapMb * MB || this.#job !== job) return;
      this.#isTooLarge = true;
      this.end();
    };
    // A thread that has just ended has no memory to look at.
    this.#worker.getHeapStatistics().then(end, () => undefined);
  }

  #tell(message: ToThread): void {
    this.#worker.postMessage(message);
  }

  #hear(message: FromThread): void {
    const job = this.#job;
    if (job === undefined) return;
    switch (message.type) {
      case "began":
        job.hasBegun = true;
        return;
      case "progressed":
        job.context.progress(message.progress);
        return;
      case "noted":
        job.context.note(message.kind, message.data);
        return;
      case "asked":
        this.#answer(job, message.of).catch(job.reject);
        return;
      case "done":
        for (const [key, value] of message.state) job.context.state.set(key, value);
        job.resolve(
          message.changed === undefined ? message.output : new ChangedOutput(message.output, message.changed),
        );
        return;
      case "failed":
        job.reject(new ToolError(message.kind, message.message));
    }
  }

  async #answer(job: Job, of: string): Promise<void> {
    const output = await job.context.outputOf(of);
    if (this.#job === job) this.#tell({ type: "output", of, ...omitUndefined({ output }) });
  }

  #exit(code: number): void {
    this.#isOver = true;
    const { scope } = this.#job?.context ?? {};
    this.#job?.reject(scope?.reason ?? this.#toError(code, this.#job));
    this.#ended.resolve();
  }

  #toError(code: number, { task, hasBegun }: Job): ToolError {
    // A thread that cannot even be started may be the next time.
    if (!hasBegun) return new ToolError("temporary", `the thread of ${task.tool} did not start`, { isUnstarted: true });
    return new ToolError("crash", this.#toCause(code, task));
  }

  #toCause(code: number, { tool }: ToolTask): string {
    if (this.#isTooLarge || codeOf(this.#error) === "ERR_WORKER_OUT_OF_MEMORY") {
      return `${tool} needed more than ${this.#options.heapMb} MB of memory`;
    }
    if (this.#error === undefined) return `${tool} ended its thread with exit code ${code}`;
    return `${tool} threw an uncaught error that ended its thread: ${toMessage(this.#error)}`;
  }
}

function toTaskContext(context: CallContext): TaskContext {
  const { key, run, call, attempt, messages, state, calls, scope, tenant, user, session } = context;
  const timeoutMs = Number.isFinite(scope.remainingMs) ? scope.remainingMs : undefined;
  const own = { key, run, call, attempt, messages, calls, state: [...state.entries()] };
  return { ...own, ...omitUndefined({ tenant, user, session, timeoutMs }) };
}

function codeOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
}
