/**
 * Suspension: what a tool says when its call must wait, checked and told as a fact.
 *
 * Tools come from files whose types may be unchecked, and what they ask may come from servers, so all of it is bounded.
 */
import type { Suspension } from "./suspend.ts";
import { failure } from "../words/error.ts";
import type { AnswerSchema, SuspendedQuestion, EventBodyOf } from "../words/event.ts";
import type { SuspendedCall } from "../ports/host.ts";
import { isEqualJson, isFields, isList, type Json, omitUndefined } from "../words/json.ts";
import { boundOutput } from "../words/output.ts";
import { toFigure } from "../words/text.ts";

type Suspended = EventBodyOf<"call.suspended">;
type Calling = Readonly<{ call: string; agent: string; tool: string; attempts: number }>;
type Fields = { readonly [name: string]: Json };
type Rule = readonly [boolean, string];

const MAX_KB = 64;
/** Rounds with questions that one call may have, and rounds in all that the log has. */
const MAX_ASKED = 20;
const MAX_ROUNDS = 1_000;
const MAX_QUESTIONS = 32;
const MIN_WAIT_MS = 100;
const MAX_WAIT_MS = 2 ** 31 - 1;
const NAME = /^[\p{L}\p{N}_.:@+-]{1,128}$/u;

/** The schemas of answers to questions that bring none. */
const WORDS: ReadonlyMap<Json | undefined, AnswerSchema> = new Map([
  ["approval", { enum: ["allow", "deny"] }],
  ["link", { enum: ["done", "cancel"] }],
  ["input", {}],
]);

/** The fact of a suspension, after an earlier one; or the end of a call that cannot wait like this. */
export function toSuspended(
  { attempts, ...calling }: Calling,
  { options }: Suspension,
  before: SuspendedCall | undefined,
): Suspended | EventBodyOf<"call.ended"> {
  const { afterMs } = options;
  const { round = 0 } = before?.fact ?? {};
  const asked = options.questions?.length ?? 0;
  const isSame = asked === 0 && isKept(before, toJson(options.keep));
  const rules: readonly Rule[] = [
    ...checkKb("what it keeps", options.keep),
    ...(asked === 0 ? [] : checkQuestions(options.questions)),
    [isWait(afterMs), `afterMs is a number from 0 to ${toFigure(MAX_WAIT_MS)}`],
    [afterMs !== undefined || asked > 0, "it neither asks anything nor says when to go on"],
    [asked === 0 || (before?.asked ?? 0) < MAX_ASKED, `it has asked ${MAX_ASKED} times, and may not ask again`],
    [isSame || round < MAX_ROUNDS, `it has been suspended with something new ${toFigure(MAX_ROUNDS)} times`],
  ];
  const broken = rules.filter(([holds]) => !holds).map(([, what]) => what);
  if (broken.length > 0) {
    const error = failure("permanent", `${calling.tool} cannot be suspended: ${broken.join("; ")}`);
    return { type: "call.ended", ...calling, attempts, error };
  }
  const waitMs = afterMs === undefined ? undefined : Math.max(MIN_WAIT_MS, afterMs);
  return {
    type: "call.suspended",
    ...calling,
    round: isSame ? round : round + 1,
    keep: toJson(options.keep),
    questions: toList(toJson(options.questions ?? [])).map(toQuestion),
    ...omitUndefined({ afterMs: waitMs }),
  };
}

/** Whether the call has kept just this and asked nothing: then the log need not have it again. */
function isKept(before: SuspendedCall | undefined, keep: Json): boolean {
  return before?.fact.questions.length === 0 && isEqualJson(keep, before.fact.keep);
}

const isWait = (ms: unknown): boolean => ms === undefined || (typeof ms === "number" && ms >= 0 && ms <= MAX_WAIT_MS);

function checkKb(what: string, value: unknown): readonly Rule[] {
  const bounded = boundOutput(value);
  if (!bounded.ok) return [[false, `${what} is not JSON: ${bounded.why}`]];
  const { output, wholeChars, changed = [] } = bounded;
  const bytes = new TextEncoder().encode(JSON.stringify(output)).length;
  const kb = Math.ceil(Math.max(bytes, wholeChars ?? 0) / 1_024);
  return [
    [changed.length === 0, `${what} has ${changed.join(", ")}, which JSON does not have`],
    [kb <= MAX_KB, `${what} has ${toFigure(kb)} KB, and at most ${MAX_KB} KB are kept`],
  ];
}

function checkQuestions(questions: unknown): readonly Rule[] {
  const size = checkKb("what it asks", questions);
  if (!Array.isArray(questions)) return [[false, "its questions are not a list"]];
  if (questions.length > MAX_QUESTIONS) return [[false, `it asks more than ${MAX_QUESTIONS} questions at once`]];
  if (size.some(([holds]) => !holds)) return size;
  const list = toList(toJson(questions)).map(toFields);
  const names = new Set(list.map(({ name }) => name));
  return [[names.size === list.length, "two of its questions have the same name"], ...list.flatMap(checkQuestion)];
}

function checkQuestion({ name, kind, text, schema, url, who }: Fields): readonly Rule[] {
  const said = `its question ${JSON.stringify(name ?? null).slice(0, 40)}`;
  return [
    [
      typeof name === "string" && NAME.test(name),
      `${said} needs a name of at most 128 letters, digits and _ . : @ + -`,
    ],
    [WORDS.has(kind), `${said} needs a kind: approval, input or link`],
    [typeof text === "string" && text !== "", `${said} has no text`],
    [schema === undefined ? kind !== "input" : isFields(schema), `${said} needs a JSON Schema of its answer`],
    [
      kind === "link" ? isPage(url) : url === undefined,
      `${said} needs an http or https url if it is a link, else none`,
    ],
    [who === undefined || who === "user" || who === "operator", `${said}: who is user or operator`],
  ];
}

/** People open it in a browser, so nothing that a page could run is taken. */
function isPage(url: Json | undefined): boolean {
  return typeof url === "string" && /^https?:/i.test(url) && URL.canParse(url);
}

/** A question that was checked. */
function toQuestion(question: Json): SuspendedQuestion;
function toQuestion(question: Json): object {
  const { name, kind, text, schema = WORDS.get(kind), url, args, who } = toFields(question);
  return { name, kind, text, schema, ...omitUndefined({ url, args, who }) };
}

function toJson(value: unknown): Json {
  const bounded = boundOutput(value);
  return bounded.ok ? bounded.output : null;
}

const toList = (value: Json): readonly Json[] => (isList(value) ? value : []);
const toFields = (value: Json): Fields => (isFields(value) ? value : {});

/** A call that is suspended now, after an earlier suspension. */
export function toSuspendedCall(fact: Suspended, at: number, before: SuspendedCall | undefined): SuspendedCall {
  return { fact, at, asked: (before?.asked ?? 0) + Math.sign(fact.questions.length) };
}
