/**
 * Ollama messages: prompts and replies in the shape of Ollama's own chat API.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4Message, LanguageModelV4Prompt } from "@ai-sdk/provider";
import { parseJson } from "@baton/core/util";
import { isRecord } from "../../json.ts";

interface OllamaMessage {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly content: string;
  readonly thinking?: string;
  readonly images?: readonly string[];
  readonly tool_calls?: readonly { readonly function: { readonly name: string; readonly arguments: unknown } }[];
  readonly tool_name?: string;
}

/** The conversation as Ollama takes it. */
export function toOllamaMessages(prompt: LanguageModelV4Prompt): readonly OllamaMessage[] {
  return prompt.flatMap((message) => toOllama(message));
}

function toOllama(message: LanguageModelV4Message): readonly OllamaMessage[] {
  switch (message.role) {
    case "system":
      return [{ role: "system", content: message.content }];
    case "user":
      return toUser(message.content);
    case "assistant":
      return [toAssistant(message.content)];
    case "tool":
      return message.content.flatMap((part): OllamaMessage[] => {
        if (part.type !== "tool-result") return [];
        const { output } = part;
        const content = output.type === "text" || output.type === "error-text" ? output.value : JSON.stringify(output);
        return [{ role: "tool", tool_name: part.toolName, content }];
      });
  }
}

/** A message for each text, because a message has only one; the last one has the pictures. */
function toUser(parts: Extract<LanguageModelV4Message, { role: "user" }>["content"]): readonly OllamaMessage[] {
  const images = parts.flatMap((part) =>
    part.type === "file" && part.data.type === "data" && typeof part.data.data === "string" ? [part.data.data] : [],
  );
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const last: OllamaMessage = { role: "user", content: texts.at(-1) ?? "", ...(images.length === 0 ? {} : { images }) };
  return [...texts.slice(0, -1).map((content): OllamaMessage => ({ role: "user", content })), last];
}

function toAssistant(parts: Extract<LanguageModelV4Message, { role: "assistant" }>["content"]): OllamaMessage {
  const texts = (type: "text" | "reasoning"): string =>
    parts.flatMap((part) => (part.type === type ? [part.text] : [])).join("");
  const thinking = texts("reasoning");
  const calls = parts.flatMap((part) =>
    part.type === "tool-call" ? [{ function: { name: part.toolName, arguments: part.input } }] : [],
  );
  return {
    role: "assistant",
    content: texts("text"),
    ...(thinking === "" ? {} : { thinking }),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** The tools as Ollama takes them. */
export function toOllamaTools(tools: NonNullable<LanguageModelV4CallOptions["tools"]>): readonly object[] {
  return tools.flatMap((tool) => {
    if (tool.type !== "function") return [];
    const { name, description, inputSchema } = tool;
    return [{ type: "function", function: { name, description, parameters: inputSchema } }];
  });
}

/** One line of a streamed reply. */
export interface ReplyLine {
  readonly content: string;
  readonly thinking: string;
  /** `args` is JSON text. */
  readonly calls: readonly { readonly name: string; readonly args: string }[];
  readonly done: boolean;
  readonly reason: string | undefined;
  readonly inputTokens: number | undefined;
  readonly outputTokens: number | undefined;
  readonly error: string | undefined;
}

/** Reads one line; undefined if it is not a JSON object. */
export function parseReplyLine(text: string): ReplyLine | undefined {
  const line = parseJson(text);
  if (!isRecord(line)) return undefined;
  const message = isRecord(line["message"]) ? line["message"] : {};
  const calls = Array.isArray(message["tool_calls"]) ? message["tool_calls"] : [];
  return {
    content: toText(message["content"]) ?? "",
    thinking: toText(message["thinking"]) ?? "",
    calls: calls.flatMap((call: unknown) => parseCall(call)),
    done: line["done"] === true,
    reason: toText(line["done_reason"]),
    inputTokens: toNumber(line["prompt_eval_count"]),
    outputTokens: toNumber(line["eval_count"]),
    error: toText(line["error"]),
  };
}

function parseCall(call: unknown): { name: string; args: string }[] {
  const asked = isRecord(call) && isRecord(call["function"]) ? call["function"] : {};
  const { name, arguments: args } = asked;
  if (typeof name !== "string") return [];
  return [{ name, args: typeof args === "string" ? args : JSON.stringify(args ?? {}) }];
}

const toText = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);

const toNumber = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined);
