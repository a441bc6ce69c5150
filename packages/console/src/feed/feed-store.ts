/**
 * Feed store: what the server tells of runs and crews, kept for every part that draws it: which runs are open, what
 * changed last, and whether the connection is lost.
 */
import type { FeedChange, RunInfo } from "@baton/client";

/** Called with each run that changed. */
export type RunListener = (run: RunInfo) => void;

/** Called with each run that was removed. */
export type RemovedListener = (id: string) => void;

/** When the connection is tried again. */
export interface LostFeed {
  readonly nextAt: number;
  readonly isStopping: boolean;
}

/** The runs that have not ended, as the server sent them. */
export class FeedStore {
  readonly #open = new Map<string, RunInfo>();
  readonly #listeners = new Set<() => void>();
  readonly #runListeners = new Set<RunListener>();
  readonly #removedListeners = new Set<RemovedListener>();
  #waiting: readonly RunInfo[] = [];
  #connections = 0;
  #crewChanges = 0;
  #lost: LostFeed | undefined;

  /** Runs that wait for a person, the one that has waited longest first; the same array until that changes. */
  get waiting(): readonly RunInfo[] {
    return this.#waiting;
  }

  /** The number of connections: lists are read again when it grows. */
  get connections(): number {
    return this.#connections;
  }

  /** The number of times the crews may have changed: they are read again when it grows. */
  get crewChanges(): number {
    return this.#crewChanges;
  }

  /** Undefined as long as the feed is connected. */
  get lost(): LostFeed | undefined {
    return this.#lost;
  }

  /** Takes what the server tells. */
  take(change: FeedChange): void {
    const wasLost = this.#lost !== undefined;
    this.#lost = undefined;
    if (change.type === "snapshot") this.#begin(change.runs, { wasLost });
    else if (change.type === "crews") this.#crewChanges++;
    else if (change.type === "removed") this.#remove(change.id);
    else this.#changeRun(change.run);
    this.#waiting = [...this.#open.values()]
      .filter(({ status }) => status === "paused")
      .toSorted((one, other) => (one.updated_at < other.updated_at ? -1 : 1));
    this.#tell();
  }

  /** The connection is lost. */
  lose(lost: LostFeed): void {
    this.#lost = lost;
    this.#tell();
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

  /** Calls back with the id of every run that is removed; returns how to stop. */
  onRemoved(listener: RemovedListener): () => void {
    this.#removedListeners.add(listener);
    return () => this.#removedListeners.delete(listener);
  }

  #begin(runs: readonly RunInfo[], { wasLost }: { readonly wasLost: boolean }): void {
    this.#open.clear();
    for (const run of runs) this.#open.set(run.id, run);
    // Crews may have changed, or could not be read, while the feed was disconnected; the first time they are read anyway.
    if (this.#connections > 0 || wasLost) this.#crewChanges++;
    this.#connections++;
  }

  #changeRun(run: RunInfo): void {
    if (run.status === "ended") this.#open.delete(run.id);
    else this.#open.set(run.id, run);
    for (const listener of this.#runListeners) listener(run);
  }

  #remove(id: string): void {
    this.#open.delete(id);
    for (const listener of this.#removedListeners) listener(id);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
