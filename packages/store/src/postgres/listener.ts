/**
 * Listener: calls the watchers of a run when any process has added to it.
 *
 * It has one connection of its own from the first watcher on. After each connect all watchers are called, because
 * something may have been added in the meantime.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { CHANNEL } from "./commit-function.ts";
import type { Connection } from "./connection.ts";
import { parseName } from "./names.ts";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/** The watchers of one process. */
export class Listener implements AsyncDisposable {
  readonly #connection: Connection;
  readonly #watchers = new Map<string, Set<() => void>>();
  readonly #allWatchers = new Set<() => void>();
  readonly #abort = new AbortController();
  #listening: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** Calls back when the run was added to; returns how to stop. */
  watch(run: string, changed: () => void): () => void {
    // A function that watches twice is called for each.
    const watcher = () => changed();
    const watchers = this.#watchers.get(run) ?? new Set();
    this.#watchers.set(run, watchers.add(watcher));
    this.#listening ??= this.#listen();
    return () => {
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#watchers.get(run) === watchers) this.#watchers.delete(run);
    };
  }

  /** Calls back when any run was added to; returns how to stop. */
  watchAll(changed: () => void): () => void {
    const watcher = () => changed();
    this.#allWatchers.add(watcher);
    this.#listening ??= this.#listen();
    return () => this.#allWatchers.delete(watcher);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#listening;
  }

  async #listen(): Promise<void> {
    const { signal } = this.#abort;
    for (let tries = 0; !signal.aborted; tries++) {
      const client = await this.#connection.dedicated().catch(() => undefined);
      if (client !== undefined)
        tries = await this.#hear(client)
          .then(() => 0)
          .catch(() => tries);
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS);
      await sleep(waitMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Listens until the connection is lost or nobody wants to listen any more. */
  async #hear(client: Client): Promise<void> {
    const ended = Promise.withResolvers<void>();
    client.on("error", () => ended.resolve());
    client.on("end", () => ended.resolve());
    client.on("notification", ({ payload = "" }) => this.#call(parseName(payload)));
    this.#abort.signal.addEventListener("abort", () => ended.resolve(), { once: true });
    if (this.#abort.signal.aborted) ended.resolve();
    try {
      await client.query(`listen ${CHANNEL}`);
      for (const run of Array.from(this.#watchers.keys())) this.#callOf(run);
      this.#callAll();
      await ended.promise;
    } finally {
      await client.end();
    }
  }

  #call(run: string): void {
    this.#callOf(run);
    this.#callAll();
  }

  #callAll(): void {
    for (const watcher of Array.from(this.#allWatchers)) watcher();
  }

  #callOf(run: string): void {
    for (const watcher of Array.from(this.#watchers.get(run) ?? [])) watcher();
  }
}
