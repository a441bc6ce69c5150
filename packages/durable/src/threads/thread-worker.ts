/**
 * Thread worker: the program of a worker thread of `ToolThreads`. It imports the tool's file, finds the tool in its
 * default export and carries out calls; all that crosses is JSON.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { BatonError, type CallContext, type Json, type Tool, ToolError } from "@baton/core";
import { toNote } from "@baton/core/engine";
import { type Documents, type RunState, Scope, type SuspendOptions, SystemClock } from "@baton/core/ports";
import { boundOutput, isSuspension, toMessage, toStateValue, toToolFailure } from "@baton/core/util";
import {
  type FromThread,
  type ModuleVersion,
  type TaskContext,
  type ThreadData,
  type ThreadFailure,
  type ToolTask,
  type ToThread,
  VERSION_QUERY,
  type Wanted,
} from "./thread-message.ts";
import { findTool, isCallback } from "./thread-tools.ts";

/** Gives the modules of a version as they were when it was read, whatever the files hold now. */
function serveModules({ id, modules }: ModuleVersion): void {
  const query = VERSION_QUERY + id;
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const url = found.url + query;
      return context.parentURL?.endsWith(query) && modules.has(url) ? { ...found, url } : found;
    },
    load(url, context, next) {
      const known = modules.get(url);
      return known === undefined ? next(url, context) : { ...known, shortCircuit: true };
    },
  });
}

/** Answers calls until the thread is ended. */
function serve(port: MessagePort, { running, isShared, version }: ThreadData): void {
  const files = new LoadedFiles(version);
  const root = Scope.root({ clock: new SystemClock(), name: "thread" });
  const scopes = new Map<number, Scope>();
  const questions = new Questions((message) => port.postMessage(message));
  const tell = (message: FromThread) => port.postMessage(message);
  const track = new JobTracker(running);
  if (isShared) track.reportStrays(tell);
  const fail = (job: number, thrown: unknown) => {
    const { kind, message } = toToolFailure(thrown);
    tell({ type: "failed", job, kind: kind === undefined || kind === "cancelled" ? "crash" : kind, message });
  };
  const call = async ({ job, task, context }: Extract<ToThread, { type: "call" }>): Promise<void> => {
    const { timeoutMs } = context;
    const scope = root.child({ name: context.call, ...(timeoutMs === undefined ? {} : { timeoutMs }) });
    scopes.set(job, scope);
    const ask = (wanted: Wanted, args: readonly unknown[]) => questions.ask(job, wanted, args);
    try {
      tell(await track.run(job, () => carryOut({ job, task, context, scope, files, ask, tell, track })));
    } catch (thrown) {
      fail(job, thrown);
    } finally {
      scopes.delete(job);
    }
  };
  port.on("message", (message: ToThread) => {
    switch (message.type) {
      case "abort":
        tell({ type: "turned", job: message.job });
        // Nothing awaits it: the call ends by itself, or its thread is ended.
        scopes
          .get(message.job)
          ?.cancel(new BatonError("cancelled", message.reason))
          .catch((thrown: unknown) => fail(message.job, thrown));
        return;
      case "answered":
        questions.answer(message);
        return;
      case "load":
        files.import(message.file).then(
          () => tell({ type: "loaded" }),
          () => tell({ type: "loaded" }),
        );
        return;
      case "shut_down":
        files.shutDown().then(
          () => tell({ type: "shut" }),
          (error: unknown) => tell({ type: "shut", message: toMessage(error) }),
        );
        return;
      case "call":
        call(message).catch((thrown: unknown) => fail(message.job, thrown));
    }
  });
}

/** Knows which call the code belongs to that runs now, also after it has waited. */
class JobTracker {
  readonly #running: Int32Array;
  readonly #job = new AsyncLocalStorage<number>();

  constructor(running: SharedArrayBuffer) {
    this.#running = new Int32Array(running);
    const exit = process.exit.bind(process);
    process.exit = (code) => {
      this.#running[0] = this.#job.getStore() ?? 0;
      return exit(code);
    };
  }

  run<T>(job: number, work: () => Promise<T>): Promise<T> {
    return this.#job.run(job, work);
  }

  /** Runs code that may never yield: the main thread can see whose it is. */
  during<T>(job: number, work: () => T): T {
    this.#running[0] = job;
    try {
      return work();
    } finally {
      this.#running[0] = 0;
    }
  }

  /** Errors that nothing catches do not end the thread: other calls run in it. */
  reportStrays(tell: (message: FromThread) => void): void {
    const report = (error: unknown): void => {
      this.#running[0] = 0;
      const job = this.#job.getStore();
      tell({ type: "stray", message: toMessage(error), ...(job === undefined ? {} : { job }) });
    };
    process.on("uncaughtException", report);
    process.on("unhandledRejection", report);
  }
}

type Answered = Extract<ToThread, { type: "answered" }>;

/** Questions to the main thread that wait for their answers. */
class Questions {
  readonly #tell: (message: FromThread) => void;
  readonly #waiting = new Map<number, (answered: Answered) => void>();
  #last = 0;

  constructor(tell: (message: FromThread) => void) {
    this.#tell = tell;
  }

  async ask(job: number, wanted: Wanted, args: readonly unknown[]): Promise<unknown> {
    const question = ++this.#last;
    const { value, error } = await new Promise<Answered>((resolve, reject) => {
      this.#waiting.set(question, resolve);
      try {
        this.#tell({ type: "asked", job, question, wanted, args });
      } catch (thrown) {
        this.#waiting.delete(question);
        reject(thrown);
      }
    });
    if (error !== undefined) throw toError(error);
    return value;
  }

  answer(answered: Answered): void {
    const resolve = this.#waiting.get(answered.question);
    this.#waiting.delete(answered.question);
    resolve?.(answered);
  }
}

function toError({ code, kind, message }: ThreadFailure): Error {
  if (code !== undefined) return new BatonError(code, message);
  return kind === undefined ? new Error(message) : new ToolError(kind, message);
}

type Job = Readonly<{
  job: number;
  task: ToolTask;
  context: TaskContext;
  scope: Scope;
  files: LoadedFiles;
  ask: (wanted: Wanted, args: readonly unknown[]) => Promise<unknown>;
  tell: (message: FromThread) => void;
  track: JobTracker;
}>;

async function carryOut(given: Job): Promise<FromThread> {
  const { job, task, tell, track } = given;
  const tool = await loadTool(given);
  const { released } = task;
  if (released !== undefined) {
    await track.during(job, () => tool.release?.(released, { key: given.context.key }));
    return { type: "done", job, output: null, state: [] };
  }
  const prepared = await tool.prepare(task.args);
  if (!prepared.ok) {
    const problems = prepared.issues.map(({ path, message }) => `${path} ${message}`.trim());
    throw new ToolError("validation", `the arguments do not fit in the thread: ${problems.join("; ")}`);
  }
  const changes = new Map<string, Json>();
  await using scope = given.scope;
  if (scope.reason !== undefined) throw scope.reason;
  tell({ type: "began", job });
  const output = await track.during(job, () => prepared.run(toContext(given, changes)));
  if (isSuspension(output)) return { type: "suspended", job, options: toPlain(output.options) };
  const bounded = boundOutput(output);
  if (!bounded.ok) throw new ToolError("crash", `the tool returned something unusable: ${bounded.why}`);
  // What is too long is cut by the main thread, which knows how long it was.
  const whole = typeof output === "string" ? output : JSON.stringify(output);
  const { changed } = bounded;
  const kept = bounded.wholeChars === undefined ? bounded.output : whole;
  const done = { type: "done", job, output: kept, state: [...changes] } as const;
  return changed === undefined ? done : { ...done, changed };
}

/** The options as JSON; throws if they cannot cross. */
function toPlain(options: SuspendOptions): SuspendOptions;
function toPlain(options: SuspendOptions): unknown {
  const bounded = boundOutput(options);
  if (!bounded.ok) throw new ToolError("permanent", `the tool cannot be suspended with this: ${bounded.why}`);
  return bounded.output;
}

/** The main thread has checked the file; it may have changed since then. */
async function loadTool({ task, files }: Job): Promise<Tool> {
  const { file, tool: name } = task;
  let exported: unknown;
  try {
    exported = (await files.import(file)).get("default");
  } catch (error) {
    throw new ToolError("permanent", `${file}: the file cannot be imported: ${toMessage(error).slice(0, 500)}`);
  }
  const tool = findTool(exported, task);
  if (tool !== undefined) return tool;
  throw new ToolError("permanent", `${file}: its default export has no tool ${name}`);
}

/** The files that were imported. */
class LoadedFiles {
  readonly #query: string;
  readonly #loaded = new Map<string, ReadonlyMap<string, unknown>>();

  constructor(version: ModuleVersion | undefined) {
    this.#query = version === undefined ? "" : VERSION_QUERY + version.id;
  }

  /** The exports of a file. */
  async import(file: string): Promise<ReadonlyMap<string, unknown>> {
    const known = this.#loaded.get(file);
    if (known !== undefined) return known;
    const module: unknown = await import(pathToFileURL(file).href + this.#query);
    const exports = new Map(typeof module === "object" && module !== null ? Object.entries(module) : []);
    this.#loaded.set(file, exports);
    return exports;
  }

  /** Calls their `onShutdown`. */
  async shutDown(): Promise<void> {
    for (const exports of this.#loaded.values()) {
      const hook = exports.get("onShutdown");
      if (isCallback(hook)) await hook();
    }
  }
}

const DOCUMENT_METHODS = ["get", "put", "putAll", "delete", "list", "search", "nearest"] as const;

function toContext({ job, context: given, scope, ask, tell }: Job, changes: Map<string, Json>): CallContext {
  const { state: entries, timeoutMs: _, ...context } = given;
  const values = new Map(entries);
  const state: RunState = {
    get: (key) => (changes.has(key) ? changes : values).get(key),
    entries: () => new Map([...values, ...changes]),
    set(key, value) {
      changes.set(key, toStateValue(key, value));
    },
  };
  const progress = (value: Json): void => {
    const bounded = boundOutput(value);
    if (bounded.ok) tell({ type: "progressed", job, progress: bounded.output });
  };
  const note = (kind: string, noted: Json): void => {
    const { data: checked } = toNote({ kind, data: noted }, context.call, "");
    tell({ type: "noted", job, kind, data: checked });
  };
  return { ...context, scope, state, documents: toDocuments(ask), outputOf: toOutputOf(ask), progress, note };
}

function toOutputOf(ask: Job["ask"]): CallContext["outputOf"];
function toOutputOf(ask: Job["ask"]): (call: string) => Promise<unknown> {
  return (call) => ask("outputOf", [call]);
}

/** Documents that the main thread reads and writes. */
function toDocuments(ask: Job["ask"]): Documents;
function toDocuments(ask: Job["ask"]): object {
  return Object.fromEntries(DOCUMENT_METHODS.map((name) => [name, (...args: readonly unknown[]) => ask(name, args)]));
}

/** `ToolThread` starts this program, with nothing else. */
function toData(given: unknown): ThreadData;
function toData(given: unknown): unknown {
  return given;
}

// At the end, where everything above is defined.
const data = toData(workerData);
if (data.version !== undefined) serveModules(data.version);
for (const url of data.setup) await import(url);
if (parentPort !== null) serve(parentPort, data);
