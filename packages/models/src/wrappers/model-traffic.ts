/**
 * Model traffic: what the model calls of all crews of an application share: breakers, and queues before caps on calls.
 *
 * Breakers are kept by provider, model and key, and by agent if it has error limits of its own.
 */
import type { Model } from "@baton/core";
import type { Clock } from "@baton/core/ports";
import { isBuiltinModel } from "../choice/builtin-models.ts";
import { ExpiringCache } from "../choice/expiring-cache.ts";
import { type Caller, errorCapsOf, ownErrorCapsOf } from "../money/accounts.ts";
import { CallQueue } from "../money/call-queue.ts";
import { Breaker, type BreakerRules, withBreaker } from "./breaker.ts";

const MAX_BREAKERS = 4_096;
/** Longer than any breaker is open, and than a day of counted errors. */
const MAX_IDLE_MS = 25 * 60 * 60_000;

/** A model that is called, as breakers tell it from others. */
export interface CalledModel {
  readonly model: Model;
  /** Provider, model and key, as one text. */
  readonly id: string;
  /** The agent and crew whose limits count; the default settings count without one. */
  readonly caller?: Caller | undefined;
  /** Whether a call takes the backup while a breaker is open; otherwise it waits. */
  readonly hasBackup: boolean;
}

interface Kept {
  readonly name: string;
  readonly breaker: Breaker;
}

/** State that model calls share. */
export class ModelTraffic {
  readonly queue = new CallQueue();
  readonly #clock: Clock;
  readonly #models: ExpiringCache<Kept>;
  readonly #agents: ExpiringCache<Kept>;

  constructor(clock: Clock) {
    const limits = { clock, maxEntries: MAX_BREAKERS, maxIdleMs: MAX_IDLE_MS };
    this.#clock = clock;
    this.#models = new ExpiringCache(limits);
    this.#agents = new ExpiringCache(limits);
  }

  /** The model behind its breaker and, if its agent has error limits, behind the agent's. */
  guard({ model, id, caller, hasBackup }: CalledModel): Model {
    if (isBuiltinModel(model.name)) return model;
    const breaker = this.#breakerOf(this.#models, id, model.name);
    const guarded = withBreaker(model, { breaker, caps: errorCapsOf(caller?.crew.settings), hasBackup });
    if (caller === undefined) return guarded;
    const caps = ownErrorCapsOf(caller);
    if (caps === undefined) return guarded;
    const key = JSON.stringify([caller.crew.name, caller.agent.id, id]);
    const rules: BreakerRules = { breaker: this.#breakerOf(this.#agents, key, model.name), caps, hasBackup };
    return withBreaker(guarded, rules);
  }

  /** The models that have a breaker, each with true if it is open for one of its keys. */
  breakers(): ReadonlyMap<string, boolean> {
    const all = new Map<string, boolean>();
    for (const { name, breaker } of this.#models.values()) all.set(name, breaker.isOpen || all.get(name) === true);
    return all;
  }

  #breakerOf(kept: ExpiringCache<Kept>, key: string, name: string): Breaker {
    return kept.get(key, () => ({ name, breaker: new Breaker(this.#clock) })).breaker;
  }
}
