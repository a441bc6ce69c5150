/**
 * File watch: calls watchers when a run's log grows, in this process or in another.
 *
 * This process says which run it wrote. Others change the version of the file, which one timer reads while there are
 * watchers; it does not say which run, so then all are called.
 */
import { Watchers } from "../../watchers.ts";

const POLL_MS = 100;

/** The watchers of one file, in this process. */
export class FileWatch {
  readonly #version: (() => unknown) | undefined;
  readonly #watchers = new Watchers();
  #timer: NodeJS.Timeout | undefined;
  #lastVersion: unknown;

  /** Without a version to read, only this process writes. */
  constructor(version?: () => unknown) {
    this.#version = version;
  }

  add(run: string | undefined, changed: () => void): () => void {
    const remove = this.#watchers.add(run, changed);
    if (this.#timer === undefined && this.#version !== undefined) {
      this.#lastVersion = this.#read();
      this.#timer = setInterval(() => this.#poll(), POLL_MS).unref();
    }
    return () => {
      remove();
      if (this.#watchers.isEmpty) this.close();
    };
  }

  /** This process wrote to these runs. */
  wrote(runs: Iterable<string>): void {
    for (const run of runs) this.#watchers.wake(run);
    this.#watchers.wake();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #poll(): void {
    const version = this.#read();
    if (version === this.#lastVersion) return;
    this.#lastVersion = version;
    this.#watchers.wakeAll();
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
