/**
 * Watchers: callbacks of this process for when the log of a run, or of any run, grows.
 */

/** Callbacks by run; those for all runs have no run. */
export class Watchers {
  readonly #callbacks = new Map<string | undefined, Set<() => void>>();

  get isEmpty(): boolean {
    return this.#callbacks.size === 0;
  }

  /** Whether a run has callbacks of its own. */
  has(run: string): boolean {
    return this.#callbacks.has(run);
  }

  /** Adds a callback, once more if it is there already; returns how to remove it. */
  add(run: string | undefined, changed: () => void): () => void {
    const wake = (): void => changed();
    const all = this.#callbacks.get(run) ?? new Set();
    this.#callbacks.set(run, all.add(wake));
    return () => {
      all.delete(wake);
      if (all.size === 0 && this.#callbacks.get(run) === all) this.#callbacks.delete(run);
    };
  }

  /** Calls those of a run; without one, those for all runs. */
  wake(run?: string): void {
    for (const wake of this.#callbacks.get(run) ?? []) queueMicrotask(wake);
  }

  /** Calls all. */
  wakeAll(): void {
    for (const run of this.#callbacks.keys()) this.wake(run);
  }
}
