/**
 * Segment: a run from a start or resume to its next pause or end, and what a durable engine is made and started with.
 */
import {
  type Agent,
  BatonError,
  type Crew,
  type EngineOptions,
  type Model,
  type Receipt,
  type RunEvent,
  type RunResult,
  type StartOptions,
} from "@baton/core";
import type { Placement } from "./placement.ts";
import type { RunRecord, Store } from "@baton/store";
import type { Once } from "@baton/store/ports";

/** What a durable engine needs. */
export interface DurableOptions extends Omit<EngineOptions, "clock" | "log"> {
  readonly store: Store;
  /** The crews of today, whose tools runs continue with. */
  readonly crews: readonly Crew[];
  readonly model: (agent: Agent, crew: Crew) => Model;
  /** Decides which process executes a run's next segment; by default a lease in the store. */
  readonly placement?: Placement;
  /** Called when the placement says that schedules are due. */
  readonly schedulesDue?: () => Promise<unknown>;
  /** Called with what keeps a run from continuing by itself. */
  readonly warn?: (text: string) => void;
}

/** What a durable run is started with. */
export interface DurableStart extends StartOptions {
  /** Whose run it is; `local` by default. */
  readonly tenant?: string;
  readonly user?: string;
  /** The client's request that it carries out; if that is somebody else's by now, nothing begins. */
  readonly once?: Once | undefined;
  /** It begins only if nothing runs or waits in its session; else `busy` is thrown, and nothing is queued. */
  readonly onlyIfFree?: boolean;
}

/** A run from a start or resume to its next pause or end. */
export interface Segment {
  readonly id: string;
  /** It does not execute in this process: it is read from the store. */
  readonly isStored?: true;
  /** What is known of the run, of one that executes or has executed in this process. */
  readonly record?: () => RunRecord;
  /** Settles at that pause or end, once it is on disk; never rejects. */
  readonly outcome: Promise<RunResult>;
  /** The log from a place on, live, up to that pause or end. */
  events(after?: number): AsyncIterableIterator<RunEvent>;
}

/** What a command led to. */
export interface Sent {
  /** The segment that is under way: a new one if the command resumed the run. */
  readonly segment: Segment;
  /** Of a cancel. */
  readonly receipt?: Receipt;
}

/** How an engine stops. */
export interface StopOptions {
  /** How long runs may continue. */
  readonly graceMs?: number;
  /** Called when that is over, while commands can still be sent to runs. */
  readonly beforeLeaving?: () => Promise<void>;
}

/** The error of what is sent to a run that has ended. */
export function hasEnded(run: string): BatonError {
  return new BatonError("run_ended", `run ${run} has ended`);
}

/** The error of what comes while the engine stops. */
export function toClosing(): BatonError {
  return new BatonError("closed", "the engine is stopping; try again later", { retryable: true });
}
