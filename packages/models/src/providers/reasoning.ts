/**
 * Reasoning: how a provider's model is asked to reason as much as an agent says.
 *
 * A model that does not reason is sent nothing. If a call demands what thinking excludes, thinking is left out.
 */
import type { Prompt } from "@baton/core";
import type { LanguageModelV4CallOptions, LanguageModelV4Prompt, SharedV4ProviderOptions } from "@ai-sdk/provider";
import { modelFactsOf, outputTokensOf } from "../choice/model-facts.ts";

/** Anthropic's thinking budgets, in tokens. */
const BUDGETS = { low: 2_048, medium: 8_192, high: 24_576 } as const;

/** The options of a call that are about reasoning and the length of the reply. */
export type ReasoningOptions = Pick<LanguageModelV4CallOptions, "reasoning" | "maxOutputTokens"> & {
  readonly providerOptions?: SharedV4ProviderOptions;
};

/** The options for a prompt; `turns` is what the provider is sent of it. */
export function toReasoning(model: string, prompt: Prompt, turns: LanguageModelV4Prompt): ReasoningOptions {
  const { reasoning: effort, maxTokens } = prompt;
  const length = maxTokens === undefined ? undefined : outputTokensOf(model, maxTokens, effort);
  const limit = length === undefined ? {} : { maxOutputTokens: length };
  const { reasoning } = modelFactsOf(model);
  if (effort === undefined || reasoning === undefined) return limit;
  if (!model.startsWith("anthropic/")) return { ...limit, reasoning: effort };
  const isForced = prompt.toolChoice !== undefined;
  if (reasoning === "effort") return isForced ? limit : { ...limit, reasoning: effort };
  if (effort === "none" || isForced || continuesWithoutThinking(turns)) return limit;
  const budgetTokens = BUDGETS[effort];
  // The provider's package adds the budget to the length of the text.
  const text = length === undefined ? {} : { maxOutputTokens: Math.max(1, length - budgetTokens) };
  return { ...text, providerOptions: { anthropic: { thinking: { type: "enabled", budgetTokens } } } };
}

/** Whether results answer a reply that was written without thinking: Anthropic then takes no thinking. */
function continuesWithoutThinking(turns: LanguageModelV4Prompt): boolean {
  if (turns.at(-1)?.role !== "tool") return false;
  const reply = turns.findLast(({ role }) => role === "assistant");
  return reply?.role === "assistant" && !reply.content.some(({ type }) => type === "reasoning");
}
