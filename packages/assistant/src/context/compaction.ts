/**
 * Compaction: what an agent writes about a long conversation becomes the state `summary`.
 *
 * Agents after it show the summary and only their newest messages; a note says how many tokens that saves.
 */
import type { Chunk, Model, Prompt } from "@baton/core";
import { toBlock, tokensOf } from "./assemble.ts";
import { sumTokens } from "./context-program.ts";

/** Options of a summary. */
export interface CompactionOptions {
  /** The number of messages that stay as they are. */
  readonly keep: number;
  /** The longest summary, in tokens; the rest is dropped. */
  readonly maxTokens: number;
  readonly tag: string;
}

const CHARS_PER_TOKEN = 4;

/** The model, whose reply is kept as the summary. */
export function withSummary(model: Model, options: CompactionOptions): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      let text = "";
      for await (const chunks of model.stream(prompt, scope)) {
        text = chunks.reduce((sum, chunk) => (chunk.type === "restart" ? "" : sum + textOf(chunk)), text);
        yield chunks.flatMap((chunk) => (chunk.type === "end" ? toEnd(chunk, text, { prompt, options }) : [chunk]));
      }
    },
  };
}

const textOf = (chunk: Chunk): string => (chunk.type === "text" ? chunk.text : "");

type End = Extract<Chunk, { type: "end" }>;
type Compacted = Readonly<{ prompt: Prompt; options: CompactionOptions }>;

function toEnd(end: End, text: string, { prompt, options }: Compacted): readonly Chunk[] {
  const { messages } = prompt;
  const { keep, maxTokens, tag } = options;
  if (end.finish === "calls" || text.trim() === "") return [end];
  const summary = Array.from(text.trim())
    .slice(0, maxTokens * CHARS_PER_TOKEN)
    .join("");
  const block = toBlock(tag, summary);
  const before = sumTokens(messages);
  const after = tokensOf(block) + sumTokens(messages.slice(-keep));
  const data = { tokens_before: before, tokens_after: Math.min(before, after) };
  return [
    { type: "note", kind: "compaction", data },
    { ...end, set: { ...end.set, summary: block } },
  ];
}
