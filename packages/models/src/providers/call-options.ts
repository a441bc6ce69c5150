/**
 * Call options: a prompt of Baton as the options of one call of a language model.
 */
/// <reference types="json-schema" />
import type { Json, Prompt } from "@baton/core";
import type { LanguageModelV4CallOptions, LanguageModelV4FunctionTool } from "@ai-sdk/provider";
import { toModelSchema, toProviderSchema } from "./output-schema.ts";
import { type PromptRules, toProviderPrompt } from "./provider-prompt.ts";
import type { EventFilter, EventFormat } from "./stream/event-guard.ts";
import { markForAnthropic } from "./prompt-cache.ts";
import { toReasoning } from "./reasoning.ts";
import { toSchemaPrompt } from "./schema-text.ts";

/** Properties of a call that differ between providers. */
export interface CallRules extends PromptRules {
  /** Whether past calls in the history are refused unless their tools are declared too. */
  readonly declarePastTools: boolean;
  /** Whether the provider can be given the schema of this prompt's reply; if not, the prompt asks for it in words. */
  readonly takesSchema: (prompt: Prompt, model: string) => boolean;
  /** The form of its streams; server-sent events by default. */
  readonly streamFormat?: EventFormat;
  /** Makes what tells which events of one stream are unknown. */
  readonly eventFilter: () => EventFilter;
  /** Whether it is told which places of the prompt to keep for the next call. */
  readonly marksCache: boolean;
  /** The provider's own options for this prompt. */
  readonly providerOptions: (prompt: Prompt, model: string) => CallProviderOptions;
}

/** Options of one provider, by its name. */
export type CallProviderOptions = NonNullable<LanguageModelV4CallOptions["providerOptions"]>;

type JsonSchema = LanguageModelV4FunctionTool["inputSchema"];

/** The options of the call. */
export function toCallOptions(asked: Prompt, rules: CallRules, abort: AbortSignal): LanguageModelV4CallOptions {
  const whole = asked.outputSchema && toModelSchema(asked.outputSchema);
  const given = whole === undefined ? asked : { ...asked, outputSchema: whole };
  const reduced = whole === undefined ? given : { ...given, outputSchema: toProviderSchema(whole) };
  const prompt = rules.takesSchema(reduced, rules.model) ? reduced : toSchemaPrompt(given);
  const { temperature, topP, outputSchema } = prompt;
  const { turns, beforeContext } = toProviderPrompt(prompt, rules);
  if (rules.marksCache) markForAnthropic(turns, prompt, beforeContext);
  const { providerOptions = {}, ...reasoning } = toReasoning(rules.model, prompt, turns);
  return {
    prompt: turns,
    abortSignal: abort,
    providerOptions: mergeOptions(rules.providerOptions(prompt, rules.model), providerOptions),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...reasoning,
    ...(isSchema(outputSchema) ? { responseFormat: { type: "json", name: "reply", schema: outputSchema } } : {}),
    ...toTools(prompt, rules),
  };
}

function mergeOptions(base: CallProviderOptions, over: CallProviderOptions): CallProviderOptions {
  const own = Object.entries(over).map(([provider, options]) => [provider, { ...base[provider], ...options }] as const);
  return { ...base, ...Object.fromEntries(own) };
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
  const slim = toModelSchema(schema);
  const inputSchema: JsonSchema = isSchema(slim) ? slim : {};
  return { type: "function", name, description, inputSchema: { type: "object", properties: {}, ...inputSchema } };
}

function isSchema(value: unknown): value is Exclude<JsonSchema, boolean> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
