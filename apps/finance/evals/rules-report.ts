/**
 * Rules report: the metrics of the rules track as a table, what is required, and which questions missed what.
 */
import { type EvalMetrics, toMetrics } from "./metrics.ts";
import type { TrackAnswer, TrackPart } from "./rules-track.ts";
import type { Marks } from "./score.ts";
import { toTable } from "./table.ts";

/** Scores that the rules must reach. */
export const THRESHOLDS = {
  type: 0.95,
  symbols: 0.97,
  tools: 0.92,
  args: 0.95,
  charts: 0.92,
  language: 1,
  referenced: 1,
} as const satisfies Partial<Record<keyof EvalMetrics, number>>;

const PARTS: readonly TrackPart[] = ["dev", "held", "made"];

/** The metrics of each part and of all. */
export function toRulesTable(answers: readonly TrackAnswer[]): string {
  const rows = [...PARTS, "all"].map((part) => {
    const chosen = answers.filter((answer) => part === "all" || answer.part === part);
    const metrics = toMetrics(chosen.map(({ marks }) => marks));
    return [part, ...COLUMNS.map(([, valueOf]) => valueOf(metrics))];
  });
  return toTable(["", ...COLUMNS.map(([name]) => name)], rows);
}

const share = (value: number): string => value.toFixed(3);

const COLUMNS: readonly (readonly [name: string, valueOf: (metrics: EvalMetrics) => string])[] = [
  ["questions", ({ questions }) => String(questions)],
  ["type", ({ type }) => share(type)],
  ["symbols F1", ({ symbols }) => share(symbols)],
  ["tools F1", ({ tools }) => share(tools)],
  ["arguments", ({ args }) => share(args)],
  ["waste", ({ waste }) => share(waste)],
  ["charts", ({ charts }) => share(charts)],
  ["language", ({ language }) => share(language)],
  ["routes", ({ routes }) => share(routes)],
  ["referenced", ({ referenced }) => share(referenced)],
  ["unverified", ({ unverified }) => String(unverified)],
  ["honesty", ({ honesty }) => share(honesty)],
];

/** Model calls, tokens and times by type of question; medians. */
export function toCostTable(answers: readonly TrackAnswer[]): string {
  const byType = Map.groupBy(answers, ({ observed }) => observed.intent?.query_type ?? "none");
  const rows = [...byType]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([type, group]) => [
      type,
      String(group.length),
      median(group.map(({ observed }) => observed.modelCalls)),
      median(group.map(({ observed }) => observed.tokens)),
      median(group.flatMap(({ observed }) => observed.firstDeltaMs ?? [])),
      median(group.map(({ observed }) => observed.doneMs)),
    ]);
  return toTable(["type", "answers", "model calls", "tokens", "first delta ms", "done ms"], rows);
}

function median(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other);
  return String(sorted[Math.floor(sorted.length / 2)] ?? 0);
}

/** Lists the faults of an answer; empty if there are none. */
export function missesOf({ question, observed, marks }: TrackAnswer): readonly string[] {
  const { expect } = question;
  const { intent, calls } = observed;
  const made = calls.map(({ tool, args }) => `${tool} ${JSON.stringify(args)}`).join(", ");
  const checks: readonly (readonly [isRight: boolean, text: string])[] = [
    [marks.done, `the run ended ${observed.outcome}`],
    [marks.type, `type ${intent?.query_type}, not ${expect.types.join(" or ")}`],
    [hasAll(marks.symbols), `symbols ${intent?.validated_symbols.join()}, not ${expect.symbols.join()}`],
    [hasAll(marks.tools), `tools: ${made || "none"}`],
    [marks.args.right === marks.args.of, `arguments: ${made}`],
    [marks.waste.calls === 0, `${marks.waste.calls} calls too many`],
    [marks.charts, `charts ${observed.charts.join() || "none"}`],
    [marks.language, `language ${intent?.response_language}, not ${expect.language}, or the answer's`],
    [marks.route, `route ${intent?.route} ${intent?.complexity}`],
    [marks.figures.referenced === marks.figures.figures, `figures ${JSON.stringify(observed.figures?.unverified)}`],
    [marks.honest !== false, "does not say that data is missing"],
  ];
  return checks.flatMap(([isRight, text]) => (isRight ? [] : [text]));
}

const hasAll = ({ wrong, missing }: Marks["tools"]): boolean => wrong === 0 && missing === 0;
