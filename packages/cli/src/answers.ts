/**
 * Answers: what was typed to go on with a run, checked against what the run waits for before any of it is used.
 */
import { BatonError, type RunResult } from "@baton/core";
import { toOneLine } from "./printable.ts";
import { askingOf, choicesOf, type Question } from "./question-view.ts";

/** What a run is told: a message, or answers to its questions. */
export type Told =
  | { readonly kind: "nothing" }
  | { readonly kind: "message"; readonly text: string }
  | { readonly kind: "answers"; readonly answers: readonly Answer[] };

/** The answer to one question. */
export interface Answer {
  readonly question: string;
  readonly value: string;
}

/** Whether each word answers a question by its id. */
export function areNamed(words: readonly string[]): boolean {
  return words.every((word) => word.indexOf("=") > 0);
}

/** What was typed, as what the run is told; throws where that is not what it waits for. */
export function toTold(typed: readonly string[], result: Pick<RunResult, "questions">): Told {
  if (typed.length === 0) return { kind: "nothing" };
  const open = choicesOf(result);
  if (open.length === 0) return { kind: "message", text: typed.join(" ") };
  // Answers may be in quotes together, or in lines of their own.
  const words = toOneLine(typed.join(" ")).split(" ");
  const [only] = open;
  if (only !== undefined && open.length === 1 && !areNamed(words)) {
    return { kind: "answers", answers: [toAnswer(only, words.join(" "))] };
  }
  const answers = words.map((word) => toNamedAnswer(word, open));
  const twice = answers.find(({ question }, index) => answers.findIndex((one) => one.question === question) < index);
  if (twice !== undefined)
    throw new BatonError("invalid", `question ${twice.question} is answered twice; leave one out`);
  return { kind: "answers", answers };
}

function toNamedAnswer(word: string, open: readonly Question[]): Answer {
  const at = word.lastIndexOf("=");
  const question = open.find((one) => one.question === word.slice(0, Math.max(0, at)));
  if (question !== undefined) return toAnswer(question, word.slice(at + 1));
  const known = open.map((one) => `${one.question}=${askingOf(one)?.choice.join("|") ?? ""}`).join(" ");
  throw new BatonError("invalid", `"${word}" answers none of the open questions; write: ${known}`);
}

function toAnswer(question: Question, value: string): Answer {
  const word = value.trim().toLowerCase();
  const choice: readonly string[] = askingOf(question)?.choice ?? [];
  if (choice.includes(word)) return { question: question.question, value: word };
  throw new BatonError("invalid", `"${value}" does not answer "${question.text}"; write ${choice.join(" or ")}`);
}
