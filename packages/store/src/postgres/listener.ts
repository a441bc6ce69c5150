/**
 * Listener: calls the watchers of a run when any process has added to it.
 *
 * It has one connection of its own from the first watcher on. After each connect all watchers are called, because
 * something may have been added in the meantime. What was added to a watched run comes with the notification and is kept
 * for its readers; what is not there they read from the tables.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "pg";
import { CHANNEL, INBOX_CHANNEL } from "./commit-function.ts";
import type { Batch } from "../record.ts";
import { Watchers } from "../watchers.ts";
import type { PostgresConnection } from "./connection.ts";
import { parseName } from "./names.ts";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;
/** Batches of a run that are kept. */
const MAX_PUSHED = 32;

/** The watchers of one process. */
export class Listener implements AsyncDisposable {
  readonly #connection: PostgresConnection;
  readonly #watchers = new Watchers();
  readonly #posted = new Set<(run: string) => void>();
  /** The newest batches of watched runs, each following the one before. */
  readonly #pushed = new Map<string, Batch[]>();
  readonly #abort = new AbortController();
  #listening: Promise<void> | undefined;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  /** Calls back when the run, or any run, was added to; returns how to stop. */
  watch(run: string | undefined, changed: () => void): () => void {
    this.#listening ??= this.#listen();
    const remove = this.#watchers.add(run, changed);
    return () => {
      remove();
      if (run !== undefined && !this.#watchers.has(run)) this.#pushed.delete(run);
    };
  }

  /** Batches with the events beyond `after` that came with notifications; none if the first of them is not there. */
  pushed(run: string, after: number): readonly Batch[] {
    const batches = this.#pushed.get(run) ?? [];
    const index = batches.findIndex(({ first, last }) => first <= after + 1 && after < last);
    return index === -1 ? [] : batches.slice(index);
  }

  #push({ run, ...batch }: Batch): void {
    const known = this.#pushed.get(run) ?? [];
    const isNext = known.at(-1)?.last === batch.first - 1;
    this.#pushed.set(run, [...(isNext ? known : []), { run, ...batch }].slice(-MAX_PUSHED));
  }

  /** Calls back with each run that a command was posted to; returns how to stop. */
  watchInbox(posted: (run: string) => void): () => void {
    this.#listening ??= this.#listen();
    this.#posted.add(posted);
    return () => this.#posted.delete(posted);
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

  /** Listens until the connection is lost or there is no listener any more. */
  async #hear(client: Client): Promise<void> {
    const ended = Promise.withResolvers<void>();
    let schema: string | undefined;
    client.on("error", () => ended.resolve());
    client.on("end", () => ended.resolve());
    client.on("notification", ({ channel, payload = "" }) => {
      const [name = "", where, record, first, last, checksum, ...lines] = payload.split("\n");
      if (where !== schema) return;
      const run = parseName(name);
      if (channel === INBOX_CHANNEL) for (const posted of this.#posted) posted(run);
      if (channel === INBOX_CHANNEL) return;
      if (lines.length > 0 && this.#watchers.has(run)) {
        const numbers = { first: Number(first), last: Number(last), checksum: Number(checksum) };
        this.#push({ run, ...numbers, body: lines.join("\n") });
      }
      this.#watchers.wake(run);
      if (record === "1") this.#watchers.wake();
    });
    this.#abort.signal.addEventListener("abort", () => ended.resolve(), { once: true });
    if (this.#abort.signal.aborted) ended.resolve();
    try {
      const { rows } = await client.query<{ schema: string }>("select current_schema() as schema");
      schema = rows[0]?.schema;
      await client.query(`listen ${CHANNEL}; listen ${INBOX_CHANNEL}`);
      this.#pushed.clear();
      this.#watchers.wakeAll();
      await ended.promise;
    } finally {
      await client.end();
    }
  }
}
