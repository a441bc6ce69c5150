/**
 * Recovery: looks, again and again, for runs that no living process holds, and takes them up.
 *
 * What cannot be taken up because of the store is looked at again; what cannot go on at all is told once.
 * Reads: refusal, store, work. Read by: durable-engine.
 */
import { toBatonError } from "@baton/core";
import { isPassing } from "./refusal.ts";
import type { Store } from "./store.ts";
import type { DurableOptions } from "./work.ts";

/** How often it looks. */
const LOOK_MS = 1_000;
const TAKEN_AT_ONCE = 1_000;

/** What a recovery is made of. */
interface Parts extends Pick<DurableOptions, "crews" | "store" | "warn"> {
  /** Whether a run is here already. */
  readonly isHere: (id: string) => boolean;
  readonly takeUp: (id: string) => Promise<unknown>;
  /** Keeps a promise until it settles. */
  readonly own: (promise: Promise<unknown>) => void;
}

/** Takes up what was cut off, as long as it is not stopped. */
export class Recovery {
  readonly #parts: Parts;
  readonly #store: Store;
  readonly #told = new Set<string>();
  #isStopped = false;
  #cancel: (() => void) | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#store = parts.store;
  }

  /** Looks now and from now on; resolves with how many were taken up at first. */
  async begin(): Promise<number> {
    const count = await this.#look();
    this.#wait();
    return count;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel?.();
  }

  async #look(): Promise<number> {
    const { crews, isHere } = this.#parts;
    const names = crews.map(({ name }) => name);
    const cut = await this.#store.database.interrupted(names, TAKEN_AT_ONCE);
    const fresh = cut.filter((id) => !isHere(id) && !this.#told.has(id));
    const taken = await Promise.all(fresh.map((id) => this.#try(id)));
    const count = taken.filter(Boolean).length;
    return cut.length === TAKEN_AT_ONCE && count > 0 ? count + (await this.#look()) : count;
  }

  async #try(id: string): Promise<boolean> {
    try {
      await this.#parts.takeUp(id);
      return true;
    } catch (error) {
      const { code, message } = toBatonError(error, "internal");
      // Another process was faster, or it is asked about.
      if (code === "conflict" || code === "run_ended" || code === "closed") return false;
      // The next look takes it up.
      if (isPassing(error)) return false;
      this.#told.add(id);
      this.#parts.warn?.(`run ${id} cannot go on: ${message}`);
      return false;
    }
  }

  #wait(): void {
    if (this.#isStopped) return;
    const timer = this.#store.clock.after(LOOK_MS, () => {
      const looking = this.#look().catch(() => 0);
      this.#parts.own(looking.then(() => this.#wait()));
    });
    this.#cancel = () => timer.cancel();
  }
}
