/**
 * Elicitation: open questions of a run as forms and links of MCP, and the client's replies as answers.
 */
import type { Json } from "@baton/core";
import { checkJson } from "@baton/core/util";
import type { MountAnswerTo, MountedRunView } from "@baton/server/mount";
import type { InputRequests } from "@modelcontextprotocol/server";
import { z } from "zod";

type Question = MountedRunView["questions"][number];
type Schema = Readonly<Record<string, Json>>;

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
  const requestedSchema = FORM.parse(structuredClone(findForm(question) ?? toWrapped(question)));
  return { method: "elicitation/create", params: { mode: "form", message: toText(question), requestedSchema } };
}

/** A person must see what is about to be done. */
function toText({ kind, text, args }: Question): string {
  return kind === "approval" && args !== undefined ? `${text}\n${JSON.stringify(args, undefined, 2)}` : text;
}

const PRIMITIVE = z.looseObject({ type: z.enum(["string", "number", "integer", "boolean"]) });
const CHOICES = z.looseObject({ type: z.literal("array"), items: z.looseObject({}) });
const FLAT = z.looseObject({
  type: z.literal("object"),
  properties: z.record(z.string(), z.union([PRIMITIVE, CHOICES])),
});
const FORM = z.custom<
  Extract<InputRequests[string], { method: "elicitation/create" }>["params"] extends infer Params
    ? Params extends { requestedSchema: infer Form }
      ? Form
      : never
    : never
>((value) => FLAT.safeParse(value).success);

/** The schema of a question as a form, if it, or one of its forms, is a flat object. */
function findForm({ kind, schema }: Question): Schema | undefined {
  if (kind === "approval") return undefined;
  const forms: readonly unknown[] = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [];
  for (const form of [schema, ...forms]) {
    const flat = FLAT.safeParse(form);
    if (flat.success) return SCHEMA.parse({ ...flat.data, $schema: undefined });
  }
  return undefined;
}

const SCHEMA = z.custom<Schema>((value) => typeof value === "object" && value !== null);
const WORDS = z.array(z.string()).min(1);

/** Any other answer is one field: a choice, a text, or JSON as text. */
function toWrapped({ kind, schema }: Question): Schema {
  const words = kind === "approval" ? ["allow", "deny"] : WORDS.safeParse(schema["enum"]).data;
  const description = schema["type"] === "string" ? "Your answer." : "The answer, as JSON text.";
  const answer = words === undefined ? { type: "string", description } : { type: "string", enum: words };
  return { type: "object", properties: { answer }, required: ["answer"] };
}

const REPLY = z.looseObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.json()).optional(),
});

/** The answers among a client's replies; what does not fit its question is left out, and the question stays open. */
export function toAnswers(asked: AskedQuestions, replies: Readonly<Record<string, unknown>>): readonly MountAnswerTo[] {
  return [...asked].flatMap(([key, question]) => {
    const reply = REPLY.safeParse(replies[key]);
    const value = reply.success ? toValue(question, reply.data) : undefined;
    const isFit =
      value !== undefined && (question.kind === "approval" || checkJson(question.schema, value).length === 0);
    return isFit ? [{ question: question.question, value }] : [];
  });
}

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
