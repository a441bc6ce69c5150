/**
 * Offline: the program that stands in for every language model of the crew when there is no key.
 *
 * It answers by rules from the facts that tools found, and says so in its last line. Every figure is a reference.
 */
import { assistantState, COMPACTION_REQUEST } from "@baton/assistant";
import { type Chunk, type Decision, defineProgram, type Model, type Prompt } from "@baton/core";
import { z } from "zod";
import { runState } from "../crew/run-state.ts";
import { classify } from "../intent/classify.ts";
import { planReport } from "../intent/calls/report-plan.ts";
import { chooseNext, chooseTools } from "../intent/calls/tool-choice.ts";
import { analyse, type Chooser } from "./analyst.ts";
import { writeClarification } from "./clarify.ts";
import { summarise } from "./compactor.ts";
import { type OfflineOptions, toSituation } from "./conversation.ts";
import { writeDirect } from "./direct.ts";
import { guessIntent } from "./intent-guess.ts";
import { toSuggestions } from "./words/suggestions.ts";
import { toView, type View } from "./view.ts";
import { answeredSymbols, writeAnswer } from "./writer.ts";

export type { OfflineOptions } from "./conversation.ts";

/** The program `offline`: one for all agents that would have a language model. */
export function offlineProgram(options: OfflineOptions): Model {
  return defineProgram((prompt) => {
    switch (prompt.agent) {
      case "intent_model":
        return guessIntent(prompt, options);
      case "compactor":
        return compact(prompt, options);
      case "analyst":
        return analyse(prompt, toChooser(prompt, options));
      case "planner":
        return plan(prompt, options);
      case "writer":
        return stream(toView(prompt), writeAnswer);
      default:
        return stream(toView(prompt), writeDirect);
    }
  });
}

/** The program `clarify`: asks what is meant, and ends the run. */
export function clarifyProgram(): Model {
  return defineProgram((prompt) => ({ say: writeClarification(toView(prompt)), end: true }));
}

function toChooser(prompt: Prompt, options: OfflineOptions): Chooser {
  const { intent, question } = toView(prompt);
  if (intent === undefined) return { first: async () => [], next: async () => [] };
  return {
    first: async () => chooseTools(intent, question, await toSituation(prompt, options)),
    next: async (made) => chooseNext({ intent, question, made }, await toSituation(prompt, options)),
  };
}

async function plan(prompt: Prompt, options: OfflineOptions): Promise<Decision> {
  const { intent, question } = toView(prompt);
  const situation = await toSituation(prompt, options);
  const planned = z.json().parse(planReport(intent ?? classify(question, situation), situation));
  // A program's output is not a message: the runner finds the plan in the state.
  return { output: planned, set: runState.toSet({ plan_draft: planned }) };
}

async function compact(prompt: Prompt, { openDirectory }: OfflineOptions): Promise<Decision> {
  const messages = prompt.messages.filter(({ content }) => content !== COMPACTION_REQUEST);
  const before = assistantState.get(prompt, "compaction")?.text ?? "";
  return { say: [summarise(messages, await openDirectory()), before].join("\n").trim() };
}

/** The text in pieces, so that the first is there at once; then what could be asked next. */
async function* stream(view: View, write: (view: View) => readonly string[]): AsyncIterable<readonly Chunk[]> {
  for (const text of write(view)) yield [{ type: "text", text }];
  const { language, intent } = view;
  const about = { language, symbols: answeredSymbols(view), ...(intent && { type: intent.query_type }) };
  yield [{ type: "note", kind: "suggestions", data: { items: [...toSuggestions(about)] } }];
}
