/**
 * Options of a durable engine: how it is made, how it starts a run, and how it stops.
 */
import type { Agent, Crew, EngineOptions, Model, StartOptions } from "@baton/core";
import type { AnsweredBy, Observer } from "@baton/core/ports";
import type { Placement } from "../placement/placement.ts";
import type { Store } from "@baton/store";
import type { ClaimedRequest } from "@baton/store/ports";

/** Options of a durable engine. */
export interface DurableOptions extends Omit<EngineOptions, "clock" | "log"> {
  readonly store: Store;
  /** The crews of today, whose tools runs continue with. */
  readonly crews: readonly Crew[];
  readonly model: (agent: Agent, crew: Crew) => Model;
  /** Called with each event that is on disk; of the text of models only with the first piece of each segment. */
  readonly observe?: Observer;
  /** Decides which process executes a run's next segment; by default a lease in the store. */
  readonly placement?: Placement;
  /** Called when the placement says that schedules are due. */
  readonly schedulesDue?: () => Promise<unknown>;
  /** Called with what keeps a run from continuing by itself. */
  readonly warn?: (text: string) => void;
}

/** Options of starting a durable run. */
export interface DurableStart extends StartOptions {
  /** Owner of the run; `local` by default. */
  readonly tenant?: string;
  readonly user?: string;
  /** The client's request that it carries out; if another process has claimed it by now, nothing begins. */
  readonly once?: ClaimedRequest | undefined;
  /** It begins only if nothing runs or waits in its session; else `busy` is thrown, and nothing is queued. */
  readonly onlyIfFree?: boolean;
  /** Its sender, named in the log if it answers a question of the run that waits in its session. */
  readonly by?: AnsweredBy;
}

/** Options of stopping an engine. */
export interface StopOptions {
  /** Time for which runs may continue. */
  readonly graceMs?: number;
  /** Called when that is over, while commands can still be sent to runs. */
  readonly beforeLeaving?: () => Promise<void>;
}
