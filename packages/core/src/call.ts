/**
 * Call: one use of a tool, from the model's request to a result the model can read.
 *
 * known tool → arguments fit → permission → permit → run, under the limits of run, reply and tool. A tool that throws
 * anything at all, or never settles, becomes a failed result; the run goes on. What an abandoned attempt still does
 * is fenced off.
 */
import { type BatonError, type Failure, failure, isRetryable, toFailure, toMessage, toToolFailure } from "./error.ts";
import type { FactOf } from "./event.ts";
import type { Json } from "./json.ts";
import type { CallRequest } from "./message.ts";
import { nearest } from "./nearest.ts";
import { boundOutput, type CallResult } from "./output.ts";
import { decide, isFree } from "./permission.ts";
import { type Lane, type Role, toDelayMs } from "./plan.ts";
import type { Scope } from "./scope.ts";
import type { Release } from "./semaphore.ts";
import type { CallContext, Prepared, RunState, Tool } from "./tool.ts";

/** A call of a reply, and the time all calls of that reply share. */
export interface CallOptions {
  readonly role: Role;
  readonly request: CallRequest;
  readonly sequence: Scope;
  /** Calls it comes after; it waits with them where one of them waits for a person. */
  readonly after?: readonly Promise<CallResult | "waiting">[];
}

/** How often a tool is tried. */
const MAX_ATTEMPTS = 3;
/** What is left of the reply's time when a tool must be done. */
const RESERVE_MS = 500;
const LEAST_MS = 100;

/** Runs one call; `waiting` where a person must allow it first. */
export async function runCall(lane: Lane, options: CallOptions): Promise<CallResult | "waiting"> {
  const { request, role } = options;
  const { id: call, tool, args } = request;
  const agent = role.agent.id;
  const known = role.tools.get(tool);
  const effect = known?.effect ?? "read";
  lane.host.emit({ type: "call.started", call, agent, tool, args, effect });
  const checking = known === undefined ? toUnknown(role, tool) : check(lane, options, known);
  const ready = checking instanceof Promise ? await checking : checking;
  if (ready === "waiting") return "waiting";
  if (options.after !== undefined && (await Promise.all(options.after)).includes("waiting")) return "waiting";
  const doubts = effect === "irreversible" ? lane.host.begun(call) : 0;
  const sure = doubts === 0 ? ready : await resolveDoubt(lane, { role, request, ready, doubts });
  if (sure === "waiting") return "waiting";
  const refused = (error: Failure) => ({ type: "call.ended", call, agent, tool, attempts: 0, error }) as const;
  const ended = await lane.host.once({
    type: "call.ended",
    key: call,
    effect: "run" in sure ? effect : "read",
    work: () => ("run" in sure ? tryCall(lane, options, sure) : Promise.resolve(refused(sure))),
    failed: (error) => refused(toStop(lane, error)),
  });
  return ended.error === undefined ? { request, output: ended.output ?? null } : { request, error: ended.error };
}

/** Inside `once`, so that a run that goes on does not set again, in another order, what its log has already. */
function applyState(lane: Lane, state: { readonly [key: string]: Json }): void {
  for (const [key, value] of Object.entries(state)) lane.shared.values.set(key, value);
}

/** A tool with arguments that fit and may be used. */
type Ready = Readonly<{ tool: Tool; run: Extract<Prepared, { ok: true }>["run"] }>;

type Checked = Ready | Failure | "waiting";

/** Whether the call may be made, with which arguments; at once where neither schema nor permission need time. */
function check(lane: Lane, options: CallOptions, tool: Tool): Checked | Promise<Checked> {
  const prepared = prepare(tool, options.request.args, options.sequence);
  if (prepared instanceof Promise || !isFree(lane.plan.crew, tool))
    return checkInTime(lane, options, { tool, prepared });
  return prepared.ok ? { tool, run: prepared.run } : toInvalid(prepared);
}

type Candidate = Readonly<{ tool: Tool; prepared: Prepared | Promise<Prepared> }>;

async function checkInTime(lane: Lane, options: CallOptions, candidate: Candidate): Promise<Checked> {
  const { tool } = candidate;
  const prepared = await candidate.prepared;
  if (!prepared.ok) return toInvalid(prepared);
  const decision = await decide(lane, options, tool);
  if (decision === "waiting") return decision;
  if (decision.verdict === "deny") return failure("permission", decision.reason);
  if (decision.args === undefined) return { tool, run: prepared.run };
  const changed = await prepare(tool, decision.args, options.sequence);
  return changed.ok ? { tool, run: changed.run } : toInvalid(changed);
}

interface Doubt {
  readonly role: Role;
  readonly request: CallRequest;
  readonly ready: Ready | Failure;
  /** How often it was begun. */
  readonly doubts: number;
}

/** It was begun and nobody knows whether it was done: a person says whether to do it again. */
async function resolveDoubt(lane: Lane, { role, request, ready, doubts }: Doubt): Promise<Checked> {
  const { id: call, tool, args } = request;
  const settled = await lane.host.ask({
    type: "question.opened",
    question: doubts === 1 ? `${call}/doubt` : `${call}/doubt-${doubts}`,
    kind: "doubt",
    agent: role.agent.id,
    text: `${tool} was begun and then cut off: it is not known whether it was done; "again" does it (again)`,
    call,
    tool,
    args,
    schema: { enum: ["again", "skip"] },
    who: "operator",
  });
  if (settled === "waiting") return settled;
  if (settled !== "closed" && settled.value === "again") return ready;
  return failure("permanent", `${tool} was cut off: it is not known whether it was done, and it was not done again`);
}

/** A cut of the whole lane keeps its code, which ends the turn; the reply's own time is the tool's timeout. */
function toStop(lane: Lane, error: BatonError): Failure {
  if (lane.host.scope.reason !== undefined) return toFailure(lane.host.scope.reason);
  return failure(error.code === "timeout" ? "timeout" : "crash", error.message);
}

async function tryCall(lane: Lane, options: CallOptions, ready: Ready): Promise<FactOf<"call.ended">> {
  const { request, role, sequence } = options;
  const { id: call, tool } = request;
  const agent = role.agent.id;
  const held: Release[] = [];
  try {
    for (const semaphore of lane.shared.permits(ready.tool)) {
      const permit = semaphore.acquire(sequence);
      held.push(permit instanceof Promise ? await permit : permit);
    }
    for (let attempt = 1; ; attempt++) {
      const result = await attemptCall(lane, options, { ...ready, attempt });
      const { error } = result;
      const isLast = attempt === MAX_ATTEMPTS || ready.tool.effect === "irreversible" || !sequence.live;
      if (result.state !== undefined) applyState(lane, result.state);
      // Written out, as most calls end: a spread makes an object that is kept for long twice as large.
      if (error === undefined && result.state === undefined) {
        return { type: "call.ended", call, agent, tool, attempts: attempt, output: result.output ?? null };
      }
      if (error === undefined || isLast || !isRetryable(error)) {
        return { type: "call.ended", call, agent, tool, attempts: attempt, ...result };
      }
      const delayMs = toDelayMs(lane, attempt);
      if (delayMs >= sequence.remainingMs) return { type: "call.ended", call, agent, tool, attempts: attempt, error };
      lane.host.emit({ type: "call.retried", call, agent, tool, attempt: attempt + 1, delayMs, error });
      await sequence.sleep(delayMs);
    }
  } finally {
    for (const release of held) release();
  }
}

type Attempt = Ready & { readonly attempt: number };
type Result = Pick<FactOf<"call.ended">, "output" | "state" | "error">;

function attemptCall(lane: Lane, options: CallOptions, ready: Attempt): Promise<Result> {
  const { sequence, request } = options;
  const ownMs = ready.tool.timeoutMs ?? lane.plan.crew.settings.toolTimeoutMs;
  const timeoutMs = Math.max(LEAST_MS, Math.min(ownMs, sequence.remainingMs - RESERVE_MS));
  const changes = new Map<string, Json>();
  const scope = sequence.child({ name: `call:${request.id}`, timeoutMs });
  const work = scope.only(() => ready.run(toContext(lane, options, { ready, scope, changes })));
  const succeed = (value: unknown): Result => {
    const bounded = boundOutput(value);
    if (!bounded.ok) return { error: failure("crash", `the tool returned something unusable: ${bounded.why}`) };
    const { output } = bounded;
    return changes.size === 0 ? { output } : { output, state: Object.fromEntries(changes) };
  };
  const fail = (thrown: unknown): Result => {
    if (lane.host.scope.reason !== undefined) return { error: toFailure(lane.host.scope.reason) };
    if (scope.reason?.code !== "timeout") return { error: toToolFailure(thrown) };
    return { error: failure("timeout", `${request.tool} took longer than ${Math.round(timeoutMs)} ms`) };
  };
  return work.then(succeed, fail);
}

type ContextParts = Readonly<{ ready: Attempt; scope: Scope; changes: Map<string, Json> }>;

function toContext(lane: Lane, { request, role }: CallOptions, { ready, scope, changes }: ContextParts): CallContext {
  const state: RunState = {
    get: (key) => (changes.has(key) ? changes : lane.shared.values).get(key),
    entries: () => new Map([...lane.shared.values, ...changes]),
    set(key, value) {
      const bounded = boundOutput(value);
      if (bounded.ok && scope.live) changes.set(key, bounded.output);
      if (!bounded.ok) throw new TypeError(`state "${key}": ${bounded.why}`);
    },
  };
  return {
    key: `${lane.host.run}/${request.id}`,
    scope,
    run: lane.host.run,
    call: request.id,
    attempt: ready.attempt,
    messages: lane.history.slice(),
    state,
    progress(value) {
      const bounded = boundOutput(value);
      if (!bounded.ok || !scope.live) return;
      const base = { call: request.id, agent: role.agent.id, tool: request.tool };
      lane.host.emit({ type: "call.progressed", ...base, progress: bounded.output });
    },
  };
}

/** A validator may take its time, but no more than the calls of the reply have; what it throws does not fit. */
function prepare(tool: Tool, args: Json, scope: Scope): Prepared | Promise<Prepared> {
  const refuse = (thrown: unknown): Prepared => ({ ok: false, issues: [{ path: "", message: toMessage(thrown) }] });
  try {
    const prepared = tool.prepare(args);
    return prepared instanceof Promise ? scope.race(() => prepared).catch(refuse) : prepared;
  } catch (thrown) {
    return refuse(thrown);
  }
}

function toUnknown(role: Role, name: string): Failure {
  const known = [...role.tools.keys()];
  const near = nearest(name, known);
  const hint = near === undefined ? `this agent has ${known.join(", ") || "no tools"}` : `did you mean ${near}?`;
  return failure("validation", `there is no tool "${name.slice(0, 64)}"; ${hint}`);
}

function toInvalid({ issues }: Extract<Prepared, { ok: false }>): Failure {
  const lines = issues.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return failure("validation", `the arguments do not fit: ${lines.join("; ")}`);
}
