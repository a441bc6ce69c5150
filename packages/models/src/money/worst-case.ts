/**
 * Worst case: the most that a call may cost, computed before the call.
 *
 * The prompt is counted by the model if it can, else estimated on the high side: by a third more than core does, and
 * by bytes if a character has more than one, because tokens follow bytes in most scripts. A call writes at most its
 * `maxTokens`.
 */
import type { Message, Model, Prompt } from "@baton/core";
import { estimateTokens } from "@baton/core/util";

const BYTES_PER_TOKEN = 3;
const MARGIN = 4 / BYTES_PER_TOKEN;

/** The tokens a model is given to read, at most. */
export function toPromptTokens({ system, messages, tools, outputSchema }: Prompt, model: Model): number {
  const count = model.countTokens ?? countTokens;
  const more = [system, ...(tools.length === 0 ? [] : [JSON.stringify(tools)]), JSON.stringify(outputSchema) ?? ""];
  const tokens = messages.reduce((sum, message) => sum + count(message), 0);
  return more.reduce((sum, text) => sum + Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN), tokens);
}

/** The tokens of so much text that was written; on the high side, too. */
export function toTextTokens(chars: number): number {
  return Math.ceil(chars / BYTES_PER_TOKEN);
}

function countTokens(message: Message): number {
  const { content } = message;
  const moreBytes = Buffer.byteLength(content) - content.length;
  return Math.ceil(estimateTokens(message) * MARGIN + moreBytes / BYTES_PER_TOKEN);
}
