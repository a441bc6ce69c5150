/**
 * Runs table: stored runs, one a line. On a narrow screen the least important columns are omitted.
 */
import { cutLine, type Line, type StyledText, styleLine, type Tone } from "../terminal/styled-line.ts";
import { formatAge, formatNumber, formatUsd } from "./number-text.ts";
import { toOneLine } from "../terminal/printable.ts";
import { shortIdOf } from "../runs/run-id.ts";
import type { FoundRun, StoredRunState } from "../runs/run-search.ts";
import { cutToWidth, displayWidth } from "../terminal/width.ts";

interface Column {
  readonly title: string;
  readonly text: (run: FoundRun, now: number) => string;
  readonly tone?: (run: FoundRun) => Tone;
  readonly isNumber?: boolean;
}

/** The tone of each state. */
export const STATE_TONES: Readonly<Record<StoredRunState, Tone>> = {
  queued: "dim",
  running: "strong",
  interrupted: "warn",
  paused: "warn",
  done: "good",
  limit: "warn",
  cancelled: "dim",
  failed: "bad",
};

const MAX_CREW = 20;
const MIN_INPUT = 16;
/** The most of an input on an output without a width. */
const MAX_INPUT = 200;
const GAP = "  ";

const RUN: Column = { title: "run", text: ({ id }) => shortIdOf(id), tone: () => "strong" };
const CREW: Column = { title: "crew", text: ({ crew }) => cutToWidth(toOneLine(crew), MAX_CREW) };
const STATE: Column = { title: "status", text: ({ state }) => state, tone: ({ state }) => STATE_TONES[state] };
const AGE: Column = { title: "age", text: ({ createdAt }, now) => formatAge(now - createdAt), isNumber: true };
const TURNS: Column = { title: "turns", text: ({ turns }) => formatNumber(turns), isNumber: true };
const CALLS: Column = { title: "calls", text: ({ calls }) => formatNumber(calls), isNumber: true };
const TOKENS: Column = {
  title: "tokens",
  text: ({ inputTokens, outputTokens }) => formatNumber(inputTokens + outputTokens),
  isNumber: true,
};
const COST: Column = {
  title: "cost",
  text: ({ costUsd }) => (costUsd === 0 ? "" : formatUsd(costUsd)),
  isNumber: true,
};
const COLUMNS: readonly Column[] = [RUN, CREW, STATE, AGE, TURNS, CALLS, TOKENS, COST];
/** Columns that may be omitted, the first one first. */
const OPTIONAL: readonly Column[] = [CALLS, TURNS, TOKENS, COST, AGE, CREW];

/** The titles, and a line for each run. */
export function toRunLines(
  runs: readonly FoundRun[],
  { now, width }: { readonly now: number; readonly width: number },
): readonly Line[] {
  const all = COLUMNS.map((column) => ({ column, width: widthIn(column, runs, now) }));
  const shown = all.filter(({ width: own }) => own > 0);
  for (const column of OPTIONAL) {
    if (sum(shown.map((one) => one.width + GAP.length)) + MIN_INPUT <= width) break;
    const index = shown.findIndex((one) => one.column === column);
    if (index !== -1) shown.splice(index, 1);
  }
  const titles = shown.flatMap((one) => toCell(one.column.title, "dim", one));
  const rows = runs.map((run) => [
    ...shown.flatMap((one) => toCell(one.column.text(run, now), one.column.tone?.(run) ?? "plain", one)),
    ...toInput(run),
  ]);
  return [[...titles, ...styleLine(["input", "dim"])], ...rows].map((line) => cutLine(line, width));
}

/** The input, or the problem of a damaged run. */
function toInput({ input, error }: FoundRun): Line {
  if (input === "" && error?.code === "damaged") return styleLine([toOneLine(error.message), "bad"]);
  return styleLine(toOneLine(input.slice(0, MAX_INPUT)));
}

interface Shown {
  readonly column: Column;
  readonly width: number;
}

/** The width of a column; 0 if it is empty for all runs. */
function widthIn({ title, text }: Column, runs: readonly FoundRun[], now: number): number {
  const widest = Math.max(...runs.map((run) => displayWidth(text(run, now))));
  return widest === 0 ? 0 : Math.max(widest, title.length);
}

function toCell(text: string, tone: Tone, { column, width }: Shown): readonly StyledText[] {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return column.isNumber === true ? styleLine(space, [text, tone], GAP) : styleLine([text, tone], `${space}${GAP}`);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
