/**
 * Answers: parses what the user typed to resume a run, and checks it against the run's open questions.
 */
import { BatonError, type Json, type RunResult } from "@baton/core";
import { endOfJson, parseResult } from "../tools/tool-result.ts";
import { toOneLine } from "../terminal/printable.ts";
import { toShellWord } from "../shell-word.ts";
import { endOfDecision, parseDecision } from "../view/approval-text.ts";
import { answersOf, questionFormOf, type AskedQuestion, questionsOf, toAllowed } from "../view/question-view.ts";

/** The words that the user typed for a run: a message, or answers to its questions. */
export type UserReply =
  | { readonly kind: "nothing" }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "answers"; readonly answers: readonly TypedAnswer[] };

/** The answer to one question. */
export interface TypedAnswer {
  readonly question: string;
  readonly value: Json;
}

/** Whether each word is an answer with its question's id: `ID=ANSWER`. */
export function areNamedAnswers(words: readonly string[]): boolean {
  return words.every((word) => word.indexOf("=") > 0);
}

/** Parses what was typed; throws if the run does not wait for that. */
export function parseReply(typed: readonly string[], result: Pick<RunResult, "questions">): UserReply {
  if (typed.length === 0) return { kind: "nothing" };
  const open = questionsOf(result);
  // Several answers may share one pair of quotes, or be one a line.
  const text = typed.join(" ").trim();
  const [only] = open;
  if (only === undefined) return { kind: "message", text: toMessage(typed) };
  if (open.length === 1 && !isNamed(text, only)) return { kind: "answers", answers: [toAnswer(only, text)] };
  const answers = toNamedAnswers(text, open);
  const twice = answers.find(({ question }, index) => answers.findIndex((one) => one.question === question) < index);
  if (twice !== undefined)
    throw new BatonError("invalid", `question ${twice.question} has two answers; remove one of them`);
  return { kind: "answers", answers };
}

function toMessage(typed: readonly string[]): string {
  const [text = "", ...more] = typed;
  if (more.length === 0) return text;
  const quoted = toShellWord(toOneLine(typed.join(" ")));
  throw new BatonError("invalid", `the message has ${typed.length} arguments; quote it: ${quoted}`);
}

/** JSON may hold `=` anywhere but after a question's id. */
function isNamed(text: string, question: AskedQuestion): boolean {
  if (text.startsWith(`${question.question}=`)) return true;
  const isJson = questionFormOf(question)?.by === "json" || text.startsWith("{");
  return !isJson && areNamedAnswers(toOneLine(text).split(" "));
}

/** Reads the answers in order: a word ends at white space, JSON at its last bracket. */
function toNamedAnswers(text: string, open: readonly AskedQuestion[]): readonly TypedAnswer[] {
  const answers: TypedAnswer[] = [];
  let rest = text;
  do {
    const question = open.find((one) => rest.startsWith(`${one.question}=`));
    if (question === undefined) throw unknown(rest, open);
    const value = rest.slice(question.question.length + 1);
    const end = endOfAnswer(question, value);
    answers.push(toAnswer(question, value.slice(0, end)));
    rest = value.slice(end).trimStart();
  } while (rest !== "");
  return answers;
}

function endOfAnswer(question: AskedQuestion, text: string): number {
  const by = questionFormOf(question)?.by;
  return by === "json" ? endOfJson(text) : by === "decision" ? endOfDecision(text) : endOfWord(text);
}

function endOfWord(text: string): number {
  const end = text.search(/\s/);
  return end === -1 ? text.length : end;
}

function unknown(rest: string, open: readonly AskedQuestion[]): BatonError {
  const known = open.map((one) => `${one.question}=${answersOf(one).join("|")}`).join(" ");
  const word = rest.slice(0, endOfWord(rest));
  return new BatonError("invalid", `"${word}" does not answer an open question; write: ${known}`);
}

function toAnswer(question: AskedQuestion, text: string): TypedAnswer {
  const { question: id, schema } = question;
  if (questionFormOf(question)?.by === "json") {
    const read = parseResult(text, schema);
    if (read.ok) return { question: id, value: read.value };
    throw new BatonError("invalid", `${question.tool ?? id}: ${read.why}; write ${toAllowed(question)}`);
  }
  if (questionFormOf(question)?.by === "decision") {
    const read = parseDecision(text);
    if (read.ok) return { question: id, value: read.value };
    throw new BatonError(
      "invalid",
      `"${toOneLine(text)}" does not answer "${question.text}"; write ${toAllowed(question)}`,
    );
  }
  const word = text.trim().toLowerCase();
  const choice = answersOf(question);
  if (choice.includes(word)) return { question: id, value: word };
  throw new BatonError(
    "invalid",
    `"${toOneLine(text)}" does not answer "${question.text}"; write ${choice.join(" or ")}`,
  );
}
