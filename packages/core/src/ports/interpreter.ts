/**
 * Interpreter: runs code that a model wrote, in an instance that has nothing but the tools it is given.
 *
 * Code that makes the same calls and is handed the same results in the same order does the same again, on any machine:
 * time and randomness come from the log. It goes on only when it is handed a result.
 */
import type { Failure } from "../words/error.ts";
import type { Json } from "../words/json.ts";
import type { Scope } from "../lifetimes/scope.ts";

/** Limits of one code. */
export interface CodeLimits {
  readonly memoryMb: number;
  readonly cpuSeconds: number;
  readonly maxCalls: number;
  readonly maxConsoleChars: number;
}

/** Code that is to run: the body of an async function. */
export interface Code {
  readonly text: string;
  /** Names of the tools that it may call. */
  readonly tools: readonly string[];
  readonly limits: CodeLimits;
  /** Time that it sees at first; with its position in the run it is the seed of random numbers. */
  readonly at: number;
  readonly position: string;
}

/** A call that code makes, and the line that makes it. */
export type CodeCall = Readonly<{ tool: string; args: Json; line?: number }>;

/** The result of one of its calls, and the time that it sees from then on; the first call is 1. */
export type CodeResult = Readonly<{ call: number; at: number }> &
  (Readonly<{ output: Json }> | Readonly<{ error: CodeFailure }>);

/** Why code, or a call in it, failed. */
export type CodeFailure = Readonly<{ kind: NonNullable<Failure["kind"]>; message: string }>;

/** The end of code: what it returned, which is a text if it was cut to its beginning, or why it failed. */
export type CodeEnd = Readonly<{ console?: string }> &
  (Readonly<{ result: Json; wholeChars?: number }> | Readonly<{ error: CodeFailure }>);

/** Calls that code has made since it was last handed a result; `end` once it has settled and no call is open. */
export type CodeStep = Readonly<{ calls: readonly CodeCall[]; end?: CodeEnd }>;

/** Code that has begun. */
export interface RunningCode {
  /** Begins or hands a result in, and waits until only another result can move it on; rejects if the scope ends. */
  step(scope: Scope, result?: CodeResult): Promise<CodeStep>;
  /** Drops the instance. */
  close(): void;
}

export interface Interpreter {
  /** Name and version, for the log. */
  readonly engine: string;
  start(code: Code): RunningCode;
}
