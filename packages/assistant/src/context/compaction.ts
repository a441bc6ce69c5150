/**
 * Compaction: what an agent writes about a long conversation becomes the state `summary`.
 *
 * Agents after it show the summary and only their newest messages; a note says how many tokens that saves.
 */
import type { Message, Model } from "@baton/core";
import { estimateTokens } from "@baton/core/util";
import { assistantState } from "../run-state.ts";
import { toBlock, tokensOf } from "./assemble.ts";

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
export function withSummary(model: Model, { keep, maxTokens, tag }: CompactionOptions): Model {
  return {
    ...model,
    async *stream(prompt, scope) {
      let text = "";
      for await (const chunks of model.stream(prompt, scope)) {
        for (const chunk of chunks) {
          if (chunk.type === "restart") text = "";
          if (chunk.type === "text") text += chunk.text;
        }
        const end = chunks.find((chunk) => chunk.type === "end");
        if (end === undefined || text.trim() === "") {
          yield chunks;
          continue;
        }
        const summary = toBlock(
          tag,
          Array.from(text.trim())
            .slice(0, maxTokens * CHARS_PER_TOKEN)
            .join(""),
        );
        const before = sumTokens(prompt.messages);
        const after = Math.min(before, tokensOf(summary) + sumTokens(prompt.messages.slice(-keep)));
        yield [
          ...chunks.filter((chunk) => chunk !== end),
          { type: "note", kind: "compaction", data: { tokens_before: before, tokens_after: after } },
          { ...end, set: { ...end.set, ...assistantState.toSet({ summary }) } },
        ];
      }
    },
  };
}

/** About how many tokens a conversation has. */
export function sumTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}
