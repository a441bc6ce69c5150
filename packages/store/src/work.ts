/**
 * Work: a run that is at work in this process, or was taken up, and what it is made with.
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
import type { ChangeQuestion } from "./change-question.ts";
import type { Hold } from "./hold.ts";
import type { Once } from "./once.ts";
import type { Store } from "./store.ts";
import type { StoredRunLog } from "./stored-run-log.ts";

/** What a durable engine needs. */
export interface DurableOptions extends Omit<EngineOptions, "clock" | "log"> {
  readonly store: Store;
  /** The crews of today, whose tools runs go on with. */
  readonly crews: readonly Crew[];
  readonly model: (agent: Agent, crew: Crew) => Model;
  /** Told what keeps a run from going on by itself. */
  readonly warn?: (text: string) => void;
}

/** What a durable run is started with. */
export interface DurableStart extends StartOptions {
  /** Whose run it is; `local` where nobody else uses the store. */
  readonly tenant?: string;
  readonly user?: string;
  /** The client's request that it carries out; where that is somebody else's by now, nothing begins. */
  readonly once?: Once | undefined;
  /** It begins only if nothing runs or waits in its session; else `busy` is thrown, and nothing waits for it. */
  readonly onlyIfFree?: boolean;
}

/** A run from a start or resume to its next pause or end. */
export interface Segment {
  readonly id: string;
  /** It does not execute in this process: it is read from the store. */
  readonly isStored?: true;
  /** Settles at that pause or end, once it is on disk; never rejects. */
  readonly outcome: Promise<RunResult>;
  /** The log from a place on, live, up to that pause or end. */
  events(after?: number): AsyncIterableIterator<RunEvent>;
}

/** What a command led to. */
export interface Sent {
  /** The segment that goes on: a new one if the command resumed the run. */
  readonly segment: Segment;
  /** Of a cancel. */
  readonly receipt?: Receipt;
}

/** How an engine stops. */
export interface StopOptions {
  /** How long runs may go on. */
  readonly graceMs?: number;
  /** Called when that is over, while runs can still be told something. */
  readonly beforeLeaving?: () => Promise<void>;
}

/** A run that is at work here, or was taken up. */
export interface Work {
  readonly id: string;
  readonly log: StoredRunLog;
  hold: Hold;
  /** What the engine's segment that is under way comes to; undefined while the run waits. */
  life: Promise<RunResult> | undefined;
  /** That segment, with an outcome that is on disk. */
  segment: Segment | undefined;
  /** That segment has not come to its pause or end yet. */
  isAtWork: boolean;
  /** How many commands are being carried out: it is not let go under their hands. */
  commands: number;
  /** What is asked before it may be taken up at all. */
  readonly change: ChangeQuestion | undefined;
}

/** The error of what was meant for a run that waits, and finds that it has begun. */
export function wasBegun(id: string): BatonError {
  return new BatonError("conflict", `run ${id} was begun by another process`);
}

/** The error of what comes while the engine stops. */
export function toClosing(): BatonError {
  return new BatonError("closed", "the engine is stopping; try again later", { retryable: true });
}
