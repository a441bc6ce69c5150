/**
 * Feed store: what the server tells of runs, kept for every part that draws it: which are open, and what changed last.
 */
import type { FeedChange, RunInfo } from "@baton/client";

/** Told of each run that changed. */
export type RunListener = (run: RunInfo) => void;

/** The runs that have not ended, as the server told them. */
export class FeedStore {
  readonly #open = new Map<string, RunInfo>();
  readonly #listeners = new Set<() => void>();
  readonly #runListeners = new Set<RunListener>();
  #waiting: readonly RunInfo[] = [];
  #connections = 0;

  /** Runs that wait for somebody, the one that has waited longest first; the same array until that changes. */
  get waiting(): readonly RunInfo[] {
    return this.#waiting;
  }

  /** How often the feed was connected: lists are read again when it grows. */
  get connections(): number {
    return this.#connections;
  }

  /** Takes what the server tells. */
  take(change: FeedChange): void {
    if (change.type === "snapshot") {
      this.#open.clear();
      for (const run of change.runs) this.#open.set(run.id, run);
      this.#connections++;
    } else if (change.type === "run") {
      const { run } = change;
      if (run.status === "ended") this.#open.delete(run.id);
      else this.#open.set(run.id, run);
      for (const listener of this.#runListeners) listener(run);
    }
    this.#waiting = [...this.#open.values()]
      .filter(({ status }) => status === "paused")
      .toSorted((one, other) => (one.updated_at < other.updated_at ? -1 : 1));
    for (const listener of this.#listeners) listener();
  }

  /** Calls back after every change; returns how to stop. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Calls back with every run that changes; returns how to stop. */
  onRun(listener: RunListener): () => void {
    this.#runListeners.add(listener);
    return () => this.#runListeners.delete(listener);
  }
}
