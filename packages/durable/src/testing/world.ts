/**
 * World: several processes on one store, in simulated time, that can be killed or frozen at any moment.
 *
 * A killed process does nothing more: its database never answers, and tools and models that ask find it dead.
 */
import type { Agent, Crew, Model } from "@baton/core";
import { omitUndefined } from "@baton/core/util";
import { SimulatedClock } from "@baton/core/testing";
import { type RunRecord, Store } from "@baton/store";
import { aroundCalls, peekLog, peekRun, peekRuns, SharedMemory } from "@baton/store/testing";
import { DurableEngine } from "../engine/durable-engine.ts";
import type { Placement } from "../placement/placement.ts";

/** Options of a process. */
export interface ProcessOptions {
  readonly crews: readonly Crew[];
  readonly model: (agent: Agent, crew: Crew) => Model;
  /** Looks at each call of the database, before it and after it: may kill, freeze or throw. */
  readonly meddle?: (process: Process, name: string) => void | Promise<void>;
  readonly warn?: (text: string) => void;
  readonly placement?: Placement;
  /** A long lease is renewed seldom, so that simulated hours cost little. */
  readonly leaseMs?: number;
}

/** A process of the world. */
export interface Process {
  readonly engine: DurableEngine;
  readonly store: Store;
  isAlive: boolean;
  /** Its calls of the database wait until this resolves. */
  frozen: Promise<void> | undefined;
}

/** One store and its time. */
export class World {
  readonly clock: SimulatedClock;
  readonly data: SharedMemory;
  #processes = 0;

  constructor(seed = 1) {
    this.clock = new SimulatedClock(seed);
    this.data = new SharedMemory({ now: () => this.clock.now() });
  }

  /** Starts a process; its runs are not recovered until `recover` is called. */
  async process({ crews, model, meddle, warn, placement, leaseMs }: ProcessOptions): Promise<Process> {
    const own: { current: Process | undefined } = { current: undefined };
    const database = aroundCalls(this.data.open(), async (name) => {
      const { current } = own;
      if (current === undefined) return;
      if (current.isAlive) await meddle?.(current, name);
      await current.frozen;
      if (!current.isAlive) await new Promise(() => {});
    });
    const owner = `process-${++this.#processes}`;
    const store = await Store.open({ database, clock: this.clock, owner, ...omitUndefined({ leaseMs }) });
    const newId = () => `run-${Math.floor(this.clock.random() * 1e9)}`;
    const engine = new DurableEngine({ store, crews, model, newId, ...omitUndefined({ warn, placement }) });
    return (own.current = { engine, store, isAlive: true, frozen: undefined });
  }

  /** The record of a run as it is stored at this moment. */
  record(id: string): RunRecord | undefined {
    return peekRun(this.data, id);
  }

  get records(): readonly RunRecord[] {
    return peekRuns(this.data);
  }

  /** Returns the stored log of a run at this moment. */
  logOf(run: string): string {
    return peekLog(this.data, run);
  }

  /** Drives time until the work is done. */
  run<T>(work: Promise<T>): Promise<T> {
    return this.clock.run(work);
  }
}
