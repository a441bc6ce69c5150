/**
 * Watchdog: cuts a connection that its owner has aborted, or that has been silent for too long.
 *
 * What is waited for is given up at once, whether it heeds the abort or not; nothing stays on the owner's signal.
 */
import { ClientError } from "./client-error.ts";

/** When to cut. */
export interface WatchdogOptions {
  /** Of the owner. */
  readonly abort: AbortSignal | undefined;
  /** Silence while somebody waits; what nobody reads may rest. */
  readonly silenceMs: number;
}

/** Watches one connection. */
export class Watchdog {
  readonly #options: WatchdogOptions;
  readonly #controller = new AbortController();

  constructor(options: WatchdogOptions) {
    this.#options = options;
  }

  /** For what makes the connection. */
  get abort(): AbortSignal {
    return this.#controller.signal;
  }

  /** The result of the work, or what cut it short. */
  async wait<T>(work: Promise<T>): Promise<T> {
    const { abort, silenceMs } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const cut = (reason: Error) => {
      reject(reason);
      this.#controller.abort(reason);
    };
    const stop = () => cut(new ClientError("aborted", "The caller aborted"));
    const silent = () => cut(new ClientError("network", `The server was silent for ${silenceMs} ms`));
    const timer = setTimeout(silent, silenceMs);
    abort?.addEventListener("abort", stop);
    if (abort?.aborted === true) stop();
    work.then(resolve, reject);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      abort?.removeEventListener("abort", stop);
    }
  }

  /** Lets go of the connection. */
  end(): void {
    this.#controller.abort();
  }
}
