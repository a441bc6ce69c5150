/**
 * Call: one use of a tool, from the model's request to a result the model can read.
 *
 * known tool → arguments fit → permission → permit → run, under the limits of run, reply and tool. A tool that
 * throws anything at all, or never settles, becomes a failed result; the run goes on. What an abandoned attempt
 * still does is fenced off. Reads: error, event, host, output, plan, retry, scope, tool. Read by: calls.
 */
import { type BatonError, type Failure, toFailure, toMessage } from "./error.ts";
import type { FactOf } from "./event.ts";
import type { Json } from "./json.ts";
import type { CallRequest } from "./message.ts";
import { nearest } from "./nearest.ts";
import { boundOutput, type CallResult } from "./output.ts";
import { decide } from "./permission.ts";
import type { Lane, Role } from "./plan.ts";
import { backoffMs } from "./retry.ts";
import type { Scope } from "./scope.ts";
import type { Release } from "./semaphore.ts";
import { failure, isRetryable, toToolFailure } from "./tool-failure.ts";
import type { CallContext, Prepared, RunState, Tool } from "./tool.ts";

/** A call of a reply, and the time all calls of that reply share. */
export interface CallOptions {
  readonly role: Role;
  readonly request: CallRequest;
  readonly sequence: Scope;
}

/** How often a tool is tried. */
const MAX_ATTEMPTS = 3;
/** What is left of the reply's time when a tool must be done. */
const RESERVE_MS = 500;
const LEAST_MS = 100;

/** Runs one call; `waiting` where a person must allow it first. */
export async function runCall(lane: Lane, options: CallOptions): Promise<CallResult | "waiting"> {
  const { role, request } = options;
  const tool = role.tools.get(request.tool);
  const effect = tool?.effect ?? "read";
  const { id: call, args } = request;
  lane.host.emit({ type: "call.started", call, agent: role.agent.id, tool: request.tool, args, effect });
  const refuse = (error: Failure) => finish(lane, options, { error });
  if (tool === undefined) return refuse(toUnknown(role, request.tool));
  const preparing = prepare(tool, args);
  const prepared = preparing instanceof Promise ? await preparing : preparing;
  if (!prepared.ok) return refuse(toInvalid(prepared));
  const deciding = decide(lane, options, tool);
  const decision = deciding instanceof Promise ? await deciding : deciding;
  if (decision === "waiting") return "waiting";
  if (decision.verdict === "deny") return refuse(failure("permission", decision.reason));
  if (decision.args === undefined) return finish(lane, options, { tool, run: prepared.run });
  const changed = await prepare(tool, decision.args);
  return changed.ok ? finish(lane, options, { tool, run: changed.run }) : refuse(toInvalid(changed));
}

type Runner = Extract<Prepared, { ok: true }>["run"];

interface Ready {
  readonly tool: Tool;
  readonly run: Runner;
}

/** Does what is to be done, and records what came of it. */
async function finish(
  lane: Lane,
  options: CallOptions,
  what: Ready | { readonly error: Failure },
): Promise<CallResult> {
  const { request, role } = options;
  const base = { type: "call.ended", call: request.id, agent: role.agent.id, tool: request.tool } as const;
  const ended = await lane.host.once({
    type: "call.ended",
    key: request.id,
    effect: "error" in what ? "read" : what.tool.effect,
    work: async () => ("error" in what ? { ...base, error: what.error, attempts: 0 } : tryCall(lane, options, what)),
    failed: (error) => ({ ...base, error: toStop(lane, error), attempts: 0 }),
  });
  for (const [key, value] of Object.entries(ended.state ?? {})) lane.shared.values.set(key, value);
  if (ended.error !== undefined) return { request, error: ended.error };
  return { request, output: ended.output ?? null };
}

/** A cut of the whole lane keeps its code, which ends the turn; the reply's own time is the tool's timeout. */
function toStop(lane: Lane, error: BatonError): Failure {
  if (lane.host.scope.reason !== undefined) return toFailure(lane.host.scope.reason);
  return failure(error.code === "timeout" ? "timeout" : "crash", error.message);
}

async function tryCall(lane: Lane, options: CallOptions, ready: Ready): Promise<FactOf<"call.ended">> {
  const { request, role, sequence } = options;
  const base = { call: request.id, agent: role.agent.id, tool: request.tool };
  const held = await acquire(lane, ready.tool, sequence);
  try {
    for (let attempt = 1; ; attempt++) {
      const result = await attemptCall(lane, options, { ...ready, attempt });
      const { error } = result;
      const isLast = attempt === MAX_ATTEMPTS || ready.tool.effect === "irreversible" || !sequence.live;
      if (error === undefined || isLast || !isRetryable(error)) {
        return { type: "call.ended", ...base, attempts: attempt, ...result };
      }
      const delayMs = toDelayMs(lane, attempt);
      lane.host.emit({ type: "call.retried", ...base, attempt: attempt + 1, delayMs, error });
      await sequence.sleep(delayMs);
    }
  } finally {
    for (const release of held) release();
  }
}

function toDelayMs(lane: Lane, attempt: number): number {
  const { retryMinMs, retryMaxMs } = lane.plan.crew.settings;
  const { clock } = lane.host.scope;
  return backoffMs(attempt, { minMs: retryMinMs, maxMs: retryMaxMs }, () => clock.random());
}

async function acquire(lane: Lane, tool: Tool, scope: Scope): Promise<Release[]> {
  const { permits } = lane.shared;
  const held: Release[] = [];
  try {
    for (const semaphore of permits(tool)) {
      const permit = semaphore.acquire(scope);
      held.push(permit instanceof Promise ? await permit : permit);
    }
    return held;
  } catch (error) {
    for (const release of held) release();
    throw error;
  }
}

type Attempt = Ready & { readonly attempt: number };
type Result = Pick<FactOf<"call.ended">, "output" | "state" | "error">;

async function attemptCall(lane: Lane, options: CallOptions, ready: Attempt): Promise<Result> {
  const { sequence, request } = options;
  const { settings } = lane.plan.crew;
  const ownMs = ready.tool.timeoutMs ?? settings.toolTimeoutMs;
  const timeoutMs = Math.max(LEAST_MS, Math.min(ownMs, sequence.remainingMs - RESERVE_MS));
  await using scope = sequence.child({ name: `call:${request.id}`, timeoutMs });
  const changes = new Map<string, Json>();
  try {
    const value = await scope.race(() => ready.run(toContext(lane, options, { ready, scope, changes })));
    const bounded = boundOutput(value);
    if (!bounded.ok) return { error: failure("crash", `the tool returned something unusable: ${bounded.why}`) };
    return { output: bounded.output, ...(changes.size === 0 ? {} : { state: Object.fromEntries(changes) }) };
  } catch (thrown) {
    if (lane.host.scope.reason !== undefined) return { error: toFailure(lane.host.scope.reason) };
    if (scope.reason !== undefined)
      return { error: failure("timeout", `${request.tool} took longer than ${Math.round(timeoutMs)} ms`) };
    return { error: toToolFailure(thrown) };
  }
}

interface ContextParts {
  readonly ready: Attempt;
  readonly scope: Scope;
  readonly changes: Map<string, Json>;
}

function toContext(lane: Lane, { request, role }: CallOptions, { ready, scope, changes }: ContextParts): CallContext {
  const state: RunState = {
    get: (key) => changes.get(key) ?? lane.shared.values.get(key),
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
    messages: lane.history,
    state,
    progress(value) {
      const bounded = boundOutput(value);
      if (!bounded.ok || !scope.live) return;
      const base = { call: request.id, agent: role.agent.id, tool: request.tool };
      lane.host.emit({ type: "call.progressed", ...base, progress: bounded.output });
    },
  };
}

function prepare(tool: Tool, args: Json): Prepared | Promise<Prepared> {
  const refuse = (thrown: unknown): Prepared => ({ ok: false, issues: [{ path: "", message: toMessage(thrown) }] });
  try {
    const prepared = tool.prepare(args);
    return prepared instanceof Promise ? prepared.catch(refuse) : prepared;
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
