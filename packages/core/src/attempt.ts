/**
 * Attempt: one try of a tool, under its time limit.
 *
 * What the tool sets in the run's store counts only if the attempt succeeds; what it does after its end goes nowhere.
 */
import { type Failure, failure, toFailure, toToolFailure } from "./error.ts";
import type { FactOf } from "./event.ts";
import type { Json } from "./json.ts";
import type { Lane } from "./lane.ts";
import type { CallRequest } from "./message.ts";
import { boundOutput } from "./output.ts";
import type { Role } from "./plan.ts";
import type { Scope } from "./scope.ts";
import { toSeconds } from "./text.ts";
import type { CallContext, Prepared, RunState, Tool } from "./tool.ts";

/** What is left of the reply's time when a tool must be done. */
const RESERVE_MS = 500;
const LEAST_MS = 100;

/** A call under way. */
export interface OpenCall {
  readonly role: Role;
  readonly request: CallRequest;
  /** The arguments with vectors in the place of their keys. */
  readonly args: Json;
  /** The time all calls of the reply share. */
  readonly sequence: Scope;
  /** The call's own. */
  readonly scope: Scope;
}

/** A tool with arguments that fit and may be used. */
export type Ready = Readonly<{ tool: Tool; args: Json; run: Extract<Prepared, { ok: true }>["run"] }>;

type Attempt = Ready & { readonly attempt: number };
type Result = Pick<FactOf<"call.ended">, "output" | "state" | "error">;

/** Tries the tool once; never rejects. */
export function attemptCall(lane: Lane, open: OpenCall, ready: Attempt): Promise<Result> {
  const limit = toLimit(lane, open, ready);
  const changes = new Map<string, Json>();
  // Without a name: a receipt tells of the call, not of its attempts.
  const scope = open.scope.child({ name: "", timeoutMs: limit.ms });
  const work = scope.only(() => ready.run(toContext(lane, open, { ready, scope, changes })));
  const succeed = (value: unknown): Result => {
    const bounded = boundOutput(value);
    if (!bounded.ok) return { error: failure("crash", `the tool returned something unusable: ${bounded.why}`) };
    const { output } = bounded;
    return changes.size === 0 ? { output } : { output, state: Object.fromEntries(changes) };
  };
  const fail = (thrown: unknown): Result => ({ error: toError(lane, open, { thrown, scope, limit }) });
  return work.then(succeed, fail);
}

type Limit = Readonly<{ ms: number; setting: string }>;

/** How long the attempt may take, and which setting says so. */
function toLimit({ plan, host }: Lane, { sequence }: OpenCall, { tool }: Ready): Limit {
  const own = tool.timeoutMs ?? plan.crew.settings.toolTimeoutMs;
  const left = sequence.remainingMs - RESERVE_MS;
  if (own <= left)
    return {
      ms: own,
      setting: tool.timeoutMs === undefined ? "tool_execution_timeout_seconds" : "the tool's timeoutMs",
    };
  const isOfRun = host.scope.remainingMs - RESERVE_MS <= left;
  return { ms: Math.max(LEAST_MS, left), setting: isOfRun ? "timeout_seconds" : "tool_result_timeout_seconds" };
}

type Thrown = Readonly<{ thrown: unknown; scope: Scope; limit: Limit }>;

function toError(lane: Lane, open: OpenCall, { thrown, scope, limit }: Thrown): Failure {
  if (lane.host.scope.reason !== undefined) return toFailure(lane.host.scope.reason);
  if (isCancelled(lane, open)) return toCancelled(open);
  if (scope.reason?.code !== "timeout") return toToolFailure(thrown);
  return failure("timeout", `${open.request.tool} took longer than ${toSeconds(limit.ms)} (${limit.setting})`);
}

type ContextParts = Readonly<{ ready: Attempt; scope: Scope; changes: Map<string, Json> }>;

function toContext(lane: Lane, { request, role }: OpenCall, { ready, scope, changes }: ContextParts): CallContext {
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
    ...lane.shared.identity,
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

/** Whether this call alone was cancelled. */
export function isCancelled({ host }: Lane, { scope, sequence }: OpenCall): boolean {
  return scope.reason?.code === "cancelled" && sequence.reason === undefined && host.scope.reason === undefined;
}

/** How a call failed that was cancelled alone. */
export function toCancelled({ request, scope }: OpenCall): Failure {
  return failure("cancelled", `${request.tool} was cancelled: ${scope.reason?.message ?? "by command"}`);
}
