/**
 * Watchdog: cuts a connection that its owner has aborted, or that has been silent for too long.
 *
 * It stops waiting at once, even if the work ignores the abort; no listener stays on the owner's abort signal.
 */
import { ClientError } from "./client-error.ts";

/** The abort signal and the timeout of a connection. */
export interface SilenceOptions {
  /** Of the owner. */
  readonly abort: AbortSignal | undefined;
  /** The longest silence while a read is pending; the time between reads does not count. */
  readonly silenceMs: number;
}

/** Watches one connection. */
export class Watchdog {
  readonly #options: SilenceOptions;
  readonly #controller = new AbortController();

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  /** For what makes the connection. */
  get abort(): AbortSignal {
    return this.#controller.signal;
  }

  /** The result of the work; rejects with the reason if it was stopped. */
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

  /** Closes the connection. */
  end(): void {
    this.#controller.abort();
  }
}
