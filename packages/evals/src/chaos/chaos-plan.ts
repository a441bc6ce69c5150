/**
 * Chaos plan: a recorded conversation as data: what the user said and answered, what models replied, what tools gave.
 *
 * It is JSON, because the process that will be killed reads it from a file. Results and answers are found by their
 * positions, which stay the same when a run is recovered.
 */
import type { Json, Outcome, RunEvent } from "@baton/core";
import { isEqualJson } from "@baton/core/util";
import { toScoredRun } from "../scored-run.ts";
import { type ScriptedReply, toScript, toUserTexts } from "../to-case.ts";

/** The recorded result of a call. */
export type PlannedResult = Readonly<{
  at: string;
  tool: string;
  args: Json;
  output?: Json;
  error?: string;
  state?: { readonly [key: string]: Json };
}>;

/** A conversation that can be played again with no model and no tool. */
export interface ChaosPlan {
  readonly messages: readonly string[];
  readonly user?: string;
  readonly options?: Json;
  readonly script: Readonly<Record<string, readonly ScriptedReply[]>>;
  readonly results: readonly PlannedResult[];
  /** Outcomes of its runs. */
  readonly outcomes: readonly Outcome[];
  /** Values by the places of questions. */
  readonly answers: Readonly<Record<string, Json>>;
}

/** The id of a conversation's n-th run, from 1. */
export const toRunId = (number: number): string => `chaos-${number}`;

/** Logs of one conversation, the oldest run first; a run that follows another as its `after` comes behind it. */
export type ConversationLogs = readonly (readonly RunEvent[])[];

/** The runs that the user started. */
const toOwn = (logs: ConversationLogs): ConversationLogs =>
  logs.filter(([first]) => first?.type === "run.started" && first.afterOf === undefined);

/** Outcomes of the runs that the user started. */
export const toOutcomes = (logs: ConversationLogs): readonly Outcome[] =>
  toOwn(logs).map((log) => toScoredRun(log).outcome);

/** The plan of a recorded conversation. */
export function toPlan(logs: ConversationLogs): ChaosPlan {
  const own = toOwn(logs);
  const [first] = own[0] ?? [];
  if (first?.type !== "run.started") throw new Error("the log has no beginning");
  const named = new Map(own.map(([begin], at) => [begin?.run ?? "", toRunId(at + 1)]));
  const placeOf = (run: string, position: string): string => {
    const after = run.endsWith("-after") ? run.slice(0, -"-after".length) : undefined;
    const name = after === undefined ? named.get(run) : `${named.get(after)}-after`;
    return `${name}/${position}`;
  };
  const events = logs.flat();
  return {
    messages: own.flatMap(toUserTexts),
    ...(first.user !== undefined && { user: first.user }),
    ...(first.options !== undefined && { options: first.options }),
    outcomes: toOutcomes(logs),
    script: toScript(events),
    results: toResults(events, placeOf),
    answers: Object.fromEntries(
      events.flatMap((event) =>
        event.type === "question.answered" ? [[placeOf(event.run, event.question), event.value]] : [],
      ),
    ),
  };
}

function toResults(
  events: readonly RunEvent[],
  placeOf: (run: string, position: string) => string,
): readonly PlannedResult[] {
  const started = new Map<string, Json>();
  return events.flatMap((event): readonly PlannedResult[] => {
    if (event.type === "call.started" && event.via === undefined)
      started.set(placeOf(event.run, event.call), event.args);
    if (event.type !== "call.ended" || event.attempts === 0) return [];
    const at = placeOf(event.run, event.call);
    const args = started.get(at);
    if (args === undefined) return [];
    const { tool, output = null, error, state } = event;
    const result = error === undefined ? { output } : { error: error.message };
    return [{ at, tool, args, ...result, ...(state !== undefined && { state }) }];
  });
}

/** The recorded result of a call: the one at its position, else one of the same tool and arguments. */
export function findResult({ results }: ChaosPlan, at: string, call: Readonly<{ tool: string; args: Json }>) {
  const { tool, args } = call;
  return (
    results.find((one) => one.at === at && one.tool === tool) ??
    results.find((one) => one.tool === tool && isEqualJson(one.args, args))
  );
}
