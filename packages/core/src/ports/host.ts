/**
 * Host: one lane's view of where a run lives; a lane is the run's own line or one member of a group.
 *
 * The engine does nothing to the world but through this: `emit` says what happened, `once` remembers what was done,
 * `lanes` works in parallel, `ask` waits for people, `receive` listens to them. Cancels and timeouts are felt only in
 * `once` or at its door, and are its recorded result.
 */
import type { FinishedCalls } from "./call-log.ts";
import type { BatonError } from "../words/error.ts";
import type { Command, Effect, EventBody, EventBodyOf } from "../words/event.ts";
import type { GuardedCall, RunGuard, Ruled } from "./guard.ts";
import type { Json } from "../words/json.ts";
import type { TextSource } from "./log.ts";
import type { CallRequest } from "../words/message.ts";
import type { Prompt } from "./model.ts";
import type { Scope } from "../lifetimes/scope.ts";
import type { Semaphore } from "../lifetimes/semaphore.ts";

/** The facts that record what `once` did. */
export type RecordType = "step.ended" | "call.ended" | "call.suspended" | "permission.decided";

/** Work that is done at most once in a run, because its result is recorded. */
export interface RecordedWork<Type extends RecordType> {
  readonly type: Type;
  /** Its position in the run. */
  readonly key: string;
  readonly effect: Effect;
  /** Does it and says what came of it; what it emits belongs to it. */
  readonly work: () => Promise<EventBodyOf<Type>>;
  /** It is code without effects: a replay runs it again and compares the result. */
  readonly isPure?: boolean;
  /** It goes on with what the log has of it, where its intention is too. */
  readonly isBegun?: boolean;
  /** Whether the log need not have what came of it, because that is no news. */
  readonly isKnown?: (fact: EventBodyOf<Type>) => boolean;
  /** Facts of others that are written together with what came of it. */
  readonly notes?: () => readonly EventBodyOf<"note.made">[];
  /** Of a model call: what the model is given. */
  readonly prompt?: () => Prompt;
  /** Builds the record of work that threw, was cancelled or ran out of time. */
  readonly failed: (error: BatonError) => EventBodyOf<Type>;
  /** Whether it is not known if the work was done: then nothing is recorded, and `once` throws the error. */
  readonly isUnknown?: (error: BatonError) => boolean;
}

/** A bound on the lanes that are open at once; lanes start in the order of their keys. */
export interface LaneBound<T> {
  readonly permits: Semaphore;
  /** The turn or call that the lanes belong to. */
  readonly owner: string;
  /** The result of a lane that never started: why, or undefined if the run pauses first. */
  readonly unstarted: (key: string, reason: BatonError | undefined) => T;
}

/** Lanes to work in at the same time. */
export interface LanePlan<T> {
  readonly keys: readonly string[];
  /** Time of each lane, from its start. */
  readonly timeoutMs: number;
  /** Lifetime that they are in; by default the host's. */
  readonly scope?: Scope;
  readonly bound?: LaneBound<T>;
  /** The error of a lane that takes longer. */
  readonly late: (key: string) => BatonError;
  /** Whether a result ends the other lanes; their end is awaited. */
  readonly isDecisive: (result: T) => boolean;
}

/** The results of lanes, in the order of their keys. */
export interface LanesEnd<T> {
  readonly results: readonly T[];
  /** Index of the decisive lane whose turn ended first, by the log. */
  readonly first: number | undefined;
}

/** A person's answer to a question. */
export type Answer = Readonly<{ value: Json }>;

/** A call that waits: its last suspension, when that was, and how many of its suspensions asked something. */
export type SuspendedCall = Readonly<{ fact: EventBodyOf<"call.suspended">; at: number; asked: number }>;

/** The questions of a suspended call, which end with its scope; `untilAt` is when it goes on without answers. */
export interface Rest {
  readonly scope: Scope;
  readonly questions: readonly EventBodyOf<"question.opened">[];
  readonly untilAt: number | undefined;
}

/** The place of the decisive lane whose turn ended first. */
export function findFirst<T>(plan: LanePlan<T>, lanes: readonly EndedLane<T>[]): number | undefined {
  const decisive = lanes.filter(({ result }) => plan.isDecisive(result));
  const [first] = decisive.toSorted((one, other) => one.turnEndedAt - other.turnEndedAt);
  return first === undefined ? undefined : lanes.indexOf(first);
}

/** A lane that has ended, and where in the log its latest turn did. */
export type EndedLane<T> = Readonly<{ result: T; turnEndedAt: number }>;

/** The recorded part of a call of `run_code`: one that has ended need not run, of another some calls may be open. */
export interface CodeRecord {
  readonly isEnded: boolean;
  /** The interpreter that it was started with. */
  readonly engine?: string;
  readonly open: readonly CallRequest[];
}

export interface Host {
  readonly run: string;
  /** Empty for the run's own line. */
  readonly lane: string;
  readonly scope: Scope;
  /** Where in the log its latest turn ended; 0 before that. */
  readonly turnEndedAt: number;
  /** Says what happened and returns when; does nothing once the lane has ended. */
  emit(fact: EventBody): number;
  /** Says a piece of text, as `emit` would. */
  say(source: TextSource, text: string): void;
  /** The recorded result, from this segment or an earlier one; throws only `diverged` and an error that `isUnknown`. */
  once<Type extends RecordType>(once: RecordedWork<Type>): EventBodyOf<Type> | Promise<EventBodyOf<Type>>;
  /** The run's state now or, of a step or a map, as it was when that started. */
  values(key?: string): ReadonlyMap<string, Json>;
  /** The run's finished calls, of all lanes, now or, of a step or call, when it started. */
  finishedCalls(key?: string): FinishedCalls;
  /** The output of a finished call, as the log has it; undefined if there is none. */
  outputOf(call: string): Promise<Json | undefined>;
  /** Returns what the log has of a call of `run_code`. */
  codeRecord(call: string): CodeRecord;
  /** Returns the model that a step was made with, if the log has the step. */
  modelOf(step: string): string | undefined;
  /** Counts how often an earlier segment started this without recording its end. */
  begun(key: string): number;
  /** Whether this lane or call alone was cancelled. */
  isCancelled(key: string): boolean;
  /** Returns the trim of the history that this step was first made with. */
  trimmed(step: string): EventBodyOf<"history.trimmed"> | undefined;
  /** The run's guards for these policies; of a step that is recorded, as they were when it started. */
  guards(policies: readonly Json[], step?: string): readonly RunGuard[];
  /** The ruling about a call: the recorded one, or the guards' now, which is recorded; undefined if no rule matches. */
  rule(policies: readonly Json[], call: GuardedCall): Ruled | undefined | Promise<Ruled | undefined>;
  /** Waits for work that is not recorded; during this time the run does not count as waiting for a person. */
  during<T>(work: () => Promise<T>): Promise<T>;
  /** Works in lanes; `place` is a lane's among the keys. */
  lanes<T>(plan: LanePlan<T>, work: (host: Host, place: number) => Promise<T>): Promise<LanesEnd<T>>;
  /** `waiting`: nothing in the run can continue without an answer, so it pauses. `closed`: it was cancelled first. */
  ask(question: EventBodyOf<"question.opened">): Promise<Answer | "waiting" | "closed">;
  /** The suspension of a call that an earlier segment left. */
  suspended(call: string): SuspendedCall | undefined;
  /**
   * Waits for answers, and no longer than the given time: what is not answered by then is closed. With such a time the
   * run does not pause, and if nothing else is under way, its own time stands still.
   */
  rest(rest: Rest): Promise<readonly (Answer | "waiting" | "closed")[]>;
  /** The oldest command that was sent to the run and not yet taken. */
  receive(): Command | undefined;
}
