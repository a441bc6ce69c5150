/**
 * Call timer: how long one model call may keep silent.
 *
 * Four limits: until the response begins, until its first part, between two parts, and for the whole. The one that
 * passes cancels the call's scope, which closes the socket, and says which it was.
 */
import type { BatonError } from "@baton/core";
import type { Scope } from "@baton/core/ports";
import { modelError } from "./failure.ts";

/** Timeouts of a model call. */
export interface Timeouts {
  /** Until the provider's response begins. */
  readonly connectMs: number;
  /** Until its first part, counted from the start of the response. */
  readonly firstChunkMs: number;
  /** Between two parts; a model that thinks in silence needs this long. */
  readonly betweenChunksMs: number;
  readonly totalMs: number;
}

/** The defaults. */
export const DEFAULT_TIMEOUTS: Timeouts = {
  connectMs: 60_000,
  firstChunkMs: 120_000,
  betweenChunksMs: 120_000,
  totalMs: 600_000,
};

type Phase = Exclude<keyof Timeouts, "totalMs">;

const WHAT: { readonly [Key in keyof Timeouts]: string } = {
  connectMs: "no response",
  firstChunkMs: "nothing in the response",
  betweenChunksMs: "the response fell silent",
  totalMs: "the response did not end",
};

/** The call that is timed, and its timeouts. */
export interface CallTimerOptions {
  readonly call: Scope;
  readonly model: string;
  readonly timeouts: Timeouts;
}

/** The timer of one call. */
export class CallTimer {
  readonly #options: CallTimerOptions;
  readonly #total: { cancel(): void };
  #silence: { cancel(): void } | undefined;
  #cancelling: Promise<unknown> | undefined;

  constructor(options: CallTimerOptions) {
    this.#options = options;
    this.#total = this.#after("totalMs");
    this.enter("connectMs");
  }

  /** Starts the next phase of the call: from now on this limit counts. */
  enter(phase: Phase): void {
    this.#silence?.cancel();
    this.#silence = this.#after(phase);
  }

  /** Releases the timers; waits for a cancel that has begun. */
  async stop(): Promise<void> {
    this.#silence?.cancel();
    this.#total.cancel();
    await this.#cancelling;
  }

  #after(limit: keyof Timeouts): { cancel(): void } {
    const { call, timeouts } = this.#options;
    return call.clock.after(timeouts[limit], () => {
      this.#cancelling = call.cancel(this.#error(limit));
    });
  }

  #error(limit: keyof Timeouts): BatonError {
    const { model, timeouts } = this.#options;
    return modelError(model, "timeout", { detail: `${WHAT[limit]} within ${timeouts[limit]} ms` });
  }
}
