/**
 * Metrics: the marks of many questions in one row of numbers.
 */
import type { Counts, Marks } from "./score.ts";

/** Shares from 0 to 1; a share of nothing is 1. */
export interface EvalMetrics {
  readonly questions: number;
  readonly type: number;
  readonly symbols: number;
  readonly tools: number;
  readonly args: number;
  /** Calls that were not needed, of all calls. */
  readonly waste: number;
  readonly charts: number;
  readonly language: number;
  readonly routes: number;
  /** Figures that are references to facts, of all figures. */
  readonly referenced: number;
  /** Figures that no fact backs. */
  readonly unverified: number;
  /** Answers that say that data is missing, of those for which it is. */
  readonly honesty: number;
  readonly done: number;
}

/** The metrics of many marks. */
export function toMetrics(marks: readonly Marks[]): EvalMetrics {
  const honest = marks.flatMap(({ honest: one }) => (one === undefined ? [] : [one]));
  const total = (valueOf: (one: Marks) => number): number => marks.reduce((sum, one) => sum + valueOf(one), 0);
  return {
    questions: marks.length,
    type: shareOf(marks.map(({ type }) => type)),
    symbols: toF1(marks.map(({ symbols }) => symbols)),
    tools: toF1(marks.map(({ tools }) => tools)),
    args: divide(
      total(({ args }) => args.right),
      total(({ args }) => args.of),
    ),
    waste:
      1 -
      divide(
        total(({ waste }) => waste.of - waste.calls),
        total(({ waste }) => waste.of),
      ),
    charts: shareOf(marks.map(({ charts }) => charts)),
    language: shareOf(marks.map(({ language }) => language)),
    routes: shareOf(marks.map(({ route }) => route)),
    referenced: divide(
      total(({ figures }) => figures.referenced),
      total(({ figures }) => figures.figures),
    ),
    unverified: total(({ figures }) => figures.unverified),
    honesty: shareOf(honest),
    done: shareOf(marks.map(({ done }) => done)),
  };
}

/** The harmonic mean of precision and recall, over all questions together. */
function toF1(counts: readonly Counts[]): number {
  const sum = (name: keyof Counts): number => counts.reduce((all, one) => all + one[name], 0);
  const [hits, wrong, missing] = [sum("hits"), sum("wrong"), sum("missing")];
  return divide(2 * hits, 2 * hits + wrong + missing);
}

const shareOf = (values: readonly boolean[]): number => divide(values.filter((one) => one).length, values.length);
const divide = (part: number, whole: number): number => (whole === 0 ? 1 : part / whole);
