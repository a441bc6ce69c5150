/**
 * Call: one use of a tool, from the model's request to a result the model can read.
 *
 * known tool → arguments fit → permission → start → permit → run, under the limits of run, reply and tool. A person who
 * is asked for permission may give other arguments, which are checked like the model's. If the tool throws anything, never settles or is cancelled alone, the call fails and the run continues. A tool may suspend its call, and is run again when what it
 * waits for is there. What an abandoned attempt still does has no effect.
 */
import {
  type AskedCall,
  attemptCall,
  type CallOptions,
  isCancelled,
  type OpenCall,
  type Ready,
  toCancelled,
  toTime,
} from "./attempt.ts";
import { callChild } from "./lanes/child-call.ts";
import { isInterrupted, prepare, toInvalid, toRefused, toUnknown } from "../views/call-check.ts";
import { toSuspended, toSuspendedCall } from "../definitions/suspension.ts";
import { releaseKept, waitFor } from "../views/wait.ts";
import type { SuspendedCall } from "../ports/host.ts";
import { runCode } from "./run-code.ts";
import { toOutputs } from "../views/call-context.ts";
import { toCallStarted, toClientQuestion, toDoubtQuestion } from "../views/call-question.ts";
import { toOwnTime } from "../definitions/tool-time.ts";
import type { CallResult } from "../words/dialogue.ts";
import { BatonError, type Failure, failure, isRetryable, toFailure, toMessage } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import { freezeDeep, type Json, omitUndefined } from "../words/json.ts";
import { type Lane, toDelayMs } from "../views/lane.ts";
import type { CallRequest } from "../words/message.ts";
import { boundOutput } from "../words/output.ts";
import { decide } from "./permission.ts";
import { decideNow } from "../views/ruling.ts";
import type { Release } from "../lifetimes/semaphore.ts";
import { type Prepared, RUN_CODE, type Tool } from "../definitions/tool.ts";
import { withVectors } from "../ports/vector-arguments.ts";

type Checked = Ready | Failure | "waiting";
type Ended = EventBodyOf<"call.ended">;
type Suspended = EventBodyOf<"call.suspended">;

/** Number of tries of a tool. */
const MAX_ATTEMPTS = 3;

/** Runs one call; `waiting` if a person must allow it, or the client carry it out, first. */
export async function runCall(lane: Lane, options: CallOptions): Promise<CallResult | "waiting"> {
  const { request, role, sequence, offered, refusal, repeats } = options;
  const { id: call, tool } = request;
  const scope = sequence.scope.child({ name: `call:${call}` });
  try {
    if (lane.host.isCancelled(call)) await scope.cancel(new BatonError("cancelled", "cancelled by command"));
    const filled = fill(lane, request, request.args);
    const args = filled instanceof Promise ? await filled : filled;
    const asked = { role, request, sequence, scope, args, notes: [], repeats };
    const known = offered === undefined || offered.has(tool) ? role.tools.get(tool) : undefined;
    const checking = refusal ?? (known === undefined ? toUnknown(role, tool, offered) : check(lane, asked, known));
    const ready = checking instanceof Promise ? await checking : checking;
    if (ready === "waiting") return "waiting";
    const open = start(lane, asked, ready);
    const ended = await carryOut(lane, open, { ready, after: options.after });
    if (ended === "waiting") return "waiting";
    const { error, attempts, output = null, wholeChars, digest } = ended;
    const { edited } = open;
    if (error !== undefined) return { request, error, attempts, ...omitUndefined({ edited }) };
    return wholeChars === undefined && digest === undefined && edited === undefined
      ? { request, output }
      : { request, output, ...omitUndefined({ wholeChars, digest, edited }) };
  } finally {
    await scope[Symbol.asyncDispose]();
  }
}

/** The arguments with each vector's key replaced by the vector, of the calls that have ended by now. */
function fill(lane: Lane, { id }: CallRequest, args: Json): Json | Promise<Json> {
  const filled = withVectors(args, toOutputs(lane, lane.host.finishedCalls(id)));
  return filled instanceof Promise ? filled.then(freezeDeep) : filled;
}

/** Says that the call starts, now that it is decided whether it may; it sees the calls that have ended by now. */
function start(lane: Lane, asked: AskedCall, ready: Ready | Failure): OpenCall {
  const calls = lane.host.finishedCalls(asked.request.id);
  const edited = "run" in ready ? ready.edited : undefined;
  const { interpreter } = lane.plan.crew;
  const engine = asked.request.tool === RUN_CODE && "run" in ready ? interpreter?.engine : undefined;
  const at = lane.host.emit(toCallStarted(asked, edited, engine));
  return { ...asked, at, calls, edited };
}

type Allowed = Readonly<{ ready: Ready | Failure; after: CallOptions["after"] }>;

async function carryOut(lane: Lane, open: OpenCall, { ready, after }: Allowed): Promise<Ended | "waiting"> {
  const { request, role } = open;
  const { tool } = request;
  const earlier = after === undefined ? [] : await Promise.all(after);
  if (earlier.includes("waiting") && !isCancelled(lane, open)) return "waiting";
  if ("run" in ready && ready.tool.isClient) return askClient(lane, open, ready);
  if ("run" in ready && role.children.has(tool)) return callChild(lane, open, ready);
  if ("run" in ready && tool === RUN_CODE) return runCode(lane, open, { ready, runCall });
  return makeInRounds(lane, withEarlier(open, earlier), ready);
}

/** Makes the call; one that is suspended waits, and is made again with what it kept. */
async function makeInRounds(lane: Lane, open: OpenCall, ready: Ready | Failure): Promise<Ended | "waiting"> {
  const round: Round = { interrupted: 0, suspended: lane.host.suspended(open.request.id), hasRun: false };
  for (;;) {
    const { suspended } = round;
    round.hasRun = false;
    const kept = suspended && (await waitFor(lane, { suspended, scope: open.scope, mayRun: "run" in ready }));
    if (kept === "waiting") return "waiting";
    const isKept = kept !== undefined && "kept" in kept && "run" in ready;
    // Like a call that a person was asked about, it has all its time again.
    const again = isKept ? { ...ready, isAsked: true } : kept !== undefined && "code" in kept ? kept : ready;
    const ended = await make(lane, isKept ? { ...open, kept } : open, { ready: again, round });
    if (ended === "interrupted") round.interrupted++;
    else if (ended === "waiting") return "waiting";
    else if (ended.type === "call.ended") {
      if (suspended !== undefined && !round.hasRun) await releaseKept(lane, open, suspended.fact);
      return ended;
    } else {
      round.suspended = toSuspendedCall(ended, lane.host.scope.clock.now(), suspended);
      open.scope.forgetLimit();
    }
  }
}

/** Where the rounds of a call have come to; `hasRun` if the tool has been run in this one. */
type Round = { interrupted: number; suspended: SuspendedCall | undefined; hasRun: boolean };
type Made<R = Ready | Failure> = Readonly<{ ready: R; round: Round }>;

/** Makes the call once; a person is asked first if it was started before, and does not know by itself what is done. */
async function make(
  lane: Lane,
  open: OpenCall,
  { ready, round }: Made,
): Promise<Ended | Suspended | "waiting" | "interrupted"> {
  const { id: call, tool } = open.request;
  const { interrupted, suspended } = round;
  const effect = open.role.tools.get(tool)?.effect ?? "read";
  const mayDoubt = effect === "irreversible" && open.scope.live && suspended === undefined;
  const doubts = mayDoubt ? lane.host.begun(call) + interrupted : 0;
  const sure = doubts === 0 ? ready : await resolveDoubt(lane, open, { ready, doubts });
  if (sure === "waiting") return "waiting";
  try {
    return await lane.host.once<"call.ended" | "call.suspended">({
      type: "call.ended",
      key: call,
      effect: "run" in sure ? effect : "read",
      isBegun: suspended !== undefined,
      isKnown: (fact) => fact.type === "call.suspended" && fact.round === suspended?.fact.round,
      work: async () => {
        if (isCancelled(lane, open)) return toRefused(open, toCancelled(open));
        return "run" in sure ? tryCall(lane, open, { ready: sure, round }) : toRefused(open, sure);
      },
      failed: (error) => toRefused(open, toStop(lane, error)),
      isUnknown: isInterrupted,
      notes: () => open.notes,
    });
  } catch (thrown) {
    if (thrown instanceof BatonError && isInterrupted(thrown)) return "interrupted";
    throw thrown;
  }
}

/** The call, which also sees the calls that it waited for. */
function withEarlier(open: OpenCall, earlier: readonly (CallResult | "waiting")[]): OpenCall {
  const ids = earlier.flatMap((result) => (result === "waiting" ? [] : result.request.id));
  return ids.length === 0 ? open : { ...open, calls: open.calls.including(ids) };
}

/** The client that follows the run carries the call out; its answer is the result. */
async function askClient(lane: Lane, open: OpenCall, { tool, args }: Ready): Promise<Ended | "waiting"> {
  const { request, role } = open;
  const call = request.id;
  const agent = role.agent.id;
  const settled = await lane.host.ask(toClientQuestion(open, tool, args));
  if (settled === "waiting") return "waiting";
  const bounded = settled === "closed" ? undefined : boundOutput(settled.value);
  const base = { type: "call.ended", call, agent, tool: tool.name, attempts: 1 } as const;
  const ended: Ended =
    bounded === undefined
      ? toRefused(open, failure("cancelled", `${tool.name} was cancelled before the client answered`))
      : bounded.ok
        ? { ...base, output: bounded.output, ...omitUndefined({ wholeChars: bounded.wholeChars }) }
        : { ...base, error: failure("crash", `the client's result cannot be used: ${bounded.why}`) };
  return lane.host.once({
    type: "call.ended",
    key: call,
    effect: "read",
    work: () => Promise.resolve(ended),
    failed: (error) => toRefused(open, toStop(lane, error)),
  });
}

/** Decides whether the call may be made, with which arguments; at once if neither schema nor permission need time. */
function check(lane: Lane, open: AskedCall, tool: Tool): Checked | Promise<Checked> {
  const { args } = open;
  const prepared = prepare(tool, args);
  if (prepared instanceof Promise) return checkInTime(lane, open, { tool, prepared });
  if (!prepared.ok) return toInvalid(prepared);
  const decision = decideNow(lane, open, tool);
  if (decision === undefined) return checkInTime(lane, open, { tool, prepared });
  return decision.verdict === "deny" ? failure("permission", decision.reason) : { tool, args, run: prepared.run };
}

/** `given` are the arguments that a person gave instead of the model's. */
type Candidate = Readonly<{ tool: Tool; prepared: Prepared | Promise<Prepared>; given?: Json }>;

/** The schema's validator and the tool's own hook have the time of the reply's calls; a person has all time. */
async function checkInTime(lane: Lane, open: AskedCall, { tool, prepared, given }: Candidate): Promise<Checked> {
  const time = toTime(open, { isAsked: given !== undefined });
  const inTime = (work: Prepared | Promise<Prepared>) =>
    work instanceof Promise ? lane.host.during(() => time.race(() => work)) : work;
  try {
    const first = await inTime(prepared);
    if (!first.ok) return toInvalid(first);
    const decision = await decide(lane, { ...open, time, given }, tool);
    if (decision === "waiting") return decision;
    if (decision.verdict === "edit") {
      const args = await fill(lane, open.request, decision.args);
      return await checkInTime(lane, { ...open, args }, { tool, prepared: prepare(tool, args), given: decision.args });
    }
    const { isAsked = given !== undefined } = decision;
    if (time.reason?.code === "timeout" && decision.verdict === "deny" && !isAsked) throw time.reason;
    if (decision.verdict === "deny") return failure("permission", decision.reason);
    const { args } = decision;
    const edited = given === undefined ? {} : { edited: args ?? given };
    if (args === undefined) return { tool, args: open.args, run: first.run, isAsked, ...edited };
    const changed = await inTime(prepare(tool, args));
    return changed.ok ? { tool, args, run: changed.run, isAsked, ...edited } : toInvalid(changed);
  } catch (thrown) {
    // Only the end of the call's time is thrown; `once` reports a cancel.
    return failure("timeout", toMessage(thrown));
  } finally {
    await time[Symbol.asyncDispose]();
  }
}

interface Doubt {
  readonly ready: Ready | Failure;
  /** Number of times it was started. */
  readonly doubts: number;
}

/** The call was started and its end is not recorded: a person decides whether to run it again. */
async function resolveDoubt(lane: Lane, open: OpenCall, { ready, doubts }: Doubt): Promise<Checked> {
  const { request, edited = request.args } = open;
  const { tool } = request;
  const settled = await lane.host.ask(toDoubtQuestion(open, edited, doubts));
  if (settled === "waiting") return settled;
  if (settled !== "closed" && settled.value === "again") return ready;
  return failure("permanent", `${tool} was interrupted: it may or may not be done, and it was not run again`);
}

/** A cancel of the whole lane keeps its code, which ends the turn; the reply's own time is the tool's timeout. */
function toStop(lane: Lane, error: BatonError): Failure {
  if (lane.host.scope.reason !== undefined) return toFailure(lane.host.scope.reason);
  return failure(error.code === "timeout" ? "timeout" : "crash", error.message);
}

async function tryCall(lane: Lane, open: OpenCall, { ready, round }: Made<Ready>): Promise<Ended | Suspended> {
  const { request, role, sequence } = open;
  const { id: call, tool } = request;
  const agent = role.agent.id;
  const held: Release[] = [];
  const time = toTime(open, ready);
  sequence.running++;
  try {
    const lock = sequence.lockOf?.(ready.tool);
    const permits = lane.shared.permits(ready.tool);
    for (const semaphore of lock === undefined ? permits : [lock, ...permits]) {
      const permit = semaphore.acquire(time);
      held.push(permit instanceof Promise ? await permit : permit);
    }
    const { warmUp } = ready.tool;
    if (warmUp !== undefined) await time.race(() => warmUp(lane.shared.identity.tenant));
    const restMs = toOwnTime(lane.plan.crew.settings, ready.tool, time.clock);
    for (let attempt = 1; ; attempt++) {
      round.hasRun = true;
      const result = await attemptCall(lane, open, { ready, attempt, time, restMs: restMs() });
      if ("interruption" in result) throw result.interruption;
      if ("suspension" in result)
        return toSuspended({ call, agent, tool, attempts: attempt }, result.suspension, round.suspended);
      if ("output" in result) {
        // Written out, as most calls end: a spread makes an object that is kept for long twice as large.
        const ended = { type: "call.ended", call, agent, tool, attempts: attempt, output: result.output } as const;
        return result.more === undefined ? ended : { ...ended, ...result.more };
      }
      const { error } = result;
      const isFinal = ready.tool.effect === "irreversible" && result.isUnstarted !== true;
      const delayMs = toDelayMs(lane, "tool", attempt);
      const isLast = attempt === MAX_ATTEMPTS || isFinal || !time.live || !isRetryable(error);
      if (isLast || delayMs >= Math.min(time.remainingMs, restMs()))
        return { type: "call.ended", call, agent, tool, attempts: attempt, error };
      lane.host.emit({ type: "call.retried", call, agent, tool, attempt: attempt + 1, delayMs, error });
      await time.sleep(delayMs);
    }
  } catch (thrown) {
    // Only an interruption and waiting throw: for a permit, for a thread, or between two attempts.
    if (isCancelled(lane, open)) return toRefused(open, toCancelled(open));
    throw thrown;
  } finally {
    sequence.running--;
    for (const release of held) release();
    if (time !== open.scope) await time[Symbol.asyncDispose]();
  }
}
