/**
 * Figure options: what names, metrics and usual thresholds are called in finance, so that figures of answers can be
 * held against facts.
 */
import type { FigureOptions } from "@baton/assistant";
import type { Prompt } from "@baton/core";
import { runState } from "../../crew/run-state.ts";
import { momentsOf, namesOf as toldNamesOf } from "../../offline/evidence.ts";
import { namesOf } from "./listing-names.ts";
import { wordsOf } from "./metric-words.ts";
import { quotedTexts } from "./quoted-texts.ts";

/** Numbers of the usual rules, beside the name of what they are about. */
const THRESHOLDS: ReadonlyMap<string, readonly number[]> = new Map([
  ["RSI", [30, 50, 70]],
  ["STOCH", [20, 80]],
  ["%K", [20, 80]],
  ["ADX", [20, 25]],
  ["MACD", [0]],
  ["Sharpe", [0, 1]],
]);

/** Settings of the figure check around the models that write answers. */
export const figureOptions: FigureOptions = {
  languageOf: ({ values }) => runState.get({ values }, "language") ?? "en",
  questionOf: ({ values }) => runState.get({ values }, "question"),
  namesOf: (prompt: Prompt) => {
    const intent = runState.get(prompt, "intent");
    const told = Array.from(toldNamesOf(withoutKept(prompt)), ([symbol, name]) => [symbol, [name]] as const);
    return new Map([
      ...told,
      ...(intent?.listings ?? []).map((listing) => [listing.symbol, namesOf(listing)] as const),
    ]);
  },
  momentsOf,
  quotedOf: quotedTexts,
  wordsOf,
  thresholds: THRESHOLDS,
};

/**
 * Removes the user's profile and summary from the values of a prompt unless the question is about memory, so that their
 * numbers are not accepted as figures of other answers.
 */
function withoutKept(prompt: Prompt): Prompt {
  const intent = runState.get(prompt, "intent");
  if (intent === undefined || !intent.requires_tools || intent.query_type === "memory_recall") return prompt;
  const values = new Map([...prompt.values].filter(([key]) => key !== "profile" && key !== "summary"));
  return { ...prompt, values };
}
