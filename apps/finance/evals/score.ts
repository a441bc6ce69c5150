/**
 * Score: how well a question was answered, and how well many were.
 *
 * Pure: a question and what was observed give marks; marks of many questions give the metrics.
 */
import { languageOfText } from "@baton/assistant";
import { chartTypesOf } from "./expected-charts.ts";
import { type ArgumentKit, matchCalls, type Matched } from "./match-calls.ts";
import type { EvaluatedRun, ObservedCall } from "./observed.ts";
import type { Expectation, Question } from "./question.ts";

/** Hits, wrong ones and missing ones. */
export type Counts = Readonly<{ hits: number; wrong: number; missing: number }>;

/** The marks of one question. */
export interface Marks {
  readonly type: boolean;
  readonly symbols: Counts;
  readonly tools: Counts;
  /** Of the calls that were expected and made. */
  readonly args: Readonly<{ right: number; of: number }>;
  /** Calls that were not needed, of all. */
  readonly waste: Readonly<{ calls: number; of: number }>;
  readonly charts: boolean;
  readonly language: boolean;
  /** Every number of the answer is backed; strictly: by a reference. */
  readonly figures: Readonly<{ figures: number; referenced: number; unverified: number }>;
  /** Nothing was found, and the answer says so without numbers; undefined if something was found. */
  readonly honest?: boolean;
  /** Where the crew went, if the question says where. */
  readonly route: boolean;
  readonly done: boolean;
}

/** The marks of one answer. */
export function markOf({ expect }: Question, observed: EvaluatedRun, kit: ArgumentKit): Marks {
  const { intent, calls, figures } = observed;
  const ways = expect.ways.length === 0 ? [[]] : expect.ways;
  const tried = ways.map((way) => markCalls(matchCalls(way, calls, kit), { expect, observed, kit }));
  const best = tried.toSorted((one, other) => other.worth - one.worth)[0] ?? NOTHING;
  const unverified = figures?.unverified.length ?? 0;
  const honest = isHonest(best.matched, observed);
  return {
    type: intent !== undefined && expect.types.includes(intent.query_type),
    symbols: countSymbols(expect, intent?.validated_symbols ?? []),
    tools: best.tools,
    args: best.args,
    waste: best.waste,
    charts: isSame(expect.charts ?? best.charts, observed.charts),
    language: intent?.response_language === expect.language && isIn(expect.language, observed.text),
    figures: { figures: figures?.figures ?? 0, referenced: figures?.referenced ?? 0, unverified },
    ...(honest === undefined ? {} : { honest }),
    route: isRouted(expect, intent),
    done: observed.outcome === "done",
  };
}

interface CallMarks extends Pick<Marks, "tools" | "args" | "waste"> {
  readonly matched: readonly Matched[];
  readonly charts: readonly string[];
  readonly worth: number;
}

const NOTHING: CallMarks = {
  matched: [],
  tools: { hits: 0, wrong: 0, missing: 0 },
  args: { right: 0, of: 0 },
  waste: { calls: 0, of: 0 },
  charts: [],
  worth: 0,
};

type Answered = Readonly<{ expect: Expectation; observed: EvaluatedRun; kit: ArgumentKit }>;

function markCalls(matched: readonly Matched[], { expect, observed, kit }: Answered): CallMarks {
  const { calls } = observed;
  const made = matched.flatMap(({ made: call }) => (call === undefined ? [] : [call]));
  const extra = calls.filter((call) => !made.includes(call) && !expect.allowed.includes(call.tool));
  const allowed = calls.filter((call) => !made.includes(call) && expect.allowed.includes(call.tool));
  const used = new Set(made.map(({ tool }) => tool));
  const wrong = new Set(extra.map(({ tool }) => tool).filter((tool) => !used.has(tool)));
  const missed = matched.filter(({ made: call }) => call === undefined).map(({ expected }) => expected.tools);
  const missing = new Set(missed.filter((tools) => !tools.some((tool) => used.has(tool))).map(String));
  const right = matched.filter(({ hasRightArgs }) => hasRightArgs).length;
  const drawn = [...made, ...allowed].filter((call) => isDrawn(call, observed)).map((call) => toDrawn(call, kit));
  const unmade = missed.map(([tool = ""]) => ({ tool }));
  return {
    matched,
    tools: { hits: used.size, wrong: wrong.size, missing: missing.size },
    // A tool that was called for fewer symbols than asked for has wrong arguments.
    args: { right, of: made.length + missed.filter((tools) => tools.some((tool) => used.has(tool))).length },
    waste: { calls: extra.length, of: calls.length },
    charts: chartTypesOf([...drawn, ...unmade]),
    worth: right * 1_000 + made.length * 100 - missed.length * 10 - extra.length,
  };
}

/** The coins of a list are none of the question: they may be drawn or not. */
function isDrawn({ tool, status }: ObservedCall, { charts }: EvaluatedRun): boolean {
  return status === "ok" && (tool !== "getCryptoMarkets" || charts.includes("cryptoChart"));
}

function toDrawn(
  { tool, args }: ObservedCall,
  { canonical }: ArgumentKit,
): Readonly<{ tool: string; symbol?: string }> {
  const { symbol } = args;
  return typeof symbol === "string" ? { tool, symbol: canonical(symbol, tool) } : { tool };
}

function countSymbols({ symbols, optionalSymbols }: Expectation, found: readonly string[]): Counts {
  const hits = symbols.filter((symbol) => found.includes(symbol)).length;
  const wrong = found.filter((symbol) => !symbols.includes(symbol) && !optionalSymbols.includes(symbol)).length;
  return { hits, wrong, missing: symbols.length - hits };
}

const isSame = (one: readonly string[], other: readonly string[]): boolean => one.join() === [...new Set(other)].join();

/** A text without words that tell is in any language. */
const isIn = (language: Expectation["language"], text: string): boolean =>
  (languageOfText(text) ?? language) === language;

function isRouted({ route, complexity }: Expectation, intent: EvaluatedRun["intent"]): boolean {
  const isRoute = route === undefined || intent?.route === route;
  return isRoute && (complexity === undefined || intent?.complexity === complexity);
}

/** Words by which an answer says that something is missing. */
const MISSING_WORDS = (
  "no data,not available,has no,have no,there are no,there is no,has nothing,does not have,could not,cannot,missing," +
  "not configured,only annual,would mean nothing,không có,chưa có,không tìm thấy,thiếu,không thể,chưa được,chỉ có"
).split(",");

/** The line that says who answered is not about the data. */
const FOOTERS = ["Offline rules", "Quy tắc ngoại tuyến"];

function isHonest(matched: readonly Matched[], { calls, text, figures }: EvaluatedRun): boolean | undefined {
  const isFound = calls.some(({ status }) => status === "ok");
  if (matched.length === 0 || calls.length === 0 || isFound) return undefined;
  const lines = text.split("\n").filter((line) => !FOOTERS.some((footer) => line.includes(footer)));
  const told = lines.join("\n").toLowerCase();
  return MISSING_WORDS.some((word) => told.includes(word)) && (figures?.figures ?? 0) === 0;
}
