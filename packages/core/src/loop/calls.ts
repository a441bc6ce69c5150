/**
 * Calls: all tool calls of one reply, within the time they share.
 *
 * Parallel ones run together, sequential ones after them in order; results return in the order of the calls.
 */
import type { Sequence } from "./attempt.ts";
import { runCall } from "./call.ts";
import type { CallResult } from "../words/dialogue.ts";
import { findDone, type Lane } from "../views/lane.ts";
import type { CallRequest } from "../words/message.ts";
import type { Role } from "../views/plan.ts";
import { countChild, toTooMany } from "../views/child-tool.ts";
import { findRepeated } from "../views/code/code-tool.ts";
import type { Scope } from "../lifetimes/scope.ts";
import { Semaphore } from "../lifetimes/semaphore.ts";

const OF_REPLY = { what: "the tool calls of one reply", setting: "tool_result_timeout_seconds" };

export interface CallsOptions {
  readonly role: Role;
  /** Position of the step that asked for them. */
  readonly step: string;
  readonly requests: readonly CallRequest[];
  readonly offered: ReadonlySet<string> | undefined;
  readonly scope: Scope;
  /** Tools that code may call; undefined if the agent writes none. */
  readonly inCode: ReadonlySet<string> | undefined;
  /** Calls of each agent or crew in this turn. */
  readonly counts: Map<string, number>;
}

/** Runs them all; `waiting` if at least one needs a person's word and the others are done. */
export async function runCalls(lane: Lane, options: CallsOptions): Promise<readonly CallResult[] | "waiting"> {
  const { role, requests, step } = options;
  const timeoutMs = lane.plan.crew.settings.toolSequenceTimeoutMs;
  const scope = options.scope.child({ name: `calls:${step}` });
  const { maxCallsPerReply, maxParallelAgents } = lane.plan.crew.settings;
  const children = new Semaphore(maxParallelAgents);
  const deadlineAt = scope.clock.monotonic() + timeoutMs;
  const { inCode, counts } = options;
  const sequence: Sequence = { scope, limit: OF_REPLY, timeoutMs, deadlineAt, running: 0, children, counts, inCode };
  const done = inCode === undefined ? [] : findDone(lane, role, step);
  const warned = warnWhenLate(lane, options, sequence);
  const isSequential = ({ tool }: CallRequest) =>
    !role.agent.parallelToolCalls || role.tools.get(tool)?.concurrency === "sequential";
  // All begin at once, so that every question is open at once; a sequential one waits for those before it.
  const later = requests.filter(isSequential);
  const order = later.length === 0 ? requests : [...requests.filter((one) => !later.includes(one)), ...later];
  const over = new Set(requests.slice(maxCallsPerReply));
  const started: Promise<CallResult | "waiting">[] = [];
  for (const request of order) {
    const refusal = over.has(request) ? toTooMany(maxCallsPerReply) : countChild(options, request.tool);
    const repeats = findRepeated(done, request);
    const after = later.includes(request) ? [...started] : undefined;
    started.push(runCall(lane, { role, request, sequence, offered: options.offered, after, refusal, repeats }));
  }
  try {
    const results = await Promise.all(started);
    const inOrder = requests.map((request) => results[order.indexOf(request)] ?? "waiting");
    return inOrder.every((result) => result !== "waiting") ? inOrder : "waiting";
  } finally {
    warned.cancel();
    await scope[Symbol.asyncDispose]();
  }
}

function warnWhenLate(lane: Lane, options: CallsOptions, sequence: Sequence): { cancel(): void } {
  const share = lane.plan.crew.settings.timeoutWarningPct / 100;
  return sequence.scope.clock.after(sequence.timeoutMs * (1 - share), () => {
    if (!sequence.scope.live || sequence.running === 0) return;
    const text = `less than ${Math.round(share * 100)} % of the time for tool calls is left (tool_result_timeout_seconds)`;
    lane.host.emit({ type: "warning.raised", agent: options.role.agent.id, text, of: options.step });
  });
}
