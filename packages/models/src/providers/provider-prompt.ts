/**
 * Provider prompt: converts Baton's history to what a provider accepts; nothing else does.
 *
 * Valid for every provider with any history: system text first and once, then a user's message, sides that take
 * turns, no empty message, every call answered at once and exactly once, ids that no provider refuses, reasoning only
 * to the model that wrote it, and the last word never the assistant's.
 */
import type { Image, Json, Message, Prompt } from "@baton/core";
import type { AssistantMessage, ToolMessage, UserMessage } from "@baton/core/ports";
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultPart,
} from "@ai-sdk/provider";
import { lastPlaceOf, type PromptPlace } from "./prompt-cache.ts";
import { type ReplyBlock, parseBlocks } from "./stream/reply-blocks.ts";

/** Properties of a prompt that differ between providers. */
export interface PromptRules {
  /** The model whose blocks are given back, by its name as in `provider.name` of the history. */
  readonly model: string;
  /** Whether pictures may be given by address. */
  readonly imageUrls: boolean;
}

type UserPart = LanguageModelV4TextPart | LanguageModelV4FilePart;
type AssistantPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number];

/** The user's message if a provider needs one and the history has none. */
const NUDGE = "Continue.";
const NO_RESULT = "There is no result: the call was not finished.";

/** The part of a prompt that a provider is sent as messages. */
export interface ProviderPrompt {
  readonly turns: LanguageModelV4Prompt;
  /** The last part before the agent's context; undefined if there is no context, or nothing before it. */
  readonly beforeContext: PromptPlace | undefined;
}

/** The prompt's system text and messages, legal for the provider. */
export function toProviderPrompt(
  prompt: Pick<Prompt, "system" | "messages" | "contextAt">,
  rules: PromptRules,
): ProviderPrompt {
  const { messages } = prompt;
  const texts = messages.flatMap((message) => (message.role === "system" ? [message.content] : []));
  const system = [prompt.system, ...texts].filter((text) => !isBlank(text)).join("\n\n");
  const turns = new Turns();
  let before: PromptPlace | undefined;
  messages.forEach((message, index) => {
    if (index === prompt.contextAt) before = turns.lastPlace();
    if (message.role === "user") turns.user(toUserParts(message, rules));
    if (message.role === "assistant") turns.assistant(message, { rules, results: resultsAfter(messages, index) });
  });
  const said = turns.end();
  if (system === "") return { turns: said, beforeContext: before };
  const beforeContext = before && { ...before, turn: before.turn + 1 };
  return { turns: [{ role: "system", content: system.toWellFormed() }, ...said], beforeContext };
}

/** The conversation as it grows; sides take turns by construction. */
class Turns {
  readonly #turns: LanguageModelV4Message[] = [];
  #calls = 0;

  user(parts: UserPart[]): void {
    if (parts.length === 0) return;
    const last = this.#turns.at(-1);
    if (last?.role === "user") last.content.push(...parts);
    else this.#turns.push({ role: "user", content: parts });
  }

  assistant(message: AssistantMessage, context: { rules: PromptRules; results: Map<string, ToolMessage[]> }): void {
    const { rules, results } = context;
    const answers: LanguageModelV4ToolResultPart[] = [];
    const calls = (message.calls ?? []).map((call): AssistantPart => {
      // Ids of a history repeat from run to run and hold dots; nine letters and digits suit every provider.
      this.#calls += 1;
      const toolCallId = `call${String(this.#calls).padStart(5, "0")}`;
      answers.push(toAnswer(toolCallId, call.tool, results.get(call.id)?.shift()));
      return { type: "tool-call", toolCallId, toolName: call.tool, input: toInput(call.args) };
    });
    const parts = toAssistantParts(message, calls, rules);
    if (!parts.some((part) => part.type !== "reasoning")) return;
    if (this.#turns.length === 0) this.user([toText(NUDGE)]);
    const last = this.#turns.at(-1);
    if (last?.role === "assistant") last.content.push(...parts);
    else this.#turns.push({ role: "assistant", content: parts });
    if (answers.length > 0) this.#turns.push({ role: "tool", content: answers });
  }

  lastPlace(): PromptPlace | undefined {
    return lastPlaceOf(this.#turns);
  }

  end(): LanguageModelV4Message[] {
    const last = this.#turns.at(-1);
    if (last === undefined || last.role === "assistant") this.user([toText(NUDGE)]);
    return this.#turns;
  }
}

/** The results between this reply and the next one, by call. */
function resultsAfter(messages: readonly Message[], index: number): Map<string, ToolMessage[]> {
  const results = new Map<string, ToolMessage[]>();
  for (let at = index + 1; at < messages.length; at++) {
    const message = messages[at];
    if (message === undefined || message.role === "assistant") break;
    if (message.role !== "tool") continue;
    const same = results.get(message.call);
    if (same === undefined) results.set(message.call, [message]);
    else same.push(message);
  }
  return results;
}

function toAnswer(
  toolCallId: string,
  toolName: string,
  result: ToolMessage | undefined,
): LanguageModelV4ToolResultPart {
  const failed = result === undefined || result.failed === true;
  const value = result === undefined ? NO_RESULT : isBlank(result.content) ? "(empty)" : result.content.toWellFormed();
  return { type: "tool-result", toolCallId, toolName, output: { type: failed ? "error-text" : "text", value } };
}

/** Arguments as an object, which every provider wants. */
function toInput(args: Json): Json {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? args : { input: args };
}

function toAssistantParts(message: AssistantMessage, calls: AssistantPart[], rules: PromptRules): AssistantPart[] {
  const { content, provider } = message;
  const blocks = provider?.name === rules.model ? parseBlocks(provider.data) : [];
  if (fits(blocks, content, calls.length)) return fromBlocks(blocks, content, calls);
  return isBlank(content) ? calls : [toText(content), ...calls];
}

function fits(blocks: readonly ReplyBlock[], content: string, calls: number): boolean {
  if (blocks.length === 0) return false;
  const length = blocks.reduce((sum, block) => sum + (block.kind === "text" ? block.length : 0), 0);
  return length === content.length && blocks.filter((block) => block.kind === "call").length === calls;
}

function fromBlocks(blocks: readonly ReplyBlock[], content: string, calls: readonly AssistantPart[]): AssistantPart[] {
  const parts: AssistantPart[] = [];
  let chars = 0;
  let nextCall = 0;
  for (const block of blocks) {
    const own = block.options === undefined ? {} : { providerOptions: block.options };
    if (block.kind === "reasoning") {
      parts.push({ type: "reasoning", text: block.text.toWellFormed(), ...own });
    } else if (block.kind === "text") {
      const text = content.slice(chars, chars + block.length);
      chars += block.length;
      if (!isBlank(text)) parts.push({ ...toText(text), ...own });
    } else {
      const call = calls[nextCall];
      nextCall += 1;
      if (call !== undefined) parts.push({ ...call, ...own });
    }
  }
  return parts;
}

function toUserParts({ content, images }: UserMessage, rules: PromptRules): UserPart[] {
  const pictures = (images ?? []).map((image) => toPicture(image, rules));
  return isBlank(content) ? pictures : [toText(content), ...pictures];
}

function toPicture({ mediaType, data }: Image, { imageUrls }: PromptRules): UserPart {
  if (!mediaType.startsWith("image/")) return toText(`[a file of type ${mediaType}, left out]`);
  if (data.startsWith("https://")) {
    if (!imageUrls || !URL.canParse(data)) return toText(`[a picture at ${data}]`);
    return { type: "file", mediaType, data: { type: "url", url: new URL(data) } };
  }
  const base64 = data.startsWith("data:") ? data.slice(data.indexOf(",") + 1) : data;
  if (base64 === "") return toText("[an empty picture]");
  return { type: "file", mediaType, data: { type: "data", data: base64 } };
}

const toText = (text: string): LanguageModelV4TextPart => ({ type: "text", text: text.toWellFormed() });

const isBlank = (text: string): boolean => text.trim() === "";
