/**
 * Shutdown: the signals that end a server; the first asks it to stop, the next ends the process at once.
 *
 * Reads nothing. Read by: serve.
 */
import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** A terminal signals everybody in it, and `npm start` passes on what it got: one Ctrl-C comes twice at once. */
const ECHO_MS = 100;

/** Listens for as long as it is not disposed. */
export class Shutdown implements Disposable {
  /** Resolves with the first signal. */
  readonly asked: Promise<void>;
  readonly #ask: () => void;
  #askedAt: number | undefined;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.asked = promise;
    this.#ask = resolve;
    for (const signal of SIGNALS) process.on(signal, this.#take);
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#take);
  }

  readonly #take = (signal: (typeof SIGNALS)[number]): void => {
    const now = performance.now();
    this.#askedAt ??= now;
    if (now === this.#askedAt) this.#ask();
    else if (now - this.#askedAt > ECHO_MS) process.exit(128 + constants.signals[signal]);
  };
}
