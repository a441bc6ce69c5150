/**
 * Calls: all tool calls of one reply, within the time they share.
 *
 * Parallel ones run together, sequential ones after them in order; results return in the order of the calls.
 */
import type { Sequence } from "./attempt.ts";
import { runCall } from "./call.ts";
import type { CallResult } from "../words/dialogue.ts";
import { type Failure, failure } from "../words/error.ts";
import type { Lane } from "../views/lane.ts";
import type { CallRequest } from "../words/message.ts";
import type { Role } from "../views/plan.ts";
import type { Scope } from "../lifetimes/scope.ts";

export interface CallsOptions {
  readonly role: Role;
  /** Position of the step that asked for them. */
  readonly step: string;
  readonly requests: readonly CallRequest[];
  readonly offered: ReadonlySet<string> | undefined;
  readonly scope: Scope;
}

/** Runs them all; `waiting` if at least one needs a person's word and the others are done. */
export async function runCalls(lane: Lane, options: CallsOptions): Promise<readonly CallResult[] | "waiting"> {
  const { role, requests, step } = options;
  const timeoutMs = lane.plan.crew.settings.toolSequenceTimeoutMs;
  const scope = options.scope.child({ name: `calls:${step}` });
  const sequence: Sequence = { scope, timeoutMs, deadlineAt: scope.clock.monotonic() + timeoutMs, running: 0 };
  const warned = warnWhenLate(lane, options, sequence);
  const isSequential = ({ tool }: CallRequest) =>
    !role.agent.parallelToolCalls || role.tools.get(tool)?.concurrency === "sequential";
  // All begin at once, so that every question is open at once; a sequential one waits for those before it.
  const order = [...requests.filter((one) => !isSequential(one)), ...requests.filter(isSequential)];
  const { maxCallsPerReply } = lane.plan.crew.settings;
  const over = new Set(requests.slice(maxCallsPerReply));
  const started: Promise<CallResult | "waiting">[] = [];
  for (const request of order) {
    const refusal = over.has(request) ? { refusal: toTooMany(maxCallsPerReply) } : {};
    const after = isSequential(request) ? { after: [...started] } : {};
    started.push(runCall(lane, { role, request, sequence, offered: options.offered, ...after, ...refusal }));
  }
  try {
    const results = await Promise.all(started);
    const done = requests.map((request) => results[order.indexOf(request)] ?? "waiting");
    return done.every((result) => result !== "waiting") ? done : "waiting";
  } finally {
    warned.cancel();
    await scope[Symbol.asyncDispose]();
  }
}

function toTooMany(most: number): Failure {
  const text = `at most ${most} calls of one reply are made (max_calls_per_reply): neither this one nor those after it`;
  return failure("permanent", text);
}

function warnWhenLate(lane: Lane, options: CallsOptions, sequence: Sequence): { cancel(): void } {
  const share = lane.plan.crew.settings.timeoutWarningPct / 100;
  return sequence.scope.clock.after(sequence.timeoutMs * (1 - share), () => {
    if (!sequence.scope.live || sequence.running === 0) return;
    const text = `less than ${Math.round(share * 100)} % of the time for tool calls is left (tool_result_timeout_seconds)`;
    lane.host.emit({ type: "warning.raised", agent: options.role.agent.id, text, of: options.step });
  });
}
