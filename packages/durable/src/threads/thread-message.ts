/**
 * Thread message: what the main thread and a thread for tools say to each other. All of it is JSON, but for vectors of
 * documents.
 */
import type { ErrorCode, Json, Message, ToolErrorKind } from "@baton/core";
import type { Documents, FinishedCall, Identity, SuspendOptions } from "@baton/core/ports";

/** Where a thread finds a tool: the default export of a file, or the tools of a crew that the file exports. */
export interface ToolPlace {
  /** Absolute. */
  readonly file: string;
  /** The crew's name, then each step inside: `after` or `sub:NAME`. */
  readonly crew?: readonly string[];
  readonly version?: ModuleVersion;
}

/** The modules of a crew's own code at one moment, by their URLs. */
export interface ModuleVersion {
  readonly id: string;
  readonly modules: ReadonlyMap<string, Readonly<{ format: string; source: string }>>;
}

/** The query that a module's URL has if its code may change. */
export const VERSION_QUERY = "?baton=";

/** A tool to call, with its arguments; or with what a suspended call kept, which is to be given back. */
export type ToolTask = Omit<ToolPlace, "version"> & Readonly<{ tool: string; args: Json; released?: Json }>;

/** Data that a thread is started with. */
export interface ThreadData {
  /** Modules that it imports first, by their URLs. */
  readonly setup: readonly string[];
  readonly version?: ModuleVersion;
  /** The job whose code runs, or that ended the thread: one number that both sides see. */
  readonly running: SharedArrayBuffer;
  /** An uncaught error fails the job that left it behind, instead of ending the thread. */
  readonly isShared: boolean;
}

/** The part of a call's context that crosses to the thread. */
export type TaskContext = Identity &
  Readonly<{
    key: string;
    run: string;
    call: string;
    attempt: number;
    kept?: Json;
    answers?: Readonly<Record<string, Json>>;
    messages: readonly Message[];
    state: readonly (readonly [string, Json])[];
    calls: readonly FinishedCall[];
    /** Absent if there is no limit. */
    timeoutMs?: number;
  }>;

/** Something that only the main thread has. */
export type Wanted = "outputOf" | keyof Documents;

/** A message to a thread; `job` is the call that is meant. */
export type ToThread =
  | Readonly<{ type: "load"; file: string }>
  | Readonly<{ type: "call"; job: number; task: ToolTask; context: TaskContext }>
  | Readonly<{ type: "abort"; job: number; reason: string }>
  /** The answer to `asked`. */
  | Readonly<{ type: "answered"; question: number; value?: unknown; error?: ThreadFailure }>
  /** Calls `onShutdown` of the modules that were loaded. */
  | Readonly<{ type: "shut_down" }>;

/** An error as it crosses. */
export type ThreadFailure = Readonly<{ code?: ErrorCode; kind?: ToolErrorKind; message: string }>;

/** A message from a thread. */
export type FromThread =
  | Readonly<{ type: "loaded" }>
  /** Its event loop turns. */
  | Readonly<{ type: "turned"; job: number }>
  /** The tool is loaded, its arguments fit, and it runs from now on. */
  | Readonly<{ type: "began"; job: number }>
  | Readonly<{ type: "progressed"; job: number; progress: Json }>
  | Readonly<{ type: "noted"; job: number; kind: string; data: Json }>
  | Readonly<{ type: "asked"; job: number; question: number; wanted: Wanted; args: readonly unknown[] }>
  /** `changed` lists what JSON does not have. */
  | Readonly<{
      type: "done";
      job: number;
      output: Json;
      state: readonly (readonly [string, Json])[];
      changed?: readonly string[];
    }>
  | Readonly<{ type: "suspended"; job: number; options: SuspendOptions }>
  | Readonly<{ type: "failed"; job: number; kind: ToolErrorKind; message: string }>
  /** An error that no call waits for; `job` is the call that left it behind, if that is known. */
  | Readonly<{ type: "stray"; job?: number; message: string }>
  | Readonly<{ type: "shut"; message?: string }>;
