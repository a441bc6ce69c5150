/**
 * Providers: the companies and programs behind models, and how each is reached.
 *
 * A provider's package is imported when its first model is used, never before. Addresses are written as the
 * provider's own software takes them.
 */
import type { Prompt } from "@baton/core";
import type { CallProviderOptions, CallRules } from "./call-options.ts";
import { isClosableSchema, isObjectSchema, isStrictSchema } from "./output-schema.ts";
import { anthropicFilter, fieldFilter, responsesFilter } from "./stream/known-events.ts";
import { toOpenAiCache } from "./prompt-cache.ts";
import type { LanguageSource, OpenModelOptions } from "./language-source.ts";
import type { Timeouts } from "./call-timer.ts";

/** One provider. */
export interface Provider extends Omit<CallRules, "model"> {
  readonly needsKey: boolean;
  readonly urlVariable: string;
  readonly needsUrl: boolean;
  /** Where the usual limits do not fit. */
  readonly timeouts?: Partial<Timeouts>;
  readonly open: (options: OpenModelOptions) => Promise<LanguageSource>;
}

const toStrict = ({ outputSchema }: Prompt): { readonly strictJsonSchema: boolean } => ({
  strictJsonSchema: isStrictSchema(outputSchema),
});

/** OpenAI refuses the option without tools. */
const asksForOneCall = ({ parallelCalls, tools }: Prompt): boolean => parallelCalls === false && tools.length > 0;

const chatFilter = fieldFilter(["choices", "error"]);

/** Models that came before schemas. */
const PLAIN_OPENAI = /\/(?:ft:)?(?:gpt-3\.5|gpt-4(?:-|$))/;
const PLAIN_ANTHROPIC = /claude-(?:instant|v?2|3|(?:opus|sonnet)-4(?:-0|-20|@|$))/;
/** These take a schema or tools, not both. */
const OLDER_GEMINI = /gemini-[12](?:[.-]|$)/;

const openai: Provider = {
  needsKey: true,
  urlVariable: "OPENAI_BASE_URL",
  needsUrl: false,
  imageUrls: true,
  declarePastTools: false,
  eventFilter: responsesFilter,
  marksCache: false,
  takesSchema: ({ outputSchema }, model) => isObjectSchema(outputSchema) && !PLAIN_OPENAI.test(model),
  // Nothing is kept at the provider: reasoning travels in the history, encrypted.
  providerOptions: (prompt, model) => ({
    openai: {
      store: false,
      ...toStrict(prompt),
      ...toOpenAiCache(prompt, model),
      ...(asksForOneCall(prompt) ? { parallelToolCalls: false } : {}),
    },
  }),
  open: async ({ model, ...rest }) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI(toSettings(rest)).responses(model);
  },
};

const openaiChat: Provider = {
  ...openai,
  eventFilter: chatFilter,
  open: async ({ model, ...rest }) => {
    const { createOpenAI } = await import("@ai-sdk/openai");
    return createOpenAI(toSettings(rest)).chat(model);
  },
};

const anthropic: Provider = {
  needsKey: true,
  urlVariable: "ANTHROPIC_BASE_URL",
  needsUrl: false,
  imageUrls: true,
  declarePastTools: true,
  eventFilter: anthropicFilter,
  marksCache: true,
  // For any other schema its package would make a tool of it and force the model to use that.
  takesSchema: ({ outputSchema }, model) =>
    isObjectSchema(outputSchema) &&
    isClosableSchema(outputSchema) &&
    model.includes("claude-") &&
    !PLAIN_ANTHROPIC.test(model),
  providerOptions: (prompt): CallProviderOptions =>
    asksForOneCall(prompt) ? { anthropic: { disableParallelToolUse: true } } : {},
  open: async ({ model, url, ...rest }) => {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    return createAnthropic(toSettings({ ...rest, url: withVersion(url, "v1") }))(model);
  },
};

const google: Provider = {
  needsKey: true,
  urlVariable: "GOOGLE_GEMINI_BASE_URL",
  needsUrl: false,
  imageUrls: false,
  declarePastTools: false,
  eventFilter: fieldFilter(["candidates", "usageMetadata", "promptFeedback", "error"]),
  marksCache: false,
  takesSchema: ({ tools, toolChoice }, model) =>
    model.includes("gemini-") && (tools.length === 0 || (toolChoice === undefined && !OLDER_GEMINI.test(model))),
  providerOptions: () => ({}),
  open: async ({ model, url, ...rest }) => {
    const { createGoogle } = await import("@ai-sdk/google");
    return createGoogle(toSettings({ ...rest, url: withVersion(url, "v1beta") }))(model);
  },
};

const ollama: Provider = {
  needsKey: false,
  urlVariable: "OLLAMA_HOST",
  needsUrl: false,
  imageUrls: false,
  declarePastTools: false,
  streamFormat: "lines",
  eventFilter: fieldFilter(["message", "done", "error"]),
  marksCache: false,
  // With a format it writes nothing else, so it would call no tool.
  takesSchema: ({ tools }) => tools.length === 0,
  providerOptions: () => ({}),
  // Its response begins only when the model is loaded and the prompt read.
  timeouts: { connectMs: 300_000 },
  open: async (options) => {
    const { openOllama } = await import("./ollama/ollama.ts");
    return openOllama(options);
  },
};

const compatible: Provider = {
  needsKey: false,
  urlVariable: "OPENAI_COMPATIBLE_BASE_URL",
  needsUrl: true,
  imageUrls: true,
  declarePastTools: false,
  eventFilter: chatFilter,
  marksCache: false,
  // Many such servers refuse a schema or ignore it.
  takesSchema: () => false,
  providerOptions: () => ({}),
  open: async ({ model, key, url = "", connection }) => {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    return createOpenAICompatible({
      name: "openai-compatible",
      baseURL: url,
      fetch: connection.fetch,
      includeUsage: true,
      ...(key === undefined ? {} : { apiKey: key }),
    }).chatModel(model);
  },
};

/** Every provider by its name in `provider/model`. */
export const PROVIDERS: ReadonlyMap<string, Provider> = new Map([
  ["openai", openai],
  ["openai-chat", openaiChat],
  ["anthropic", anthropic],
  ["google", google],
  ["ollama", ollama],
  ["openai-compatible", compatible],
]);

interface ProviderSettings {
  readonly fetch: typeof globalThis.fetch;
  readonly apiKey?: string;
  readonly baseURL?: string;
}

function toSettings({ key, url, connection }: Omit<OpenModelOptions, "model">): ProviderSettings {
  return {
    fetch: connection.fetch,
    ...(key === undefined ? {} : { apiKey: key }),
    ...(url === undefined ? {} : { baseURL: url }),
  };
}

/** The address with the version its own software adds, once. */
export function withVersion(url: string | undefined, version: string): string | undefined {
  if (url === undefined) return undefined;
  const base = url.endsWith("/") ? url.slice(0, -1) : url;
  return base.endsWith(`/${version}`) ? base : `${base}/${version}`;
}
