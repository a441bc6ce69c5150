/**
 * Admission: whether the server accepts another run now.
 *
 * A refusal comes before anything has started, and says when to retry.
 */
import type { DurableEngine } from "@baton/durable";
import type { Store } from "@baton/store";
import { unavailable } from "../gateway/to-problem.ts";

/** Options of admission. */
export interface AdmissionOptions {
  readonly engine: Pick<DurableEngine, "open" | "holds">;
  readonly store: Pick<Store, "problem">;
  readonly maxRuns: number;
}

/** Someone on the way to a run. */
interface Entry {
  readonly run: string;
}

/** Counts the runs that are on their way in, until the engine holds them. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #entries = new Set<Entry>();
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

  /** Admits a request that starts or continues a run; a run that is not here yet needs room. Else throws a `Problem`. */
  enter(run: string): Disposable {
    this.check();
    const { engine, maxRuns } = this.#options;
    // An entry whose run is held already counts twice here, so the exact count is made only where it may matter.
    if (engine.open + this.#entries.size >= maxRuns && !this.#hasRoom(run)) throw unavailable("overloaded");
    const entry: Entry = { run };
    this.#entries.add(entry);
    return { [Symbol.dispose]: () => this.#entries.delete(entry) };
  }

  #hasRoom(run: string): boolean {
    const { engine, maxRuns } = this.#options;
    const coming = new Set(Array.from(this.#entries, (entry) => entry.run).filter((id) => !engine.holds(id)));
    return engine.holds(run) || coming.has(run) || engine.open + coming.size < maxRuns;
  }

  /** Throws if the store cannot be written now. */
  check(): void {
    if (this.#isStopping) throw unavailable("stopping");
    const { problem } = this.#options.store;
    if (problem !== undefined) throw unavailable("store_unavailable", { cause: problem });
  }
}
