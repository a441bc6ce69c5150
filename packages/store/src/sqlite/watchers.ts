/**
 * Watchers: who wants to know when a run's log grows, in this process or by another one's hand.
 *
 * This process says so itself. Others leave a trace in SQLite's `data_version`, which one timer looks at while
 * anybody watches; it does not say which run, so then all are called.
 */
import type { Connection } from "./connection.ts";

const POLL_MS = 100;

/** Everybody who watches a run here. */
export class Watchers {
  readonly #connection: Connection;
  readonly #runs = new Map<string, Set<() => void>>();
  readonly #all = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;
  #version: unknown;

  constructor(connection: Connection) {
    this.#connection = connection;
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

  /** Calls those who watch all runs. */
  wakeAll(): void {
    for (const wake of this.#all) queueMicrotask(wake);
  }

  /** Calls those who watch a run. */
  wake(run: string): void {
    for (const wake of this.#runs.get(run) ?? []) queueMicrotask(wake);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    const version = this.#read();
    if (version === this.#version) return;
    this.#version = version;
    for (const run of this.#runs.keys()) this.wake(run);
    this.wakeAll();
  }

  #begin(): void {
    if (this.#timer !== undefined) return;
    this.#version = this.#read();
    this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
  }

  #endIfUnwatched(): void {
    if (this.#runs.size === 0 && this.#all.size === 0) this.close();
  }

  /** Who is called because it cannot be read meets the error itself. */
  #read(): unknown {
    try {
      return this.#connection.read(() => this.#connection.get("PRAGMA data_version")?.["data_version"]);
    } catch {
      return undefined;
    }
  }
}
