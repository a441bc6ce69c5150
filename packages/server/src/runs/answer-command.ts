/**
 * Answer command: a client's answer to a question of a run, checked before the run receives it.
 */
import { type Command, fold, type Json } from "@baton/core";
import { checkAnswer, type OpenQuestion } from "@baton/core/engine";
import type { AnsweredBy } from "@baton/core/ports";
import { omitUndefined } from "@baton/core/util";
import { readAll, type RunRecord } from "@baton/store";
import { parse } from "../gateway/input/body.ts";
import type { GatewayContext } from "../gateway/gateway-env.ts";
import { type FieldProblem, invalid, invalidAnswer, notFound, Problem } from "../gateway/problem.ts";
import { QUERY } from "../gateway/input/text.ts";
import { findVisibleRun, isVisible, noRun, type Service } from "../service.ts";

interface Named {
  readonly question: string;
  /** The field of the request that holds the answer. */
  readonly field: string;
}

/** An answer; or a cancel of the call that asks. */
export type QuestionAnswer = Named &
  ({ readonly value: Json } | { readonly call: string; readonly reason?: string | undefined });

/** Answers to questions of one run. */
export interface AnswerRequest {
  readonly record: RunRecord;
  readonly answers: readonly QuestionAnswer[];
}

/** The open questions of a run that has not ended. */
export async function findOpenQuestions(
  { store }: Service,
  { id, status }: RunRecord,
): Promise<ReadonlyMap<string, OpenQuestion>> {
  return status === "ended" ? new Map() : fold(await readAll(store.database, id)).questions;
}

/** The command that gives a run an answer, and the field of the request that holds it. */
export interface AnswerCommand {
  readonly field: string;
  readonly command: Extract<Command, { type: "answer" | "cancel" }>;
}

/**
 * The commands of several answers. They are sent one by one: nothing may be wrong with the second once the first has
 * led to something.
 */
export async function toAnswerCommands(
  service: Service,
  c: GatewayContext,
  { record, answers }: AnswerRequest,
): Promise<readonly AnswerCommand[]> {
  const as = mayApprove(c) ? "operator" : "user";
  const by = toAnsweredBy(c);
  const events = record.status === "ended" ? [] : await readAll(service.store.database, record.id);
  const { questions } = fold(events);
  const crew = await service.crews.restore(service.store.database, record);
  const problems: FieldProblem[] = [];
  const misfits: FieldProblem[] = [];
  const commands: AnswerCommand[] = [];
  for (const [index, answer] of answers.entries()) {
    const { question, field } = answer;
    const open = questions.get(question);
    // The run itself says that it has ended.
    if (open === undefined && record.status !== "ended")
      throw notFound(`open question ${question} in run ${record.id}`, { field });
    if (open?.who === "operator" && as !== "operator") throw forOperator(question);
    // Who may only approve sees nothing else of another user's run, but knows of it.
    if (open?.who !== "operator" && !isVisible(c, record))
      throw open === undefined ? noRun(record.id) : forOwner(question);
    if (answers.findIndex((other) => other.question === question) < index)
      problems.push({ field, message: `question ${question} is answered more than once` });
    if (!("value" in answer)) {
      const { call, reason } = answer;
      commands.push({ field, command: { type: "cancel", call, ...omitUndefined({ reason }) } });
      continue;
    }
    const value = open === undefined ? answer.value : toMessage(open, answer.value, field);
    const issues = open === undefined ? [] : await checkAnswer({ crew, events: () => events }, open, value);
    misfits.push(...toMisfits(issues, { open, field }));
    commands.push({ field, command: { type: "answer", question, value, as, by } });
  }
  if (problems.length > 0) throw invalid([...problems, ...misfits]);
  if (misfits.length > 0) throw invalidAnswer(misfits);
  return commands;
}

/** The caller, as the log names who answered. */
export function toAnsweredBy(c: GatewayContext): AnsweredBy {
  return { tenant: c.get("tenant"), user: c.get("user"), key: c.get("key") };
}

/** Whether the caller may answer questions for an operator. */
export function mayApprove(c: GatewayContext): boolean {
  const scopes = c.get("scopes");
  return scopes.includes("approve") || scopes.includes("admin");
}

/** A run whose questions the caller may answer: one that it may see, or any of its tenant if it may approve. */
export async function findAnswerableRun(service: Service, c: GatewayContext, id: string): Promise<RunRecord> {
  if (!mayApprove(c)) return findVisibleRun(service, c, id);
  const found = await service.engine.find(id, { tenant: c.get("tenant") });
  if (found === undefined) throw noRun(id);
  return found;
}

function forOwner(question: string): Problem {
  return new Problem("not_allowed", `Question ${question} is for the user who owns the run. It stays open.`);
}

function forOperator(question: string): Problem {
  return new Problem(
    "not_allowed",
    `Question ${question} is for an operator: it needs a key with the scope approve or admin. It stays open.`,
  );
}

/** An answer to a run that a command paused, or to a waiting sub-crew, is a user's message. */
function toMessage({ kind }: OpenQuestion, value: Json, field: string): Json {
  const isMessage = kind === "pause" || kind === "message";
  return isMessage && typeof value === "string" ? parse(QUERY, value, field) : value;
}

type Issue = Awaited<ReturnType<typeof checkAnswer>>[number];

/** Lists misfits of arguments field by field; the results of client tools may be JSON text, which has no fields. */
function toMisfits(issues: readonly Issue[], { open, field }: Misfit): readonly FieldProblem[] {
  if (issues.length === 0) return [];
  if (open?.kind === "approval" && issues.every(({ path }) => path !== ""))
    return issues.map(({ path, message }) => ({ field: `${field}.${path}`, message }));
  const list = issues.map(({ path, message }) => `${path} ${message}`.trimStart()).join("; ");
  return [{ field, message: `the answer to ${open?.question} does not fit: ${list}` }];
}

type Misfit = Readonly<{ open: OpenQuestion | undefined; field: string }>;
