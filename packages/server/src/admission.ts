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

/** Counts those who are on their way in, until the engine counts their runs. */
export class Admission {
  readonly #options: AdmissionOptions;
  #entering = 0;
  /** How many of them the engine counts already. */
  #through = 0;
  /** What the engine counted when it was last asked. */
  #open = 0;
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
    this.#look();
    if (this.#open + this.#entering - this.#through >= this.#options.maxRuns) throw unavailable("overloaded");
    this.#entering++;
    return { [Symbol.dispose]: () => this.#leave() };
  }

  /** Lets in who needs no room; throws where nothing can be written now. */
  pass(): Disposable {
    this.check();
    return { [Symbol.dispose]: () => undefined };
  }

  /** Throws where nothing can be written now. */
  check(): void {
    if (this.#isStopping) throw unavailable("stopping");
    const { problem } = this.#options.store;
    if (problem !== undefined) throw unavailable("store_unavailable", { cause: problem });
  }

  /** Whom the engine counts more than before has come through here. */
  #look(): void {
    const { open } = this.#options.engine;
    this.#through = Math.min(this.#entering, this.#through + Math.max(0, open - this.#open));
    this.#open = open;
  }

  /** Whoever leaves is taken for one who is through: at worst too many are counted, until the next one leaves. */
  #leave(): void {
    this.#look();
    this.#entering--;
    this.#through = Math.max(0, this.#through - 1);
  }
}
