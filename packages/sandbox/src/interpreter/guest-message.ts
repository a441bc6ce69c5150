/**
 * Guest message: what crosses between the engine's thread and a worker in which an instance runs.
 *
 * What a worker sends comes from code that is not trusted: texts are bounded in the worker, before they are sent.
 */

/** Limits of one instance, and the settings that they come from, for messages. */
export interface GuestLimits {
  readonly memoryMb: number;
  readonly cpuSeconds: number;
  readonly maxCalls: number;
  readonly maxConsoleChars: number;
  readonly settings: Readonly<{ memory: string; cpu: string; calls: string }>;
}

/** A start: the body of an async function with tools, or a module whose default export is given the input, or only read. */
export interface GuestStart {
  readonly type: "start";
  readonly kind: "code" | "module" | "check";
  readonly source: string;
  /** JSON; of a module. */
  readonly input?: string;
  readonly tools: readonly string[];
  readonly limits: GuestLimits;
  /** Time that the code sees, in milliseconds since 1970. */
  readonly at: number;
  /** Seed of its random numbers: three whole numbers. */
  readonly seed: readonly number[];
}

/** The end of a call: its output as JSON, or why it failed. */
export interface GuestSettle {
  readonly type: "settle";
  /** The first call is 1. */
  readonly call: number;
  /** Empty if it succeeded. */
  readonly kind: string;
  readonly text: string;
  readonly at: number;
}

/** A call that the code makes; `args` is JSON. */
export type GuestCall = Readonly<{ tool: string; args: string; line?: number }>;

/** Kinds of failures of code. */
export type GuestFailure = "permanent" | "validation" | "timeout" | "crash";

/** The end of the code: what it returned as JSON, cut if `wholeChars` is there, or why it failed. */
export type GuestEnd = Readonly<{ console: string }> &
  (
    | Readonly<{ result: string; wholeChars?: number }>
    | Readonly<{ kind: GuestFailure; message: string; isBroken?: boolean }>
  );

/** Calls that the code has made since the last step, and its end. */
export type GuestStep = Readonly<{ calls: readonly GuestCall[]; end?: GuestEnd }>;
