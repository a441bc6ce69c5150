/**
 * Chat answer: the answers of a chat protocol's client to questions of a run, independent of the protocol.
 *
 * These clients send the whole conversation again: only what answers an open question counts.
 */
import type { Json, RunEvent } from "@baton/core";
import type { OpenQuestion } from "@baton/core/engine";
import { checkJson, parseJson } from "@baton/core/util";
import { readAll, type RunRecord } from "@baton/store";
import { z } from "zod";
import { parseOutsideId } from "../../dialects/chat/outside-id.ts";
import { parse } from "../../gateway/input/body.ts";
import type { GatewayContext } from "../../gateway/gateway-env.ts";
import { invalid, notFound, Problem } from "../../gateway/problem.ts";
import { VALUE } from "../../gateway/input/text.ts";
import type { ServedCrew } from "../../options.ts";
import { type AnswerRequest, findOpenQuestions, type QuestionAnswer } from "../../runs/answer-command.ts";
import { findVisibleRun, type Service } from "../../service.ts";

/** The content of an answer. */
type Said =
  | { readonly value: unknown }
  /** A protocol that knows only texts: the result of a tool is JSON if it can be read as JSON. */
  | { readonly text: unknown }
  /** The client's tool failed, and why. */
  | { readonly failure: unknown }
  | { readonly isCancelled: true };

/** The answer to a question, by the name the client was given. */
export type ChatAnswer = Said & {
  readonly id: string;
  /** The field of the request that names the question. */
  readonly idField: string;
  /** The field of the request that holds the answer. */
  readonly field: string;
};

/** Answers of one request, and the last message beside them. */
export interface ChatAnswers {
  readonly served: ServedCrew;
  readonly answers: readonly ChatAnswer[];
  /** The request's field with the list of messages. */
  readonly field: string;
  readonly last: { readonly role: string; readonly text: string; readonly field: string } | undefined;
}

/** The run that a client answers, with those answers whose questions are open; all if none is. */
export async function findAnswering(service: Service, c: GatewayContext, request: ChatAnswers): Promise<AnswerRequest> {
  const { served, answers, field, last } = request;
  const places = answers.map((answer) => {
    const place = parseOutsideId(answer.id);
    if (place === undefined) throw notFound(`question ${answer.id}`, { field: answer.idField });
    return { ...answer, run: place.run, question: place.position };
  });
  const runs = new Set(places.map(({ run }) => run));
  const [run = ""] = runs;
  if (runs.size > 1) throw invalid([{ field, message: "has answers to more than one run" }]);
  const record = await findVisibleRun(service, c, run);
  if (record.crew !== served.crew.name) throw otherCrew(service.crews.idOf(record), answers[0]?.idField ?? field);
  await checkHeard(service, record, last);
  const questions = await findOpenQuestions(service, record);
  const open = places.filter(({ question }) => questions.has(question));
  const counting = open.length === 0 ? places : open;
  return { record, answers: counting.map((said) => toGiven(questions.get(said.question), said)) };
}

/** Refuses a new message beside answers, because no agent would read it; clients that send everything repeat the last one. */
async function checkHeard({ store }: Service, { id }: RunRecord, last: ChatAnswers["last"]): Promise<void> {
  if (last?.role !== "user") return;
  const heard = (await readAll(store.database, id)).map(toUserText);
  if (heard.includes(last.text.replaceAll("\r\n", "\n"))) return;
  throw invalid([{ field: last.field, message: "must be sent after the answers, in a request of its own" }]);
}

/** The user's text in an event, if it has any. */
function toUserText(event: RunEvent): string | undefined {
  if (event.type === "run.started" || event.type === "run.resumed") return event.input;
  // A message to a sub-crew that waited is the answer to its question.
  if (event.type === "question.answered") return typeof event.value === "string" ? event.value : undefined;
  return event.type === "command.received" && event.command.type === "say" ? event.command.text : undefined;
}

function otherCrew(id: string, field: string): Problem {
  const detail = `The question belongs to the crew ${id}: send the answer to that crew.`;
  return new Problem("conflict", detail, { problems: [{ field, message: `belongs to the crew ${id}` }] });
}

function toGiven(
  open: OpenQuestion | undefined,
  said: Said & Pick<QuestionAnswer, "question" | "field">,
): QuestionAnswer {
  const { question, field } = said;
  const tool = open?.kind === "tool" ? open : undefined;
  if ("isCancelled" in said)
    return tool?.call === undefined ? { question, field, value: "deny" } : toCancel(tool, field);
  if ("failure" in said) {
    const error = parse(VALUE, said.failure, field);
    const isFit = tool === undefined || checkJson(tool.schema, { error }).length === 0;
    return isFit ? { question, field, value: { error } } : toCancel(tool, field, error);
  }
  const value = parse(VALUE, "text" in said ? said.text : said.value, field);
  const isText = "text" in said && typeof value === "string";
  if (tool === undefined) {
    const given = isText && value.startsWith("{") ? (parseJson(value) ?? value) : value;
    return { question, field, value: toApprovalAnswer(given) };
  }
  return { question, field, value: isText ? toResult(tool, value, field) : value };
}

const APPROVED = z.object({ approved: z.boolean(), reason: z.string().nullish() });

/** Clients send the answer itself, or whether they approve. */
function toApprovalAnswer(value: Json): Json {
  const { data } = APPROVED.safeParse(value);
  return data === undefined ? value : toDecision(data);
}

/** The answer to an approval, of protocols that know yes and no with a reason. */
export function toDecision({ approved, reason }: z.output<typeof APPROVED>): Json {
  if (approved) return "allow";
  return reason === undefined || reason === null || reason === "" ? "deny" : { decision: "deny", reason };
}

/** A call that has no result ends without one. */
function toCancel({ question, call = "" }: OpenQuestion, field: string, reason?: Json): QuestionAnswer {
  return { question, field, call, reason: typeof reason === "string" ? reason : undefined };
}

/** JSON if it is; the text itself if it is not, or if only that fits. */
function toResult({ schema }: OpenQuestion, text: string, field: string): Json {
  const value = parseJson(text);
  const isFit = (json: Json) => checkJson(schema, json).length === 0;
  if (value === undefined || (!isFit(value) && isFit(text))) return text;
  return parse(VALUE, value, field);
}
