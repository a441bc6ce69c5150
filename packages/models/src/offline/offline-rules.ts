/**
 * Offline rules: what the offline model does for any crew, without knowing it.
 *
 * Each looks at the prompt alone. Words match if they are the same without regard to case; nothing is
 * random.
 */
import type { Json, Message, Prompt } from "@baton/core";
import type { ToolSpec } from "@baton/core/ports";
import { isJsonArray, isJsonObject } from "../json.ts";
import { findSignals, wordsOf } from "./offline-words.ts";
import { sampleOf } from "./schema-sample.ts";

interface Reply {
  readonly say?: string;
  readonly calls?: readonly { readonly tool: string; readonly args: Json }[];
  readonly output?: Json;
}

/** Tried in this order; the last always applies. */
export const DEFAULT_RULES: readonly ((prompt: Prompt) => Reply | undefined)[] = [
  fillSchema,
  passOnResults,
  useTool,
  answer,
];

/** The smallest value that fits the schema. */
function fillSchema({ outputSchema, messages }: Prompt): Reply | undefined {
  if (outputSchema === undefined) return undefined;
  return { output: sampleOf(outputSchema, lastHeard(messages)) };
}

const MAX_RESULT_CHARS = 500;

function passOnResults(prompt: Prompt): Reply | undefined {
  const results: string[] = [];
  for (const message of prompt.messages.toReversed()) {
    if (message.role !== "tool") break;
    results.unshift(`- ${message.tool}${message.failed === true ? " failed" : ""}: ${shorten(message.content)}`);
  }
  if (results.length === 0) return undefined;
  return { say: withSignal(prompt, `What the tools say:\n${results.join("\n")}`) };
}

/** A tool whose name or description shares a word with what was asked, if it can be called with nothing made up. */
function useTool({ tools, messages }: Prompt): Reply | undefined {
  if (messages.at(-1)?.role !== "user") return undefined;
  const asked = wordsOf(lastHeard(messages));
  let best: { readonly tool: ToolSpec; readonly score: number } | undefined;
  for (const tool of tools) {
    if (!needsNothing(tool.inputSchema)) continue;
    const known = wordsOf(`${tool.name} ${tool.description}`);
    const score = [...asked].filter((word) => known.has(word)).length;
    if (score > (best?.score ?? 0)) best = { tool, score };
  }
  return best === undefined ? undefined : { calls: [{ tool: best.tool.name, args: {} }] };
}

function answer(prompt: Prompt): Reply {
  const heard = shorten(lastHeard(prompt.messages));
  const tools = prompt.tools.length === 0 ? "" : ` My tools are ${prompt.tools.map(({ name }) => name).join(", ")}.`;
  return { say: withSignal(prompt, `I am "${prompt.agent}" and was asked: ${heard}${tools}`) };
}

/** The text, ended by the documented signal that shares most words with what was heard. */
function withSignal({ system, messages }: Prompt, text: string): string {
  const heard = wordsOf(`${lastHeard(messages)} ${messages.at(-1)?.content ?? ""}`);
  let best: { readonly signal: string; readonly score: number } | undefined;
  for (const { signal, description } of findSignals(system)) {
    const words = wordsOf(`${signal} ${description}`);
    const score = [...words].filter((word) => heard.has(word)).length;
    if (score > (best?.score ?? 0)) best = { signal, score };
  }
  return best === undefined ? text : `${text}\n\n${best.signal}`;
}

function lastHeard(messages: readonly Message[]): string {
  return messages.findLast(({ role }) => role === "user")?.content ?? "";
}

function needsNothing(schema: Json): boolean {
  const required = isJsonObject(schema) ? schema["required"] : undefined;
  return !isJsonArray(required) || required.length === 0;
}

function shorten(text: string): string {
  return text.length <= MAX_RESULT_CHARS ? text : `${text.slice(0, MAX_RESULT_CHARS).toWellFormed()}…`;
}
