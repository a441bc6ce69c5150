/**
 * Admission: whether the server takes on another run now.
 *
 * What it refuses is refused before anything was started, with when to come back. Reads: problem. Read by: life, routes.
 */
import type { DurableEngine, Store } from "@baton/store";
import { Problem, retryAfter } from "./gateway/problem.ts";

/** What admission depends on. */
export interface AdmissionOptions {
  readonly engine: Pick<DurableEngine, "open">;
  readonly store: Pick<Store, "healthy">;
  readonly maxRuns: number;
}

const BUSY_MS = 1_000;
const STOPPING_MS = 5_000;

/** Counts those who are on their way in. */
export class Admission {
  readonly #options: AdmissionOptions;
  #entering = 0;
  #isStopping = false;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  /** Whether a load balancer should send requests here. */
  get isReady(): boolean {
    return !this.#isStopping && this.#options.store.healthy;
  }

  /** From here on nothing new begins. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Lets in who may start or go on with a run, until the run is counted itself; else throws a `Problem`. */
  enter(): Disposable {
    this.check();
    const { engine, maxRuns } = this.#options;
    if (engine.open + this.#entering >= maxRuns) {
      throw unavailable(`The server is at work on ${maxRuns} runs, as many as it may. Try again later.`, BUSY_MS);
    }
    this.#entering++;
    return {
      [Symbol.dispose]: () => {
        this.#entering--;
      },
    };
  }

  /** Throws where nothing can be written now. */
  check(): void {
    if (this.#isStopping) throw unavailable("The server is stopping. Try again in a moment.", STOPPING_MS);
    if (!this.#options.store.healthy) throw unavailable("The store cannot be written now. Try again later.", BUSY_MS);
  }
}

function unavailable(detail: string, waitMs: number): Problem {
  return new Problem("closed", detail, { headers: retryAfter(waitMs) });
}
