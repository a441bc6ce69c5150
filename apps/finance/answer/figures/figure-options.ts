/**
 * Figure options: what names, metrics and usual thresholds are called in finance, so that numbers which a model typed
 * itself can be held against facts.
 */
import { type FigureOptions, ownText } from "@baton/assistant";
import type { Message, Prompt } from "@baton/core";
import { runState } from "../../crew/run-state.ts";
import { recordsOf } from "../../tools/frame/recorded-call.ts";
import { namesOf } from "./listing-names.ts";
import { wordsOf } from "./metric-words.ts";

/** Numbers of the usual rules, beside the name of what they are about. */
const THRESHOLDS: ReadonlyMap<string, readonly number[]> = new Map([
  ["RSI", [0, 30, 50, 70, 100]],
  ["STOCH", [20, 80]],
  ["%K", [20, 80]],
  ["ADX", [20, 25]],
  ["MACD", [0]],
  ["Sharpe", [0, 1]],
  ["beta", [1]],
  ["VaR", [95, 99]],
]);

/** Names with numbers that everybody uses. */
const INDICES: readonly (readonly [symbol: string, names: readonly string[]])[] = [
  ["^GSPC", ["S&P 500", "S&P500"]],
  ["^NDX", ["Nasdaq 100", "Nasdaq-100"]],
  ["^RUT", ["Russell 2000"]],
  ["^FTSE", ["FTSE 100"]],
];

/** Settings of the figure check around the models that write answers. */
export const figureOptions: Omit<FigureOptions, "factsOf"> = {
  languageOf: (prompt) => runState.get(prompt, "language") ?? "en",
  saidOf: (prompt) => [
    ownText(runState.get(prompt, "question")),
    ...prompt.messages.flatMap(ownWords),
    // What the user holds, as prompts show it, and the criteria of a search, as its result repeats them.
    runState.get(prompt, "portfolio"),
    ...recordsOf({ entries: () => prompt.values }).flatMap(({ applied }) => applied),
  ],
  namesOf: (prompt: Prompt) => {
    const told = recordsOf({ entries: () => prompt.values }).flatMap(({ symbols }) =>
      symbols.map(({ symbol, name }) => [symbol, name === undefined ? [] : namesOf({ symbol, name })] as const),
    );
    const { listings = [] } = runState.get(prompt, "intent") ?? {};
    return new Map([...told, ...INDICES, ...listings.map((listing) => [listing.symbol, namesOf(listing)] as const)]);
  },
  warn: (numbers, language) =>
    language.startsWith("vi")
      ? `Chưa có nguồn nào xác nhận: ${numbers.join(", ")}`
      : `No source confirms: ${numbers.join(", ")}`,
  wordsOf,
  thresholds: THRESHOLDS,
};

const OTHERS = /^(?:<context>|\[(?:context|compactor|intent|resolve|planner|runner|reviewer)\] )/;

/** The text of a message that the user wrote; none if an agent or a program did. */
const ownWords = ({ role, content }: Message): readonly string[] =>
  role === "user" && !OTHERS.test(content) ? [ownText(content)] : [];
