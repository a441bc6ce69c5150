/**
 * Scored run: what checks read of a log. Several runs of one session count as one conversation.
 */
import { fold, type Json, type Outcome, type RunEvent } from "@baton/core";
import { isMember, toResult } from "@baton/core/engine";

/** A call that reached its tool, or was refused. */
export type ScoredCall = Readonly<{
  call: string;
  tool: string;
  agent: string;
  args: Json;
  output?: Json;
  error?: string;
}>;

/** A conversation as checks see it. */
export interface ScoredRun {
  readonly events: readonly RunEvent[];
  readonly outcome: Outcome;
  /** The last answer, without signals. */
  readonly text: string;
  readonly output: Json | undefined;
  /** Agents in the order in which they took the baton. */
  readonly route: readonly string[];
  /** Calls that were made. */
  readonly calls: readonly ScoredCall[];
  /** Tools of the calls that a rule or a person refused. */
  readonly denied: readonly string[];
  /** Messages of the user. */
  readonly said: readonly string[];
  readonly costUsd: number | undefined;
  readonly seconds: number;
}

/** Reads the log of a conversation; throws if it is empty. */
export function toScoredRun(events: readonly RunEvent[]): ScoredRun {
  const last = events.at(-1)?.run;
  const result = toResult(fold(events.filter(({ run }) => run === last)));
  const { calls, denied } = readCalls(events);
  const steps = events.filter((event) => event.type === "step.ended");
  const isPriced = steps.every(({ costUsd }) => costUsd !== undefined);
  return {
    events,
    outcome: result.outcome,
    text: result.content,
    output: result.output,
    route: toRoute(events),
    calls,
    denied,
    said: events.flatMap(saidIn),
    costUsd: isPriced ? steps.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0) : undefined,
    seconds: ((events.at(-1)?.at ?? 0) - (events[0]?.at ?? 0)) / 1_000,
  };
}

function toRoute(events: readonly RunEvent[]): readonly string[] {
  const agents = events.flatMap((event) =>
    event.type === "turn.started" && event.crew === undefined && !isMember(event.lane) ? event.agent : [],
  );
  return agents.filter((agent, at) => agent !== agents[at - 1]);
}

function saidIn(event: RunEvent): readonly string[] {
  if (event.type === "run.started") return [event.input];
  if (event.type === "run.resumed") return event.input === undefined ? [] : [event.input];
  if (event.type === "command.received") return event.command.type === "say" ? [event.command.text] : [];
  return event.type === "question.answered" && typeof event.value === "string" ? [event.value] : [];
}

function readCalls(events: readonly RunEvent[]): Pick<ScoredRun, "calls" | "denied"> {
  const started = new Map<string, Extract<RunEvent, { type: "call.started" }>>();
  const [calls, denied]: [ScoredCall[], string[]] = [[], []];
  for (const event of events) {
    if (event.type === "call.started") started.set(`${event.run} ${event.call}`, event);
    if (event.type !== "call.ended") continue;
    const { call, tool, agent, attempts, output, error } = event;
    const isRefused = attempts === 0 && error !== undefined;
    if (isRefused && error.kind === "permission") denied.push(tool);
    if (isRefused) continue;
    const args = started.get(`${event.run} ${call}`)?.args ?? null;
    calls.push({
      call,
      tool,
      agent,
      args,
      ...(error === undefined ? { output: output ?? null } : { error: error.message }),
    });
  }
  return { calls, denied };
}
