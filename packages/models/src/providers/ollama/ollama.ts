/**
 * Ollama: models on this machine, called through Ollama's own API.
 *
 * Its own API takes what the OpenAI-compatible one does not: how much context to load, and thinking. A prompt longer
 * than the program's default window makes it load a larger one, because otherwise Ollama drops the beginning without a word.
 */
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { parseReplyLine, type ReplyLine, toOllamaMessages, toOllamaTools } from "./ollama-messages.ts";
import { toOllamaUrl } from "./ollama-url.ts";
import { modelFactsOf } from "../../choice/model-facts.ts";
import type { LanguageSource, OpenModelOptions } from "../language-source.ts";

const DEFAULT_CONTEXT_TOKENS = 4_096;
const MAX_CONTEXT_TOKENS = 131_072;
const MAX_LINE_CHARS = 16 * 1_024 * 1_024;
/** Tokens an answer may take by default. */
const ANSWER_TOKENS = 2_048;
/** Tokens of an answer that are loaded for, at most: a larger window costs memory, and most replies need less. */
const MAX_ANSWER_TOKENS = 8_192;

/** A model that Ollama serves. */
export function openOllama({ model, key, url, connection }: OpenModelOptions): LanguageSource {
  const endpoint = `${toOllamaUrl(url)}/api/chat`;
  return {
    async doStream(options) {
      const response = await connection.fetch(endpoint, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(toBody(model, options)),
        signal: options.abortSignal ?? null,
      });
      if (!response.ok || response.body === null) throw await toHttpError(response);
      const stream = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(toLines()).pipeThrough(toParts());
      return { stream };
    },
  };
}

function toBody(model: string, options: LanguageModelV4CallOptions): object {
  const { responseFormat, temperature, topP, maxOutputTokens } = options;
  const messages = toOllamaMessages(options.prompt);
  const tools = toOllamaTools(options.tools ?? []);
  const contextTokens = toContextTokens(JSON.stringify([messages, tools]).length, maxOutputTokens);
  return {
    model,
    stream: true,
    messages,
    ...(tools.length === 0 ? {} : { tools }),
    ...toThink(model, options.reasoning),
    ...(responseFormat?.type === "json" ? { format: responseFormat.schema ?? "json" } : {}),
    options: {
      ...(temperature === undefined ? {} : { temperature }),
      ...(topP === undefined ? {} : { top_p: topP }),
      ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
      ...(contextTokens === undefined ? {} : { num_ctx: contextTokens }),
    },
  };
}

/** Some models take a word, others only on or off. */
function toThink(
  model: string,
  effort: LanguageModelV4CallOptions["reasoning"],
): { readonly think?: boolean | string } {
  if (effort === undefined || effort === "provider-default") return {};
  if (effort === "none") return { think: false };
  return { think: modelFactsOf(`ollama/${model}`).reasoning === "level" ? effort : true };
}

/** Doubles, so that a growing conversation does not load the model anew at every turn. */
function toContextTokens(chars: number, answerTokens = ANSWER_TOKENS): number | undefined {
  const wanted = chars / 3 + Math.min(answerTokens, MAX_ANSWER_TOKENS);
  if (wanted <= DEFAULT_CONTEXT_TOKENS) return undefined;
  return Math.min(MAX_CONTEXT_TOKENS, 2 ** Math.ceil(Math.log2(wanted)));
}

async function toHttpError(response: Response): Promise<Error> {
  const responseBody = await response.text();
  const line = parseReplyLine(responseBody);
  const message = line?.error ?? response.statusText;
  return Object.assign(new Error(message), {
    statusCode: response.status,
    responseHeaders: Object.fromEntries(response.headers),
    responseBody,
  });
}

function toLines(): TransformStream<string, string> {
  let rest = "";
  return new TransformStream({
    transform(text, controller) {
      const lines = text.split("\n");
      lines[0] = rest + (lines[0] ?? "");
      rest = lines.pop() ?? "";
      if (rest.length > MAX_LINE_CHARS) throw malformed("a line without end");
      for (const line of lines) if (line.trim() !== "") controller.enqueue(line);
    },
    flush(controller) {
      if (rest.trim() !== "") controller.enqueue(rest);
    },
  });
}

function toParts(): TransformStream<string, LanguageModelV4StreamPart> {
  let calls = 0;
  return new TransformStream({
    transform(text, controller) {
      const line = parseReplyLine(text);
      if (line === undefined) throw malformed("a line that is not JSON");
      if (line.error !== undefined) throw new Error(line.error);
      if (line.thinking !== "") controller.enqueue({ type: "reasoning-delta", id: "thinking", delta: line.thinking });
      if (line.content !== "") controller.enqueue({ type: "text-delta", id: "content", delta: line.content });
      for (const { name, args } of line.calls) {
        calls += 1;
        controller.enqueue({ type: "tool-call", toolCallId: `ollama${calls}`, toolName: name, input: args });
      }
      if (line.done) controller.enqueue(toFinish(line));
    },
  });
}

function toFinish({ reason, inputTokens, outputTokens }: ReplyLine): LanguageModelV4StreamPart {
  const unified = reason === "length" ? "length" : reason === "stop" || reason === undefined ? "stop" : "other";
  return {
    type: "finish",
    finishReason: { unified, raw: reason },
    usage: {
      inputTokens: { total: inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: outputTokens, text: undefined, reasoning: undefined },
    },
  };
}

const malformed = (what: string): Error => Object.assign(new Error(what), { name: "AI_JSONParseError" });
