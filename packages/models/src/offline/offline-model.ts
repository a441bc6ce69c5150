/**
 * Offline: the model that follows rules, for when there is no provider.
 *
 * The same prompt always gets the same reply. Rules of the host are tried first; then its own, which fill a schema,
 * pass on what tools said, use a tool that fits, and write a signal of the system text if the words match.
 * Every text says what it is.
 */
import type { Chunk, Json, Model, Prompt } from "@baton/core";
import { DEFAULT_RULES } from "./offline-rules.ts";

/** The reply of a rule. */
export interface OfflineReply {
  readonly say?: string;
  readonly calls?: readonly { readonly tool: string; readonly args: Json }[];
  /** The whole reply as data, if the prompt asks for that. */
  readonly output?: Json;
}

/** A reply to the prompt, or undefined if the rule does not apply. */
export type OfflineRule = (prompt: Prompt) => OfflineReply | undefined;

const LABEL = "(Offline: written by rules, not by a language model.)";

/** A model that follows rules. */
export function offlineModel(rules: readonly OfflineRule[] = []): Model {
  const all = [...rules, ...DEFAULT_RULES];
  return {
    name: "offline",
    async *stream(prompt): AsyncGenerator<readonly Chunk[]> {
      const reply = all.reduce<OfflineReply | undefined>((found, rule) => found ?? rule(prompt), undefined) ?? {};
      const chunks = toChunks(reply);
      for (const chunk of chunks) yield [chunk];
      yield [toEnd(prompt, chunks)];
    },
  };
}

function toChunks({ say, calls = [], output }: OfflineReply): readonly Chunk[] {
  const asked = calls.map(({ tool, args }): Chunk => ({ type: "call", tool, args: JSON.stringify(args) }));
  if (output !== undefined) {
    return [{ type: "warning", text: LABEL }, { type: "text", text: JSON.stringify(output) }, ...asked];
  }
  const text = say === undefined && asked.length > 0 ? "" : `${LABEL}\n\n${say ?? ""}`;
  const words = text.split(" ").map((word, index): Chunk => ({ type: "text", text: index === 0 ? word : ` ${word}` }));
  return [...(text === "" ? [] : words), ...asked];
}

const CHARS_PER_TOKEN = 4;

function toEnd(prompt: Prompt, chunks: readonly Chunk[]): Chunk {
  const read = prompt.messages.reduce((sum, { content }) => sum + content.length, prompt.system.length);
  const written = chunks.reduce((sum, chunk) => sum + (chunk.type === "text" ? chunk.text.length : 0), 0);
  const usage = {
    inputTokens: Math.ceil(read / CHARS_PER_TOKEN),
    outputTokens: Math.ceil(written / CHARS_PER_TOKEN),
  };
  return { type: "end", finish: chunks.some(({ type }) => type === "call") ? "calls" : "stop", usage };
}
