/**
 * Call options: a prompt of Baton as the options of one call of a language model.
 */
/// <reference types="json-schema" />
import type { Json, Prompt } from "@baton/core";
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { type PromptRules, toProviderPrompt } from "./provider-prompt.ts";
import { toSchemaPrompt } from "./schema-text.ts";

/** Properties of a call that differ between providers. */
export interface CallRules extends PromptRules {
  /** Whether past calls in the history are refused unless their tools are declared too. */
  readonly declarePastTools: boolean;
  /** Whether the provider can be given the schema of this prompt's reply; if not, the prompt asks for it in words. */
  readonly takesSchema: (prompt: Prompt, model: string) => boolean;
  /** The provider's own options for this prompt. */
  readonly providerOptions: (prompt: Prompt) => CallProviderOptions;
}

/** Options of one provider, by its name. */
export type CallProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

type JsonSchema = LanguageModelV4FunctionTool["inputSchema"];

/** The options of the call. */
export function toCallOptions(given: Prompt, rules: CallRules, abort: AbortSignal): LanguageModelV4CallOptions {
  const prompt = rules.takesSchema(given, rules.model) ? given : toSchemaPrompt(given);
  const { temperature, topP, maxTokens, outputSchema } = prompt;
  return {
    prompt: toProviderPrompt(prompt, rules),
    abortSignal: abort,
    providerOptions: rules.providerOptions(prompt),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(maxTokens === undefined ? {} : { maxOutputTokens: maxTokens }),
    ...(isSchema(outputSchema) ? { responseFormat: { type: "json", name: "reply", schema: outputSchema } } : {}),
    ...toTools(prompt, rules),
  };
}

function toTools(prompt: Prompt, rules: CallRules): Pick<LanguageModelV4CallOptions, "tools" | "toolChoice"> {
  if (prompt.tools.length > 0) {
    const tools = prompt.tools.map(({ name, description, inputSchema }) => toTool(name, description, inputSchema));
    return { tools, toolChoice: toChoice(prompt.toolChoice) };
  }
  if (!rules.declarePastTools) return {};
  const past = new Set(
    prompt.messages.flatMap((message) =>
      message.role === "assistant" ? (message.calls ?? []).map(({ tool }) => tool) : [],
    ),
  );
  if (past.size === 0) return {};
  return { tools: [...past].map((name) => toTool(name, "", {})), toolChoice: { type: "none" } };
}

function toChoice(choice: Prompt["toolChoice"]): NonNullable<LanguageModelV4CallOptions["toolChoice"]> {
  if (choice === undefined) return { type: "auto" };
  return choice === "required" ? { type: "required" } : { type: "tool", toolName: choice.tool };
}

function toTool(name: string, description: string, schema: Json): LanguageModelV4FunctionTool {
  const inputSchema: JsonSchema = isSchema(schema) ? schema : {};
  return { type: "function", name, description, inputSchema: { type: "object", properties: {}, ...inputSchema } };
}

function isSchema(value: unknown): value is Exclude<JsonSchema, boolean> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
