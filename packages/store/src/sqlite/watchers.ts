/**
 * Watchers: callbacks for when a run's log grows, in this process or in another.
 *
 * This process calls them itself. Others change the version of the file, which one timer reads while there are watchers; it
 * does not say which run, so then all are called.
 */
const POLL_MS = 100;

/** The watchers of this process. */
export class Watchers {
  readonly #version: (() => unknown) | undefined;
  readonly #runs = new Map<string, Set<() => void>>();
  readonly #all = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #lastVersion: unknown;

  /** Without a version to read, nobody but this process writes. */
  constructor(version?: () => unknown) {
    this.#version = version;
  }

  add(run: string, changed: () => void): () => void {
    const wake = (): void => changed();
    const all = this.#runs.get(run) ?? new Set();
    this.#runs.set(run, all.add(wake));
    this.#begin();
    return () => {
      all.delete(wake);
      if (all.size > 0 || this.#runs.get(run) !== all) return;
      this.#runs.delete(run);
      this.#endIfUnwatched();
    };
  }

  /** Watches all runs. */
  addAll(changed: () => void): () => void {
    const wake = (): void => changed();
    this.#all.add(wake);
    this.#begin();
    return () => {
      if (this.#all.delete(wake)) this.#endIfUnwatched();
    };
  }

  /** Calls the watchers of all runs. */
  wakeAll(): void {
    for (const wake of this.#all) queueMicrotask(wake);
  }

  /** Calls the watchers of a run. */
  wake(run: string): void {
    for (const wake of this.#runs.get(run) ?? []) queueMicrotask(wake);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    const version = this.#read();
    if (version === this.#lastVersion) return;
    this.#lastVersion = version;
    for (const run of this.#runs.keys()) this.wake(run);
    this.wakeAll();
  }

  #begin(): void {
    if (this.#timer !== undefined || this.#version === undefined) return;
    this.#lastVersion = this.#read();
    this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
  }

  #endIfUnwatched(): void {
    if (this.#runs.size === 0 && this.#all.size === 0) this.close();
  }

  /** If it cannot be read, all are called and get the error from their own reads. */
  #read(): unknown {
    try {
      return this.#version?.();
    } catch {
      return undefined;
    }
  }
}
