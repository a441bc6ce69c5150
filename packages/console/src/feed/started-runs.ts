/**
 * Started runs: what this tab has just asked for, on whichever page; the stage may replay it once.
 */

/** A run that this tab has started. */
export interface StartedByTab {
  readonly id: string;
  readonly session: string;
  readonly crew: string;
  readonly input: string;
}

/** The runs that this tab has started and the chat has not left since. */
export class StartedRuns {
  readonly #listeners = new Set<() => void>();
  #runs: readonly StartedByTab[] = [];

  /** All of them, the oldest first; the same array until that changes. */
  get runs(): readonly StartedByTab[] {
    return this.#runs;
  }

  /** Takes one more. */
  add(run: StartedByTab): void {
    this.#change([...this.#runs, run]);
  }

  /** From now on they are runs as any other. */
  clear(): void {
    if (this.#runs.length > 0) this.#change([]);
  }

  /** Calls back after every change; returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #change(runs: readonly StartedByTab[]): void {
    this.#runs = runs;
    for (const listener of this.#listeners) listener();
  }
}
