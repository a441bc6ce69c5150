/**
 * Suspend: what a tool returns if it must wait, for people or for a time, before it can go on.
 *
 * What it keeps is in the log, so that the wait costs nothing and survives the process. The tool is then run again with
 * `context.kept` and `context.answers`.
 */
import type { SuspendedQuestion } from "../words/event.ts";
import type { Json } from "../words/json.ts";

/** A question that a tool asks; without a schema a link is answered by `done` or `cancel`, an approval by `allow` or `deny`. */
export type ToolQuestion = Omit<SuspendedQuestion, "schema"> & Partial<Pick<SuspendedQuestion, "schema">>;

/** Fields of a suspension: `keep` is JSON of at most 64 KB; questions, or a time, or both. */
export interface SuspendOptions {
  readonly keep: Json;
  readonly questions?: readonly ToolQuestion[];
  /** The tool is run again after this time, whether or not all is answered; at least 100 ms. */
  readonly afterMs?: number;
}

/** The same for every copy of this module: tools may be loaded with another one. */
const BRAND = Symbol.for("@baton/core/suspension");

/** A call that waits; made by `suspend`. */
export class Suspension {
  readonly [BRAND] = true;
  readonly options: SuspendOptions;
  constructor(options: SuspendOptions) {
    this.options = options;
  }

  /** Throws, so that no reader takes it for the output of the call. */
  toJSON(): never {
    throw new TypeError("the call is suspended and has no output yet");
  }
}

/** Suspends the call: return it from a tool's `run`. */
export function suspend(options: SuspendOptions): Suspension {
  return new Suspension(options);
}

/** Whether a tool has suspended its call. */
export function isSuspension(value: unknown): value is Suspension {
  return typeof value === "object" && value !== null && BRAND in value;
}
