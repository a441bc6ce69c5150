/**
 * Question: one thing to ask the assistant, and what a right answer is made of.
 *
 * Expectations follow the specification of the assistant and its tools. If several ways to look something up are
 * right, all of them are given.
 */
import type { Json } from "@baton/core";
import type { Intent, QuestionLanguage, QueryType } from "../intent/intent.ts";

/** A rule that an argument must satisfy. */
export type ArgumentRule =
  | Readonly<{ kind: "is"; value: Json }>
  /** One of several spellings. */
  | Readonly<{ kind: "one_of"; values: readonly Json[] }>
  /** A day that is at most four days away: "three months ago" may be counted in several ways. */
  | Readonly<{ kind: "near"; day: string }>
  /** A list that has at least these, or a text in which all of these occur. */
  | Readonly<{ kind: "includes"; parts: readonly string[] }>;

/** A call that a right answer needs. */
export interface ExpectedCall {
  /** Any of these. */
  readonly tools: readonly string[];
  /** Arguments that matter; all others are expected to have their defaults. */
  readonly args: ReadonlyMap<string, ArgumentRule>;
}

/** The properties of a correct answer. */
export interface Expectation {
  /** Any of these. */
  readonly types: readonly QueryType[];
  readonly language: QuestionLanguage;
  readonly symbols: readonly string[];
  /** Symbols that may be found too. */
  readonly optionalSymbols: readonly string[];
  /** Ways to look it up; one of them is enough. Empty: nothing is looked up. */
  readonly ways: readonly (readonly ExpectedCall[])[];
  /** Tools that may be called beside these. */
  readonly allowed: readonly string[];
  /** If they do not follow from the calls. */
  readonly charts?: readonly string[];
  readonly complexity?: Intent["complexity"];
  readonly route?: Intent["route"];
}

/** A question with its conversation. */
export interface Question {
  readonly id: string;
  /** Questions of the same conversation, asked before, oldest first. */
  readonly earlier: readonly string[];
  readonly text: string;
  /** Options of the request beside the question. */
  readonly options: { readonly [name: string]: Json };
  readonly expect: Expectation;
  readonly tags: readonly string[];
}

/** `dev` may be looked at while rules are written, `held` only counts. */
export type Split = "dev" | "held";

/** Half of the questions each, by their text alone, so that a new question moves no other. */
export function splitOf({ earlier, text }: Pick<Question, "earlier" | "text">): Split {
  let hash = 2_166_136_261;
  for (const character of [...earlier, text].join("\n")) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 16_777_619) >>> 0;
  }
  return (hash >>> 11) % 2 === 0 ? "dev" : "held";
}
