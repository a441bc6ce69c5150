/**
 * Message pieces: a conversation in parts that a model can read one after the other.
 */
import type { Message } from "@baton/core";
import { estimateTokens } from "@baton/core/util";

const CHARS_PER_TOKEN = 4;

/** Splits messages into lists of at most so many tokens; one that is longer is split itself, and nothing is lost. */
export function toPieces(messages: readonly Message[], maxTokens: number): readonly (readonly Message[])[] {
  const pieces: Message[][] = [];
  let left = 0;
  for (const message of messages.flatMap((one) => split(toPlain(one), maxTokens))) {
    const tokens = estimateTokens(message);
    if (tokens > left || pieces.length === 0) {
      pieces.push([]);
      left = maxTokens;
    }
    pieces.at(-1)?.push(message);
    left -= tokens;
  }
  return pieces;
}

/** Calls and results as text: a piece may end between them. */
function toPlain(message: Message): Message {
  if (message.role === "tool") return { role: "assistant", content: `${message.tool} → ${message.content}` };
  if (message.role !== "assistant") return message;
  const calls = (message.calls ?? []).map(({ tool, args }) => `${tool}(${JSON.stringify(args)})`);
  return { role: "assistant", content: [message.content, ...calls].join("\n") };
}

function split(message: Message, maxTokens: number): readonly Message[] {
  if (estimateTokens(message) <= maxTokens) return [message];
  const size = Math.max(1, Math.floor(maxTokens / 2)) * CHARS_PER_TOKEN;
  const { role, content } = message;
  const parts: Message[] = [];
  for (let at = 0; at < content.length; at += size) {
    const part = content.slice(at, at + size);
    parts.push(role === "user" && at === 0 ? { ...message, content: part } : withContent(message, part));
  }
  return parts;
}

const withContent = (message: Message, content: string): Message =>
  message.role === "user" ? { role: "user", content } : { role: "assistant", content };
