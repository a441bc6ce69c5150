/**
 * Elicitation: open questions of a run as forms and links of MCP, and the client's replies as answers.
 */
import type { Json } from "@baton/core";
import { checkJson } from "@baton/core/util";
import {
  type MountAnswerTo,
  type MountedRun,
  type MountedRunView,
  type MountRequest,
  toProblem,
} from "@baton/server/mount";
import { type ElicitRequestFormParams, type InputRequests, isSpecType } from "@modelcontextprotocol/server";
import { z } from "zod";

type Question = MountedRunView["questions"][number];

/** Forms and links that a client can show. */
export interface Shows {
  readonly form: boolean;
  readonly url: boolean;
}

/** Questions that are asked, by their keys. */
export type AskedQuestions = ReadonlyMap<string, Question>;

/** Keys of questions: the last part of an id, or the whole id if two would be equal. */
export function keyQuestions(questions: readonly Question[]): AskedQuestions {
  const lastOf = ({ question }: Question) => question.slice(question.lastIndexOf("/") + 1);
  const counts = Map.groupBy(questions, lastOf);
  return new Map(questions.map((one) => [counts.get(lastOf(one))?.length === 1 ? lastOf(one) : one.question, one]));
}

/** The questions that this client can show and that its user may answer. */
export function findAskable(
  questions: readonly Question[],
  { shows, isOperator }: Readonly<{ shows: Shows; isOperator: boolean }>,
): readonly Question[] {
  return questions.filter(
    ({ kind, who }) => (who !== "operator" || isOperator) && (kind === "link" ? shows.url : shows.form),
  );
}

/** The requests of an `input_required` result. */
export function toInputRequests(asked: AskedQuestions): InputRequests {
  return Object.fromEntries(Array.from(asked, ([key, question]) => [key, toRequest(question)]));
}

function toRequest(question: Question): InputRequests[string] {
  const { kind, text: message, url, question: id } = question;
  if (kind === "link")
    return { method: "elicitation/create", params: { mode: "url", message, url: url ?? "", elicitationId: id } };
  const requestedSchema = findForm(question) ?? toWrapped(question);
  return { method: "elicitation/create", params: { mode: "form", message: toText(question), requestedSchema } };
}

/** A person must see what is about to be done. */
function toText({ kind, text, args }: Question): string {
  return kind === "approval" && args !== undefined ? `${text}\n${JSON.stringify(args, undefined, 2)}` : text;
}

type Form = ElicitRequestFormParams["requestedSchema"];

/** The schema of a question as a form, if it, or one of its forms, is an object that clients can show. */
function findForm({ kind, schema }: Question): Form | undefined {
  if (kind === "approval") return undefined;
  const forms: readonly unknown[] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  for (const form of [schema, ...forms]) {
    const params = { mode: "form", message: "", requestedSchema: toShown(form) };
    if (isSpecType.ElicitRequestFormParams(params)) return params.requestedSchema;
  }
  return undefined;
}

const OBJECT = z.record(z.string(), z.unknown());
/** Formats that forms know; an answer is checked against all that the question asks for. */
const FORMATS: readonly unknown[] = ["email", "uri", "date", "date-time", undefined];

/** A schema without what clients refuse to show. */
function toShown(schema: unknown): unknown {
  const { data } = OBJECT.safeParse(schema);
  const fields = OBJECT.safeParse(data?.["properties"]).data ?? {};
  const properties = Object.entries(fields).map(([name, field]) => {
    const { format, ...rest } = OBJECT.safeParse(field).data ?? {};
    return [name, FORMATS.includes(format) ? field : rest] as const;
  });
  return { ...data, $schema: undefined, properties: Object.fromEntries(properties) };
}

const WORDS = z.array(z.string()).min(1);

/** Any other answer is one field: a choice, a text, or JSON as text. */
function toWrapped({ kind, schema }: Question): Form {
  const words = kind === "approval" ? ["allow", "deny"] : WORDS.safeParse(schema["enum"]).data;
  const description = schema["type"] === "string" ? "Your answer." : "The answer, as JSON text.";
  const answer =
    words === undefined ? ({ type: "string", description } as const) : ({ type: "string", enum: words } as const);
  return { type: "object", properties: { answer }, required: ["answer"] };
}

const REPLY = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.json()).optional(),
});

/** The answers among a client's replies; what does not fit its question is left out, and the question stays open. */
function toAnswers(asked: AskedQuestions, replies: Readonly<Record<string, unknown>>): readonly MountAnswerTo[] {
  return [...asked].flatMap(([key, question]) => {
    // The key of a question is its whole id as long as another one has the same last part.
    const reply = REPLY.safeParse(replies[key] ?? replies[question.question]);
    const value = reply.success ? toValue(question, reply.data) : undefined;
    const isFit =
      value !== undefined && (question.kind === "approval" || checkJson(question.schema, value).length === 0);
    return isFit ? [{ question: question.question, value }] : [];
  });
}

type Answering = Readonly<{ run: string; toOpen: (questions: readonly Question[]) => readonly Question[] }>;

/** Gives a run the answers to those of these questions that are still open, and follows it. */
export async function answerOpen(
  { run: find, follow }: MountRequest,
  { run, toOpen }: Answering,
  replies: Readonly<Record<string, unknown>> = {},
): Promise<MountedRun> {
  for (let attempt = 1; ; attempt++) {
    const open = toOpen((await find(run)).questions);
    try {
      return await follow(run, toAnswers(keyQuestions(open), replies));
    } catch (error) {
      // Another request has answered in the meantime.
      if (attempt === MAX_ATTEMPTS || toProblem(error).code !== "not_found") throw error;
    }
  }
}

const MAX_ATTEMPTS = 5;

function toValue(question: Question, { action, content = {} }: z.output<typeof REPLY>): Json | undefined {
  const { kind, schema } = question;
  if (kind === "link") return action === "accept" ? "done" : "cancel";
  const { answer } = content;
  if (kind === "approval")
    return action !== "accept" ? "deny" : answer === "allow" || answer === "deny" ? answer : undefined;
  if (action !== "accept") return kind === "doubt" ? "skip" : action;
  if (findForm(question) !== undefined) return content;
  if (typeof answer !== "string" || checkJson(schema, answer).length === 0) return answer;
  try {
    return z.json().parse(JSON.parse(answer));
  } catch {
    return undefined;
  }
}
