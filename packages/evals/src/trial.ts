/**
 * Trial: one case played once on a store, from its first message to its last answer, and scored.
 */
import { dirname, isAbsolute, join } from "node:path";
import { BatonError, type Crew, type RunEvent, type Script, scriptModel } from "@baton/core";
import { readScript } from "@baton/crewfile";
import { newRunId, type Store } from "@baton/store";
import { type CheckContext, type CheckOutcome, scoreRun } from "./checks.ts";
import { type PlayedCase, playConversation, type TrialModel } from "./conversation.ts";
import type { LiveTools } from "./doubles.ts";
import type { EvalCase } from "./eval-case.ts";
import type { Judged, JudgeVerdict } from "./judge.ts";
import { RECORDED } from "./recorded-replies.ts";
import { toScoredRun } from "./scored-run.ts";

/** Judges a criterion of an answer; its votes spend at most `maxUsd`. */
export type TrialJudge = (judged: Judged, maxUsd: number | undefined) => Promise<JudgeVerdict>;

/** Options of a trial. */
export interface TrialOptions {
  readonly crew: Crew;
  readonly store: Store;
  /** Models of agents, unless the case has a script. */
  readonly model: (trial: number) => TrialModel;
  readonly live?: LiveTools | undefined;
  readonly context?: Pick<CheckContext, "code">;
  /** Judges criteria of an answer. */
  readonly judge?: TrialJudge;
  /** Money that a trial may spend. */
  readonly maxUsd?: number;
}

/** The result of a trial. */
export interface TrialResult {
  readonly case: string;
  readonly trial: number;
  readonly version: string;
  readonly status: "pass" | "fail" | "error";
  readonly run: string;
  readonly checks: readonly CheckOutcome[];
  readonly cost_usd: number;
  readonly seconds: number;
}

/** A trial's result, and the money that was really spent: recorded replies are free. */
export type Played = Readonly<{ result: Omit<TrialResult, "version">; spentUsd: number }>;

/** Plays a case and scores it; never throws for what is wrong with the case. */
export async function runTrial(one: EvalCase, trial: number, options: TrialOptions): Promise<Played> {
  try {
    const { run, events, missing } = await playCase(one, trial, options);
    const scored = toScoredRun(events);
    let spentUsd = events.reduce((sum, event) => sum + (isAsked(event) ? (event.costUsd ?? 0) : 0), 0);
    const about = { case: one.id, trial, run, cost_usd: scored.costUsd ?? 0, seconds: scored.seconds };
    const problem = missing[0] ?? findMissingReply(events, one);
    if (problem !== undefined) return { result: { ...about, status: "error", checks: [toError(problem)] }, spentUsd };
    const input = one.input ?? one.messages?.join("\n") ?? "";
    const { judge, maxUsd } = options;
    const ask = async (criterion: string, reference: string | undefined) => {
      const judged = { input, answer: scored.text, criterion, reference };
      const said = await judge?.(judged, maxUsd === undefined ? undefined : maxUsd - spentUsd);
      spentUsd += said?.costUsd ?? 0;
      return said?.verdict ?? false;
    };
    const checks = await scoreRun(scored, one.checks, {
      ...options.context,
      expected: one.expected,
      judge: judge === undefined ? undefined : ask,
    });
    return { result: { ...about, status: toStatus(checks), checks }, spentUsd };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const about = { case: one.id, trial, run: "", cost_usd: 0, seconds: 0 };
    return { result: { ...about, status: "error", checks: [toError(why)] }, spentUsd: 0 };
  }
}

const isAsked = (event: RunEvent): event is Extract<RunEvent, { type: "step.ended" }> =>
  event.type === "step.ended" && event.model !== RECORDED;

/** The verdict of a trial: one error makes it an error. */
export function toStatus(checks: readonly CheckOutcome[]): TrialResult["status"] {
  if (checks.some(({ isError }) => isError)) return "error";
  return checks.every(({ pass }) => pass) ? "pass" : "fail";
}

const toError = (why: string): CheckOutcome => ({ check: "run", pass: false, why, isError: true });

/** A model that has no reply is no result of the crew; nor is money that ran out. */
function findMissingReply(events: readonly RunEvent[], { checks }: EvalCase): string | undefined {
  const ended = events.findLast((event) => event.type === "run.ended");
  const { code, message = "", limit } = ended?.error ?? {};
  if (limit?.name === "max_usd") return `the cost cap was reached: ${message}`;
  if (code !== "model") return undefined;
  const isWanted = checks.outcome?.includes("failed") === true && !/has no (recorded )?reply/.test(message);
  return isWanted ? undefined : message;
}

/** Plays a case: its messages, its answers to questions, its doubles. */
export async function playCase(one: EvalCase, trial: number, options: TrialOptions): Promise<PlayedCase> {
  const { crew, store, live, maxUsd } = options;
  const { tools, answers, user, messages = [one.input ?? ""] } = one;
  const script = await openScript(one, crew);
  let said = 0;
  return playConversation({
    crew,
    store,
    tools,
    answers,
    live,
    user,
    maxUsd,
    options: one.options,
    model: script === undefined ? options.model(trial) : () => scriptModel(script),
    replaceProgram: (agent) => (script?.has(agent.id) === true ? scriptModel(script) : undefined),
    next: () => messages[said++],
    session: messages.length > 1 ? `eval-${newRunId(store.clock.now())}` : undefined,
  });
}

async function openScript({ script, file }: EvalCase, crew: Crew): Promise<Script | undefined> {
  if (script === undefined) return undefined;
  if (typeof script !== "string")
    return new Map(Object.entries(script).map(([agent, entries]) => [agent, entries.map(withoutUndefined)]));
  const path = isAbsolute(script) ? script : join(dirname(file), script);
  const read = await readScript(path, crew);
  if (read.script === undefined)
    throw new BatonError("invalid", `${path}: ${read.findings.map(({ message }) => message).join("; ")}`);
  return read.script;
}

type Entry = NonNullable<ReturnType<Script["get"]>>[number];

function withoutUndefined(entry: object): Entry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}
