/**
 * World: several processes on one store, in simulated time, that can be killed or frozen at any moment.
 *
 * A killed process does nothing more: its database never answers, and tools and models that ask find it dead.
 */
import type { Agent, Crew, Model } from "@baton/core";
import { type Documents, given } from "@baton/core/ports";
import { SimulatedClock } from "@baton/core/testing";
import { type Database, MemoryDatabase, type Owner, Store } from "@baton/store";
import { MemoryData } from "@baton/store/testing";
import { DurableEngine } from "../durable-engine.ts";

/** What a process is made of. */
export interface ProcessOptions {
  readonly crews: readonly Crew[];
  readonly model: (agent: Agent, crew: Crew) => Model;
  /** Looks at each call of the database, before it and after it: may kill, freeze or throw. */
  readonly meddle?: (process: Process, name: string) => void | Promise<void>;
  readonly warn?: (text: string) => void;
}

/** A process of the world. */
export interface Process {
  readonly engine: DurableEngine;
  readonly store: Store;
  isAlive: boolean;
  /** What it asks of the database waits until this resolves. */
  frozen: Promise<void> | undefined;
}

/** One store and its time. */
export class World {
  readonly clock: SimulatedClock;
  readonly data: MemoryData;
  #processes = 0;

  constructor(seed = 1) {
    this.clock = new SimulatedClock(seed);
    this.data = new MemoryData(this.clock);
  }

  /** Starts a process; its runs are not taken up until it is told to. */
  async process({ crews, model, meddle, warn }: ProcessOptions): Promise<Process> {
    const own: { current: Process | undefined } = { current: undefined };
    const database = shake(new MemoryDatabase(this.data), async (name) => {
      const { current } = own;
      if (current === undefined) return;
      if (current.isAlive) await meddle?.(current, name);
      await current.frozen;
      if (!current.isAlive) await new Promise(() => {});
    });
    const store = await Store.open({ database, clock: this.clock, owner: `process-${++this.#processes}` });
    const newId = () => `run-${Math.floor(this.clock.random() * 1e9)}`;
    const engine = new DurableEngine({ store, crews, model, newId, ...given({ warn }) });
    return (own.current = { engine, store, isAlive: true, frozen: undefined });
  }

  /** Drives time until the work is done. */
  run<T>(work: Promise<T>): Promise<T> {
    return this.clock.run(work);
  }
}

/** The same documents, with something before and after each call of them. */
function shakeAll(documents: Documents, pass: (name: string) => Promise<void>): Documents {
  return new Proxy(documents, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      return async (...parts: unknown[]): Promise<unknown> => {
        await pass(`documents.${String(name)}`);
        const result: unknown = await Reflect.apply(value, target, parts);
        await pass(`documents.${String(name)}`);
        return result;
      };
    },
  });
}

/** The same database, with something before and after each call of it. */
function shake(database: Database, pass: (name: string) => Promise<void>): Database {
  return new Proxy(database, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      const call = (parts: unknown[]): unknown => Reflect.apply(value, target, parts);
      if (name === "watch" || name === "ledger") return (...parts: unknown[]) => call(parts);
      if (name === "documents") return (owner: Owner) => shakeAll(target.documents(owner), pass);
      return async (...parts: unknown[]) => {
        await pass(String(name));
        const result = await call(parts);
        await pass(String(name));
        return result;
      };
    },
  });
}
