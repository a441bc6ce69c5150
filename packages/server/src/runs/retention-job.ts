/**
 * Retention job: deletes ended runs that are too many or too old, at the start and periodically.
 */
import { omitUndefined, toMessage } from "@baton/core/util";
import type { ServerOptions } from "../options.ts";
import type { Logger } from "../observe/logs.ts";

const EVERY_MS = 10 * 60 * 1_000;

/** Prunes a store as long as a server runs. */
export class RetentionJob {
  readonly #options: ServerOptions;
  readonly #logger: Logger;
  #pruning: Promise<void> = Promise.resolve();
  #cancel: (() => void) | undefined;
  #isEnded = false;

  constructor(options: ServerOptions, logger: Logger) {
    this.#options = options;
    this.#logger = logger;
  }

  /** Prunes now, and from now on; resolves after the first time. */
  async begin(): Promise<void> {
    if (this.#options.retention === undefined) return;
    await this.#prune();
    this.#wait();
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    this.#cancel?.();
    await this.#pruning;
  }

  #wait(): void {
    if (this.#isEnded) return;
    const timer = this.#options.store.clock.after(EVERY_MS, () => {
      this.#pruning = this.#prune().then(() => this.#wait());
    });
    this.#cancel = () => timer.cancel();
  }

  async #prune(): Promise<void> {
    const { store, retention: { maxRuns, maxAgeMs } = {} } = this.#options;
    const endedBefore = maxAgeMs === undefined ? undefined : store.clock.now() - maxAgeMs;
    try {
      await store.database.runs.prune(omitUndefined({ maxRuns, endedBefore }));
    } catch (error) {
      this.#logger.error("old runs were not deleted", { error: toMessage(error) });
    }
  }
}
