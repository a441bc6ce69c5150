/**
 * Engine context: everything that the parts of one durable engine share: its store, its crews, and whether it is stopping.
 */
import { BatonError, Engine } from "@baton/core";
import { type Observer, Scope } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { LOCAL, type RunRecord, type Store } from "@baton/store";
import { LeasePlacement, type Placement } from "../placement/placement.ts";
import { CrewDefinitions } from "./crew-definitions.ts";
import { CrewList } from "./crew-list.ts";
import { engineStoppingError, runEndedError } from "./engine-errors.ts";
import type { DurableOptions } from "./options.ts";

/** Shared by the parts of one engine. */
export class EngineContext {
  readonly store: Store;
  readonly engine: Engine;
  readonly crews: CrewList;
  readonly definitions: CrewDefinitions;
  readonly placement: Placement;
  /** Cancelled when the engine stops. */
  readonly scope: Scope;
  readonly observer: Observer | undefined;
  /** Reports what keeps a run from continuing. */
  readonly warn: (text: string) => void;
  /** `leaving`: running runs are being stopped. */
  state: "open" | "stopping" | "leaving" = "open";
  /** Number of owned promises that have not settled. */
  #owned = 0;
  readonly #idle: (() => void)[] = [];
  #posts = 0;

  constructor(options: DurableOptions) {
    const { store, crews, warn, placement = new LeasePlacement(), schedulesDue: _, ...more } = options;
    this.store = store;
    this.crews = new CrewList(crews);
    this.definitions = new CrewDefinitions(store.database, (record) => this.crews.find(record));
    this.placement = placement;
    this.scope = Scope.root({ clock: store.clock, name: "durable engine" });
    this.observer = options.observe && orSilent(options.observe);
    this.warn = warn ?? (() => undefined);
    this.engine = new Engine({
      documents: ({ tenant = LOCAL.tenant, user = LOCAL.user }) => store.database.documents({ tenant, user }),
      ...omitUndefined(more),
      clock: store.clock,
    });
  }

  /** Owns a promise until it settles, so that shutdown can wait for it. */
  own(promise: Promise<unknown>): void {
    const settle = (): void => {
      this.#owned--;
      if (this.#owned > 0) return;
      for (const resolve of this.#idle.splice(0)) resolve();
    };
    this.#owned++;
    promise.then(settle, settle);
  }

  get isIdle(): boolean {
    return this.#owned === 0;
  }

  /** Resolves once no promise is owned. */
  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  /** Throws once running runs are being stopped. */
  checkOpen(): void {
    if (this.state === "leaving") throw engineStoppingError();
  }

  /** An id for a posted command: ids sort in the order in which this process made them, and by time among processes. */
  newPostId(): string {
    const { clock, lease } = this.store;
    const [time, count] = [Math.floor(clock.now()), ++this.#posts].map((number) => String(number).padStart(15, "0"));
    return `${time}-${count}-${lease.owner}`;
  }

  /** Finds a run that has not ended. */
  async findOpen(id: string): Promise<RunRecord> {
    const record = await this.store.database.runs.find(id);
    if (record === undefined) throw new BatonError("not_found", `there is no run ${id}`);
    if (record.status === "ended") throw runEndedError(id);
    return record;
  }
}

/** An observer's fault must not reach the run it observes. */
function orSilent(observe: Observer): Observer {
  return (event) => {
    try {
      observe(event);
    } catch {
      // An error of the observer is the observer's own.
    }
  };
}
