/**
 * Offline: the program that stands in for every language model of the crew when there is no key.
 *
 * It answers by rules from the facts that tools found, and says so in its last line. Every figure is a reference.
 */
import { type Chunk, type Decision, defineProgram, type Model, type Prompt } from "@baton/core";
import type { IndexedDirectory } from "../data/directory/directory.ts";
import { analyse, type ChosenCall } from "./analyst.ts";
import { toSuggestions } from "./suggestions.ts";
import { toView, type View } from "./view.ts";
import { toFooter } from "./words.ts";
import { answeredSymbols, writeAnswer } from "./writer.ts";

/** What the rules stand on. */
export interface OfflineOptions {
  readonly openDirectory: () => Promise<IndexedDirectory>;
  /** The day that the data calls today. */
  readonly today: () => Promise<string>;
}

/** The program `offline`. */
export function offlineProgram(_options: OfflineOptions): Model {
  return defineProgram((prompt) => {
    switch (prompt.agent) {
      case "analyst":
        return analyse(prompt, async () => chooseFallback(toView(prompt)));
      case "writer":
        return stream(toView(prompt), writeAnswer);
      default:
        return answerPlainly(prompt);
    }
  });
}

/** The program `clarify`. */
export function clarifyProgram(): Model {
  return defineProgram((prompt) => ({ ...answerPlainly(prompt), end: true }));
}

function chooseFallback({ intent }: View): readonly ChosenCall[] {
  const tool = intent?.query_type === "technical" ? "getTechnicalIndicators" : "getStockQuote";
  return (intent?.validated_symbols ?? []).map((symbol) => ({ tool, args: { symbol } }));
}

function answerPlainly(prompt: Prompt): Decision {
  const { language } = toView(prompt);
  return { say: toFooter(language) };
}

/** The text in pieces, so that the first is there at once; then what could be asked next. */
async function* stream(view: View, write: (view: View) => readonly string[]): AsyncIterable<readonly Chunk[]> {
  for (const text of write(view)) yield [{ type: "text", text }];
  const { language, intent } = view;
  const about = { language, symbols: answeredSymbols(view), ...(intent && { type: intent.query_type }) };
  yield [{ type: "note", kind: "suggestions", data: { items: [...toSuggestions(about)] } }];
}
