/**
 * Intent guess: what the rules would say if a model were asked what a question is.
 */
import type { Decision, Prompt } from "@baton/core";
import { runState } from "../crew/run-state.ts";
import { classify } from "../intent/classify.ts";
import { type OfflineOptions, toSituation } from "./conversation.ts";
import { toView } from "./view.ts";

/** The rules' best guess, as the intent model would give it. */
export async function guessIntent(prompt: Prompt, options: OfflineOptions): Promise<Decision> {
  const kept = runState.get(prompt, "intent");
  const intent = kept ?? classify(toView(prompt).question, await toSituation(prompt, options));
  return {
    output: {
      query_type: intent.query_type,
      symbols: intent.validated_symbols,
      requires_tools: intent.requires_tools,
      needs_plan: intent.complexity === "plan",
      reasoning: intent.reasoning,
      summary: intent.intent_summary,
    },
  };
}
