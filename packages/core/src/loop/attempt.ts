/**
 * Attempt: one try of a tool, under its time limit.
 *
 * What the tool sets in the run's store counts only if the attempt succeeds; what it does after its end has no effect.
 */
import { type Kept, toContext, toDigest, warnChanged } from "../views/call-context.ts";
import { isSuspension, type Suspension } from "../definitions/suspend.ts";
import type { CallResult } from "../words/dialogue.ts";
import { BatonError, type Failure, failure, toFailure, ToolError, toToolFailure } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import type { FinishedCalls } from "../ports/call-log.ts";
import { omitUndefined, type Json } from "../words/json.ts";
import type { Lane } from "../views/lane.ts";
import type { CallRequest } from "../words/message.ts";
import { boundOutput } from "../words/output.ts";
import type { Role } from "../views/plan.ts";
import type { Scope } from "../lifetimes/scope.ts";
import type { Semaphore } from "../lifetimes/semaphore.ts";
import { toSeconds } from "../words/text.ts";
import { type ToolLimit, toToolLimit } from "../definitions/tool-time.ts";
import type { Prepared, Tool } from "../definitions/tool.ts";

/** The calls of one reply, and the time they share; time spent waiting for a person does not count. */
export interface Sequence {
  readonly scope: Scope;
  /** The holder of this time, for messages, and the setting that it comes from. */
  readonly limit: Readonly<{ what: string; setting: string }>;
  readonly timeoutMs: number;
  /** By the scope's clock. */
  readonly deadlineAt: number;
  /** Number of calls that are running now. */
  running: number;
  /** Permits of agents and crews that carry calls out. */
  readonly children: Semaphore;
  /** Calls of each agent or crew in this turn. */
  readonly counts: Map<string, number>;
  /** Tools that code may call. */
  readonly inCode?: ReadonlySet<string> | undefined;
  /** Of the calls of code: lets no two calls of a sequential tool run at once. */
  readonly lockOf?: (tool: Tool) => Semaphore | undefined;
}

/** A call of a reply or of code, and the time that all its calls share. */
export interface CallOptions {
  readonly role: Role;
  readonly request: CallRequest;
  readonly sequence: Sequence;
  /** Calls that must finish first. If one of them is waiting for a person, so does this one. */
  readonly after?: readonly Promise<CallResult | "waiting">[] | undefined;
  /** Names of the tools that the step offered; undefined if all were. */
  readonly offered: ReadonlySet<string> | undefined;
  /** Why it is not made. */
  readonly refusal?: Failure | undefined;
  /** An irreversible call of this turn with the same tool and arguments: a person is asked whether it is made again. */
  readonly repeats?: string | undefined;
}

/** Runs one call; `waiting` if a person must allow it, or the client carry it out, first. */
export type RunCall = (lane: Lane, options: CallOptions) => Promise<CallResult | "waiting">;

/** A call that is running. */
export interface OpenCall {
  readonly role: Role;
  readonly request: CallRequest;
  /** The arguments with each vector's key replaced by the vector. */
  readonly args: Json;
  readonly sequence: Sequence;
  /** The call's own; ended by a cancel of the call alone. */
  readonly scope: Scope;
  /** Notes of the current attempt. */
  readonly notes: EventBodyOf<"note.made">[];
  /** When it started. */
  readonly at: number;
  /** The finished calls that it sees: those before its start and those of its reply that it waited for. */
  readonly calls: FinishedCalls;
  /** Arguments that a person gave instead of the model's, as the log has them. */
  readonly edited?: Json | undefined;
  /** Of a call that was suspended: what it goes on with. */
  readonly kept?: Kept;
  /** The earlier call that it repeats. */
  readonly repeats?: string | undefined;
}

/** A call that is not allowed yet. */
export type AskedCall = Omit<OpenCall, "at" | "calls" | "edited" | "kept">;

/** A tool with arguments that fit and may be used; `isAsked` says whether a person allowed it, if it was checked. */
export type Ready = Readonly<{
  tool: Tool;
  args: Json;
  run: Extract<Prepared, { ok: true }>["run"];
  isAsked?: boolean;
  /** Arguments that a person gave, as the log has them. */
  edited?: Json;
}>;

/** One try, in the time that the call has; `restMs` is left of the tool's own. */
type Attempt = Readonly<{ ready: Ready; attempt: number; time: Scope; restMs: number }>;

/**
 * Result of one try: the output, with `more` that few have; an error, `isUnstarted` if the tool may be tried again whatever
 * its effect; that it may or may not be done; or that it waits.
 */
type Result =
  | { output: Json; more?: Pick<EventBodyOf<"call.ended">, "wholeChars" | "digest" | "state"> }
  | { error: Failure; isUnstarted?: true }
  | { interruption: ToolError }
  | { suspension: Suspension };

/** The time of a call: what is left for the reply's calls, or all of it anew if a person was asked first. */
export function toTime({ scope, sequence }: AskedCall, { isAsked }: Pick<Ready, "isAsked"> = {}): Scope {
  const { timeoutMs, deadlineAt } = sequence;
  // A call without a question to a person needs only its own scope.
  const time = isAsked === undefined ? scope : scope.child({ name: "" });
  time.expireIn(isAsked === true ? timeoutMs : deadlineAt - scope.clock.monotonic(), () => toLate(sequence));
  return time;
}

/** The error of calls that take too long, or of the code that makes them. */
export function toLate({ limit, timeoutMs }: Pick<Sequence, "limit" | "timeoutMs">): BatonError {
  return new BatonError("timeout", `${limit.what} took longer than ${toSeconds(timeoutMs)} (${limit.setting})`);
}

/** Tries the tool once; never rejects. */
export function attemptCall(
  lane: Lane,
  open: OpenCall,
  { ready, attempt, time, restMs: ownMs }: Attempt,
): Promise<Result> {
  const { tool } = ready;
  const replyMs = time.remainingMs;
  const { setting: replySetting } = open.sequence.limit;
  const laneMs = lane.host.scope.remainingMs;
  const own = { ownMs, replyMs, replySetting, laneMs, laneSetting: lane.timeSetting };
  const limit = toToolLimit(tool, lane.plan.crew.settings, own);
  open.notes.length = 0;
  const changes = new Map<string, Json>();
  // Without a name: a receipt lists the call, not its attempts.
  const scope = time.child({ name: "", timeoutMs: limit.ms });
  const work = scope.only(() => ready.run(toContext(lane, open, { attempt, scope, changes })));
  const succeed = (value: unknown): Result => {
    if (isSuspension(value)) {
      // Like the state: what it notes counts if the call ends with it.
      open.notes.length = 0;
      return { suspension: value };
    }
    const bounded = boundOutput(value);
    if (!bounded.ok) return { error: failure("crash", `the tool returned something unusable: ${bounded.why}`) };
    const { output, wholeChars, changed } = bounded;
    if (changed !== undefined) warnChanged(lane, open, changed);
    const digest = tool.digest === undefined ? undefined : toDigest(lane, open, { tool, output });
    if (changes.size === 0 && (wholeChars ?? digest) === undefined) return { output };
    const state = changes.size === 0 ? undefined : Object.fromEntries(changes);
    return { output, more: omitUndefined({ wholeChars, digest, state }) };
  };
  const fail = (thrown: unknown): Result => {
    const error = toError(lane, open, { thrown, scope, limit });
    if (!(thrown instanceof ToolError)) return { error };
    // What a suspended call keeps tells it what is done.
    if (thrown.isUnstarted || (thrown.isInterrupted && open.kept !== undefined)) return { error, isUnstarted: true };
    const isInDoubt = thrown.isInterrupted && tool.effect === "irreversible" && error.kind === thrown.kind;
    return isInDoubt ? { interruption: thrown } : { error };
  };
  return work.then(succeed, fail);
}

type Thrown = Readonly<{ thrown: unknown; scope: Scope; limit: ToolLimit }>;

function toError(lane: Lane, open: OpenCall, { thrown, scope, limit }: Thrown): Failure {
  if (lane.host.scope.reason !== undefined) return toFailure(lane.host.scope.reason);
  if (isCancelled(lane, open)) return toCancelled(open);
  if (scope.reason?.code !== "timeout") return toToolFailure(thrown);
  return failure("timeout", `${open.request.tool} took longer than ${toSeconds(limit.saidMs)} (${limit.setting})`);
}

/** Whether this call alone was cancelled. */
export function isCancelled({ host }: Lane, { scope, sequence }: AskedCall): boolean {
  // Calls of code are cancelled with it.
  const isOwn = sequence.lockOf !== undefined || sequence.scope.reason === undefined;
  return scope.reason?.code === "cancelled" && isOwn && host.scope.reason === undefined;
}

/** Failure of a call that was cancelled alone. */
export function toCancelled({ request, scope }: OpenCall): Failure {
  return failure("cancelled", `${request.tool} was cancelled: ${scope.reason?.message ?? "by command"}`);
}
