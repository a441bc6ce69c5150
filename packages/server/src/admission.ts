/**
 * Admission: whether the server takes on another run now.
 *
 * What it refuses is refused before anything was started, with when to come back. Reads: fault. Read by: life, routes.
 */
import type { DurableEngine, Store } from "@baton/store";
import { unavailable } from "./gateway/fault.ts";

/** What admission depends on. */
export interface AdmissionOptions {
  readonly engine: Pick<DurableEngine, "open">;
  readonly store: Pick<Store, "problem">;
  readonly maxRuns: number;
}

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
    return !this.#isStopping && this.#options.store.problem === undefined;
  }

  /** From here on nothing new begins. */
  stop(): void {
    this.#isStopping = true;
  }

  /** Lets in who may start or go on with a run, until the run is counted itself; else throws a `Problem`. */
  enter(): Disposable {
    this.check();
    const { engine, maxRuns } = this.#options;
    if (engine.open + this.#entering >= maxRuns) throw unavailable("overloaded");
    this.#entering++;
    return {
      [Symbol.dispose]: () => {
        this.#entering--;
      },
    };
  }

  /** Throws where nothing can be written now. */
  check(): void {
    if (this.#isStopping) throw unavailable("stopping");
    const { problem } = this.#options.store;
    if (problem !== undefined) throw unavailable("store_unavailable", { cause: problem });
  }
}
