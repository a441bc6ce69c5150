/**
 * Grounding: how each number of an answer is backed.
 */
import type { Fact } from "../facts/fact.ts";
import type { AnswerLanguage } from "./fact-format.ts";
import type { FigureSpan } from "./reference-stream.ts";

/** A number that no fact backs; `isFigure` if it is money, a price, a percentage or a ratio. */
export type Unverified = Readonly<{ text: string; at: number; why: string; isFigure: boolean }>;

/** The figures of an answer, and how they are backed. */
export interface Grounding {
  readonly figures: number;
  /** Written as a reference. */
  readonly referenced: number;
  /** Written by the model and equal to a fact: value, unit, symbol, metric and period. */
  readonly matched: number;
  /** Written by the user before. */
  readonly quoted: number;
  readonly unverified: readonly Unverified[];
  /** The positions of backed figures. */
  readonly spans: readonly FigureSpan[];
}

/** An answer with its references replaced. */
export interface AnswerText {
  readonly text: string;
  readonly spans: readonly FigureSpan[];
  /** References to facts that do not exist. */
  readonly missing: readonly FigureSpan[];
}

/** The facts and names that an answer is checked against. */
export interface GroundingEvidence {
  readonly facts: readonly Fact[];
  /** The user's own messages of this conversation: their numbers may be repeated. */
  readonly said: readonly string[];
  readonly language: AnswerLanguage;
  /** The names of each symbol, so that a figure is not taken for another's: symbol → names. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Other names of a metric. */
  readonly wordsOf: (metric: string) => readonly string[];
  /** Numbers that belong to a usual rule, such as 70 beside the name of an oscillator: word → numbers. */
  readonly thresholds: ReadonlyMap<string, readonly number[]>;
}
