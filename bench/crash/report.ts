/** The crash table as Markdown: a line a system. */
import { systems } from "./system.ts";
import type { Trial } from "./trial.ts";

const heads = [
  "system",
  "faults",
  "ended right",
  "asked a person",
  "user had to ask again",
  "paid twice",
  "finished calls made again",
  "never ended",
  "seconds to continue, median",
];

const median = (numbers: readonly number[]): string => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[Math.floor(sorted.length / 2)] ?? 0).toFixed(1);
};

/** A run ended right if it reached its end, was paid once, and nobody had to ask again. */
const isRight = (trial: Trial): boolean => trial.ended && trial.refunds === 1 && !trial.askedAgain;

const toRow = ([name, trials]: readonly [string, readonly Trial[]]): readonly string[] => {
  const count = (holds: (trial: Trial) => boolean): string => String(trials.filter(holds).length);
  const version = Object.values(systems.find((system) => system.name === name)?.packages ?? {}).at(name === "langgraph" ? 1 : 0);
  return [
    version === undefined ? name : `${name} ${version}`,
    String(trials.length),
    count(isRight),
    count(({ inDoubt }) => inDoubt),
    count(({ askedAgain }) => askedAgain),
    count(({ refunds }) => refunds > 1),
    String(trials.reduce((sum, { repeated }) => sum + repeated, 0)),
    count(({ ended }) => !ended),
    median(trials.filter(({ seconds }) => seconds > 0).map(({ seconds }) => seconds)),
  ];
};

const toLine = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;

export const toTable = (results: ReadonlyMap<string, readonly Trial[]>): string =>
  [toLine(heads), toLine(heads.map(() => "---")), ...[...results].map((entry) => toLine(toRow(entry)))].join("\n");
