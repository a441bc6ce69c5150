/**
 * Baton: what an application opens, to run crews durably and to serve them.
 *
 * The engine, the store and the server are loaded when it is opened: types and definitions cost nothing before that.
 */
import type { Crew, Run } from "@baton/core";
import type { ResultOf } from "@baton/core/engine";
import type { DurableStart, RunFile } from "@baton/durable";
import type { RunFilter, RunRecord } from "@baton/store";
import { type BatonOptions, checkOptions, type HandleOptions, type ServeOptions } from "./options.ts";
import type { Served } from "./serving.ts";

/** Options of a run beside its input. */
export type RunOptions = Omit<DurableStart, "input" | "once" | "afterOf" | "request" | "by"> & {
  /** Cancels the run when it aborts, until the run pauses or ends: in a tool, `scope.abort`. */
  readonly abort?: AbortSignal;
};

/** A judgement of a run; a comment has at most 2,000 characters. */
export interface RunFeedback {
  readonly rating: "up" | "down" | null;
  readonly comment?: string;
}

/** The crews, runs and servers of an application. */
export interface Baton extends AsyncDisposable {
  /** Starts a run of a crew, or of one of `crews` by its id; if a run of the session waits for a message, continues it. */
  start<Output = unknown>(crew: Crew<Output> | string, input: string, options?: RunOptions): Run<ResultOf<Output>>;
  /** A run by its id, of this process or an earlier one; an interrupted run continues. */
  open(id: string): Promise<Run>;
  /** The records of runs, the newest first. */
  runs(filter?: RunFilter): Promise<readonly RunRecord[]>;
  /** The lines of a run's file: one about the run, then one for each event. */
  exportRun(id: string): AsyncIterable<string>;
  /** Imports a run from its file and gives its id, a new one if that is taken. It does not continue by itself. */
  importRun(lines: RunFile): Promise<string>;
  /** Rates a run that has ended or paused, in the name of its owner; `null` removes the rating. */
  feedback(id: string, feedback: RunFeedback): Promise<void>;
  /** Continues every run of `crews` that was interrupted, now and from now on; resolves with how many there were. */
  recover(): Promise<number>;
  /** Resolves once no run executes here; a paused run does not count. */
  idle(): Promise<void>;
  /** Serves the crews over HTTP, with the console: those of `crews` and those that were started. */
  serve(options?: ServeOptions): Promise<Served>;
  /** Answers a request in this process, as a server on a loopback address would; it needs no port and no `this`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Returns a `fetch` with options: a base path, and the login of the application. */
  handler(options?: HandleOptions): (request: Request) => Promise<Response>;
}

/** Opens Baton: keys from the environment and `.env`, runs kept in `.baton`, unless the options say otherwise. */
export async function openBaton(options: BatonOptions = {}): Promise<Baton> {
  checkOptions(options);
  const { open } = await import("./opened-baton.ts");
  return open(options);
}
