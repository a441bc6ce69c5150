/**
 * Call: one use of a tool, from the model's request to a result the model can read.
 *
 * known tool → arguments fit → permission → permit → run, under the limits of run, reply and tool. If the tool throws
 * anything, never settles or is cancelled alone, the call fails and the run continues. What an abandoned attempt still
 * does has no effect.
 */
import { attemptCall, isCancelled, type OpenCall, type Ready, type Sequence, toCancelled, toTime } from "./attempt.ts";
import { callChild } from "./lanes/child-call.ts";
import { prepare, toInvalid, toUnknown } from "../views/call-check.ts";
import { toOutputs } from "../views/call-context.ts";
import { toVia } from "../views/child-tool.ts";
import { toOwnTime } from "../definitions/tool-time.ts";
import type { CallResult } from "../words/dialogue.ts";
import { BatonError, type Failure, failure, isRetryable, toFailure, toMessage, ToolError } from "../words/error.ts";
import type { EventBodyOf } from "../words/event.ts";
import { freezeDeep, omitUndefined } from "../words/json.ts";
import { type Lane, toDelayMs } from "../views/lane.ts";
import type { CallRequest } from "../words/message.ts";
import { boundOutput } from "../words/output.ts";
import { decide, isFree } from "./permission.ts";
import type { Role } from "../views/plan.ts";
import type { Release } from "../lifetimes/semaphore.ts";
import type { Prepared, Tool } from "../definitions/tool.ts";
import { withVectors } from "../ports/vector-arguments.ts";

/** A call of a reply, and the time all calls of that reply share. */
export interface CallOptions {
  readonly role: Role;
  readonly request: CallRequest;
  readonly sequence: Sequence;
  /** Calls that must finish first. If one of them is waiting for a person, so does this one. */
  readonly after?: readonly Promise<CallResult | "waiting">[];
  /** Names of the tools that the step offered; undefined if all were. */
  readonly offered: ReadonlySet<string> | undefined;
  /** Why it is not made. */
  readonly refusal?: Failure;
}

type Checked = Ready | Failure | "waiting";
type Ended = EventBodyOf<"call.ended">;

/** Number of tries of a tool. */
const MAX_ATTEMPTS = 3;

/** Runs one call; `waiting` if a person must allow it, or the client carry it out, first. */
export async function runCall(lane: Lane, options: CallOptions): Promise<CallResult | "waiting"> {
  const { request, role, sequence } = options;
  const { id: call, tool } = request;
  const effect = role.tools.get(tool)?.effect ?? "read";
  const calls = lane.host.finishedCalls(call);
  const via = toVia(call, role.children.get(tool));
  // Written out: what is spread is twice as large, and kept for long.
  const started = { type: "call.started", call, agent: role.agent.id, tool, args: request.args, effect } as const;
  lane.host.emit(via === undefined ? started : { ...started, via });
  const scope = sequence.scope.child({ name: `call:${call}` });
  try {
    if (lane.host.isCancelled(call)) await scope.cancel(new BatonError("cancelled", "cancelled by command"));
    const filled = withVectors(request.args, toOutputs(lane, calls));
    const args = filled instanceof Promise ? freezeDeep(await filled) : filled;
    const ended = await carryOut(lane, { role, request, sequence, scope, args, calls, notes: [] }, options);
    if (ended === "waiting") return "waiting";
    const { error, attempts, output = null, wholeChars, digest } = ended;
    if (error !== undefined) return { request, error, attempts };
    return wholeChars === undefined && digest === undefined
      ? { request, output }
      : { request, output, ...omitUndefined({ wholeChars, digest }) };
  } finally {
    await scope[Symbol.asyncDispose]();
  }
}

async function carryOut(
  lane: Lane,
  open: OpenCall,
  { after, offered, refusal }: CallOptions,
): Promise<Ended | "waiting"> {
  const { request, role } = open;
  const { tool } = request;
  const known = offered === undefined || offered.has(tool) ? role.tools.get(tool) : undefined;
  const checking = refusal ?? (known === undefined ? toUnknown(role, tool, offered) : check(lane, open, known));
  const ready = checking instanceof Promise ? await checking : checking;
  if (ready === "waiting") return "waiting";
  const earlier = after === undefined ? [] : await Promise.all(after);
  if (earlier.includes("waiting") && !isCancelled(lane, open)) return "waiting";
  if ("run" in ready && ready.tool.isClient) return askClient(lane, open, ready);
  if ("run" in ready && role.children.has(tool)) return callChild(lane, open, ready);
  for (let interrupted = 0; ; interrupted++) {
    const ended = await make(lane, withEarlier(open, earlier), { ready, interrupted });
    if (ended !== "interrupted") return ended;
  }
}

type Made = Readonly<{ ready: Ready | Failure; interrupted: number }>;

/** Makes the call once; a person is asked first if it was started before. */
async function make(
  lane: Lane,
  open: OpenCall,
  { ready, interrupted }: Made,
): Promise<Ended | "waiting" | "interrupted"> {
  const { id: call, tool } = open.request;
  const effect = open.role.tools.get(tool)?.effect ?? "read";
  const doubts = effect === "irreversible" && open.scope.live ? lane.host.begun(call) + interrupted : 0;
  const sure = doubts === 0 ? ready : await resolveDoubt(lane, open, { ready, doubts });
  if (sure === "waiting") return "waiting";
  try {
    return await lane.host.once({
      type: "call.ended",
      key: call,
      effect: "run" in sure ? effect : "read",
      work: async () => {
        if (isCancelled(lane, open)) return toRefused(open, toCancelled(open));
        return "run" in sure ? tryCall(lane, open, sure) : toRefused(open, sure);
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

function isInterrupted({ cause }: BatonError): boolean {
  return cause instanceof ToolError && cause.isInterrupted;
}

/** The call, which also sees the calls that it waited for. */
function withEarlier(open: OpenCall, earlier: readonly (CallResult | "waiting")[]): OpenCall {
  const ids = earlier.flatMap((result) => (result === "waiting" ? [] : result.request.id));
  return ids.length === 0 ? open : { ...open, calls: open.calls.including(ids) };
}

function toRefused({ request: { id: call, tool }, role }: OpenCall, error: Failure): Ended {
  return { type: "call.ended", call, agent: role.agent.id, tool, attempts: 0, error };
}

/** The client that follows the run carries the call out; its answer is the result. */
async function askClient(lane: Lane, open: OpenCall, { tool, args }: Ready): Promise<Ended | "waiting"> {
  const { request, role } = open;
  const call = request.id;
  const agent = role.agent.id;
  const settled = await lane.host.ask({
    type: "question.opened",
    question: `${call}/tool`,
    kind: "tool",
    agent,
    text: `${tool.name} is carried out by the client; answer with its result`,
    call,
    tool: tool.name,
    args,
    schema: tool.outputSchema ?? {},
  });
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

/** Whether the call may be made, with which arguments; at once if neither schema nor permission need time. */
function check(lane: Lane, open: OpenCall, tool: Tool): Checked | Promise<Checked> {
  const { args } = open;
  const prepared = prepare(tool, args);
  if (prepared instanceof Promise || !isFree(lane.plan.crew, tool)) return checkInTime(lane, open, { tool, prepared });
  return prepared.ok ? { tool, args, run: prepared.run } : toInvalid(prepared);
}

type Candidate = Readonly<{ tool: Tool; prepared: Prepared | Promise<Prepared> }>;

/** The schema's validator and the tool's own hook have the time of the reply's calls; a person has all time. */
async function checkInTime(lane: Lane, open: OpenCall, { tool, prepared }: Candidate): Promise<Checked> {
  const time = toTime(open, { isAsked: false });
  const inTime = (work: Prepared | Promise<Prepared>) =>
    work instanceof Promise ? lane.host.during(() => time.race(() => work)) : work;
  try {
    const first = await inTime(prepared);
    if (!first.ok) return toInvalid(first);
    const decision = await decide(lane, { ...open, time }, tool);
    if (decision === "waiting") return decision;
    if (time.reason?.code === "timeout" && decision.verdict === "deny") throw time.reason;
    if (decision.verdict === "deny") return failure("permission", decision.reason);
    const { args, isAsked = false } = decision;
    if (args === undefined) return { tool, args: open.args, run: first.run, isAsked };
    const changed = await inTime(prepare(tool, args));
    return changed.ok ? { tool, args, run: changed.run, isAsked } : toInvalid(changed);
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
async function resolveDoubt(lane: Lane, { request, role }: OpenCall, { ready, doubts }: Doubt): Promise<Checked> {
  const { id: call, tool, args } = request;
  const settled = await lane.host.ask({
    type: "question.opened",
    question: doubts === 1 ? `${call}/doubt` : `${call}/doubt-${doubts}`,
    kind: "doubt",
    agent: role.agent.id,
    text: `${tool} was started and then interrupted, so it may or may not be done; answer "again" to run it again, or "skip"`,
    call,
    tool,
    args,
    schema: { enum: ["again", "skip"] },
    who: "operator",
  });
  if (settled === "waiting") return settled;
  if (settled !== "closed" && settled.value === "again") return ready;
  return failure("permanent", `${tool} was interrupted: it may or may not be done, and it was not run again`);
}

/** A cancel of the whole lane keeps its code, which ends the turn; the reply's own time is the tool's timeout. */
function toStop(lane: Lane, error: BatonError): Failure {
  if (lane.host.scope.reason !== undefined) return toFailure(lane.host.scope.reason);
  return failure(error.code === "timeout" ? "timeout" : "crash", error.message);
}

async function tryCall(lane: Lane, open: OpenCall, ready: Ready): Promise<Ended> {
  const { request, role, sequence } = open;
  const { id: call, tool } = request;
  const agent = role.agent.id;
  const held: Release[] = [];
  const time = toTime(open, ready);
  sequence.running++;
  try {
    for (const semaphore of lane.shared.permits(ready.tool)) {
      const permit = semaphore.acquire(time);
      held.push(permit instanceof Promise ? await permit : permit);
    }
    const { warmUp } = ready.tool;
    if (warmUp !== undefined) await time.race(() => warmUp(lane.shared.identity.tenant));
    const restMs = toOwnTime(lane.plan.crew.settings, ready.tool, time.clock);
    for (let attempt = 1; ; attempt++) {
      const {
        isUnstarted = false,
        interruption,
        ...result
      } = await attemptCall(lane, open, { ...ready, attempt, time, restMs: restMs() });
      const { error } = result;
      if (interruption !== undefined) throw interruption;
      const isFinal = ready.tool.effect === "irreversible" && !isUnstarted;
      const isLast = attempt === MAX_ATTEMPTS || isFinal || !time.live;
      // Written out, as most calls end: a spread makes an object that is kept for long twice as large.
      if (error === undefined && Object.keys(result).length === 1) {
        return { type: "call.ended", call, agent, tool, attempts: attempt, output: result.output ?? null };
      }
      if (error === undefined || isLast || !isRetryable(error)) {
        return { type: "call.ended", call, agent, tool, attempts: attempt, ...result };
      }
      const delayMs = toDelayMs(lane, "tool", attempt);
      if (delayMs >= Math.min(time.remainingMs, restMs()))
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
