/** The crash table as Markdown: a line a system. */
import type { LongSession } from "./long-session.ts";
import type { System } from "./system.ts";
import type { Trial } from "./trial.ts";

/** The results of a system: its trials, and its long session. */
export interface SystemResult {
  readonly system: System;
  readonly trials: readonly Trial[];
  readonly session: LongSession;
}

/** A run ended right if it reached its end, was paid once, and the user did not have to ask again. */
const isRight = (trial: Trial): boolean => trial.ended && trial.refunds === 1 && !trial.askedAgain;

const median = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const columns: readonly (readonly [string, (result: SystemResult) => number | string])[] = [
  ["system", ({ system }) => [system.name, system.packages[system.shown ?? ""] ?? ""].join(" ").trim()],
  ["faults", ({ trials }) => trials.length],
  ["ended right", ({ trials }) => trials.filter(isRight).length],
  ["of these asked a person", ({ trials }) => trials.filter((trial) => isRight(trial) && trial.inDoubt).length],
  ["user had to ask again", ({ trials }) => trials.filter(({ askedAgain }) => askedAgain).length],
  ["paid twice", ({ trials }) => trials.filter(({ refunds }) => refunds > 1).length],
  ["finished calls made again", ({ trials }) => trials.reduce((sum, { repeated }) => sum + repeated, 0)],
  ["never ended", ({ trials }) => trials.filter(({ ended }) => !ended).length],
  [
    "seconds to continue",
    ({ trials }) => median(trials.map(({ seconds }) => seconds).filter((one) => one > 0)).toFixed(1),
  ],
  ["long session, × an empty one", ({ session }) => (session.longMs / session.emptyMs).toFixed(1)],
];

const toLine = (cells: readonly (number | string)[]): string => `| ${cells.join(" | ")} |`;

/** Renders the results as a table, a line a system. */
export const toTable = (results: readonly SystemResult[]): string =>
  [
    toLine(columns.map(([head]) => head)),
    toLine(columns.map(() => "---")),
    ...results.map((result) => toLine(columns.map(([, cell]) => cell(result)))),
  ].join("\n");
