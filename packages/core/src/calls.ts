/**
 * Calls: all tool calls of one reply, within the time they share.
 *
 * Parallel ones run together, sequential ones after them in order; results return in the order of the calls.
 * Reads: call, host, output, plan, scope. Read by: turn.
 */
import { runCall } from "./call.ts";
import type { CallRequest } from "./message.ts";
import type { CallResult } from "./output.ts";
import type { Lane, Role } from "./plan.ts";
import type { Scope } from "./scope.ts";

export interface CallsOptions {
  readonly role: Role;
  /** Position of the step that asked for them. */
  readonly step: string;
  readonly requests: readonly CallRequest[];
  readonly scope: Scope;
}

type Entry = [number, CallRequest];

/** Runs them all; `waiting` where at least one needs a person's word and the others are done. */
export async function runCalls(lane: Lane, options: CallsOptions): Promise<readonly CallResult[] | "waiting"> {
  const { role, requests, step } = options;
  const timeoutMs = lane.plan.crew.settings.toolSequenceTimeoutMs;
  await using sequence = options.scope.child({ name: `calls:${step}`, timeoutMs });
  const warned = warnWhenLate(lane, options, { sequence, timeoutMs });
  const results: (CallResult | "waiting")[] = Array.from({ length: requests.length }, () => "waiting");
  const start = async ([index, request]: Entry, before?: Promise<void>): Promise<void> => {
    const turn = async () => {
      await before;
      return before === undefined || !earlier(index).includes("waiting");
    };
    results[index] = await runCall(lane, { role, request, sequence, turn });
  };
  const entries = [...requests.entries()];
  const isSequential = ([, { tool }]: Entry) => role.tools.get(tool)?.concurrency === "sequential";
  const together = entries.filter((entry) => !isSequential(entry));
  const ordered = entries.filter(isSequential);
  const earlier = (index: number) => [...together, ...ordered.filter(([at]) => at < index)].map(([at]) => results[at]);
  let before: Promise<void> = Promise.all(together.map((entry) => start(entry))).then(() => undefined);
  for (const entry of ordered) before = start(entry, before);
  await before;
  warned.cancel();
  const done = results.filter((result) => result !== "waiting");
  return done.length === results.length ? done : "waiting";
}

interface Sequence {
  readonly sequence: Scope;
  readonly timeoutMs: number;
}

function warnWhenLate(lane: Lane, options: CallsOptions, { sequence, timeoutMs }: Sequence): { cancel(): void } {
  const share = lane.plan.crew.settings.timeoutWarningPct / 100;
  return sequence.clock.after(timeoutMs * (1 - share), () => {
    if (!sequence.live) return;
    const text = `less than ${Math.round(share * 100)} % of the time for tool calls is left`;
    lane.host.emit({ type: "warning.raised", agent: options.role.agent.id, text, of: options.step });
  });
}
