/**
 * Trial: one case played once on a store, from its first message to its last answer, and scored.
 */
import { dirname, isAbsolute, join } from "node:path";
import {
  type Agent,
  BatonError,
  type Crew,
  type Json,
  type Model,
  type Run,
  type RunEvent,
  type RunResult,
  type Script,
  scriptModel,
} from "@baton/core";
import { readScript } from "@baton/crewfile";
import { DurableEngine } from "@baton/durable";
import { toGuard } from "@baton/policy";
import { readAll, type Store } from "@baton/store";
import { type CheckContext, type CheckOutcome, scoreRun } from "./checks.ts";
import { withDoubles } from "./doubles.ts";
import type { EvalCase } from "./eval-case.ts";
import { toScoredRun } from "./scored-run.ts";

/** Gives an agent its model in a trial. */
export type TrialModel = (agent: Agent, crew: Crew) => Model;

/** Options of a trial. */
export interface TrialOptions {
  readonly crew: Crew;
  readonly store: Store;
  /** Models of agents, unless the case has a script. */
  readonly model: (trial: number) => TrialModel;
  readonly liveTools?: boolean;
  readonly context?: Pick<CheckContext, "code">;
  /** Judges criteria of an answer. */
  readonly judge?: (
    asked: Readonly<{ input: string; answer: string; criterion: string; reference: string | undefined }>,
  ) => Promise<boolean | string>;
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

/** A case that was played: its log, and what it lacked. */
export type PlayedCase = Readonly<{ run: string; events: readonly RunEvent[]; missing: readonly string[] }>;

/** Plays a case and scores it; never throws for what is wrong with the case. */
export async function runTrial(
  one: EvalCase,
  trial: number,
  options: TrialOptions,
): Promise<Omit<TrialResult, "version">> {
  try {
    const { run, events, missing } = await playCase(one, trial, options);
    const scored = toScoredRun(events);
    const cost = scored.costUsd ?? 0;
    const about = { case: one.id, trial, run, cost_usd: cost, seconds: scored.seconds };
    const problem = missing[0] ?? findMissingReply(events, one);
    if (problem !== undefined) return { ...about, status: "error", checks: [toError(problem)] };
    const input = one.input ?? one.messages?.join("\n") ?? "";
    const judge = options.judge;
    const checks = await scoreRun(scored, one.checks, {
      ...options.context,
      expected: one.expected,
      judge: judge && ((criterion, reference) => judge({ input, answer: scored.text, criterion, reference })),
    });
    const status = checks.some(({ isError }) => isError) ? "error" : checks.every(({ pass }) => pass) ? "pass" : "fail";
    return { ...about, status, checks };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { case: one.id, trial, run: "", cost_usd: 0, seconds: 0, status: "error", checks: [toError(why)] };
  }
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
  const { store, crew, maxUsd } = options;
  const { crew: played, missing } = withDoubles(crew, { doubles: one.tools, live: options.liveTools ?? false });
  const script = await openScript(one, crew);
  const model: TrialModel = script === undefined ? options.model(trial) : () => scriptModel(script);
  const replaceProgram = (agent: Agent) => (script?.has(agent.id) === true ? scriptModel(script) : undefined);
  await using engine = new DurableEngine({ store, crews: [played], model, replaceProgram, guardOf: toGuard });
  const messages = one.messages ?? [one.input ?? ""];
  const limits = maxUsd === undefined ? {} : { limits: { maxUsd } };
  const who = one.user === undefined ? {} : { user: one.user };
  const session = messages.length > 1 ? { session: `eval-${engine.newId()}` } : {};
  const start = (input: string) =>
    engine.start(played, {
      input,
      ...who,
      ...session,
      ...limits,
      ...(one.options === undefined ? {} : { options: one.options }),
    });
  const events: RunEvent[] = [];
  let run = "";
  for (let next = 0; next < messages.length;) {
    const handle = await start(messages[next] ?? "");
    next += 1;
    run = handle.id;
    const talk = { engine, answers: one.answers, message: () => messages[next++] };
    await converse(handle, talk);
    events.push(...(await readAll(store.database, run)));
    if (events.at(-1)?.type !== "run.ended") break;
  }
  return { run, events, missing };
}

type Talk = Readonly<{
  engine: DurableEngine;
  answers: Readonly<Record<string, Json>>;
  message: () => string | undefined;
}>;

/** Answers what the case has an answer for, until the run ends or waits for something else. */
async function converse(first: Run, { engine, answers, message }: Talk): Promise<RunResult> {
  let run = first;
  let result = await run.result;
  while (result.outcome === "paused") {
    const open = result.questions.find(
      ({ tool, kind }) =>
        (kind === "approval" || kind === "tool" || kind === "input") && Object.hasOwn(answers, tool ?? ""),
    );
    if (open !== undefined) {
      const value = answers[open.tool ?? ""] ?? null;
      ({ run } = await engine.command(run.id, {
        type: "answer",
        question: open.question,
        value,
        ...(open.who === undefined ? {} : { as: open.who }),
      }));
    } else {
      const waits =
        result.questions.length === 0 || result.questions.some(({ kind }) => kind === "message" || kind === "pause");
      const text = waits ? message() : undefined;
      if (text === undefined) return result;
      ({ run } = await engine.command(run.id, { type: "resume", input: text }));
    }
    result = await run.result;
  }
  return result;
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
