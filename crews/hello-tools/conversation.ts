/**
 * Conversation: counting, searching and summing up the messages of a run.
 *
 * Pure functions over a list of messages; what was said is found by plain text, without regard to case.
 */
import type { Message } from "@baton/core";

/** The fields by which messages are counted. */
export const FILTERS = ["role", "agent", "content"] as const;

type Filter = (typeof FILTERS)[number];

/** A message that was found: where it stands, whose it is, and the words around the find. */
interface Hit {
  readonly position: number;
  readonly from: string;
  readonly excerpt: string;
}

const EXCERPT_CHARS = 120;

const from = (message: Message): string =>
  message.role === "assistant" ? (message.agent ?? "assistant") : message.role;

/** Counts messages, in all and of each role. */
export function countByRole(messages: readonly Message[]) {
  const of = (role: Message["role"]) => messages.filter((message) => message.role === role).length;
  return { total: messages.length, user: of("user"), assistant: of("assistant"), tool: of("tool") };
}

/** Counts the messages that match a filter. */
export function countBy(messages: readonly Message[], filter: Filter, value: string): number {
  const wanted = value.toLowerCase();
  const fits = (message: Message): boolean => {
    switch (filter) {
      case "role":
        return message.role === wanted;
      case "agent":
        return message.role === "assistant" && message.agent?.toLowerCase() === wanted;
      case "content":
        return message.content.toLowerCase().includes(wanted);
    }
  };
  return messages.filter(fits).length;
}

/** The newest messages that contain the text, newest first. */
export function search(messages: readonly Message[], query: string, limit: number): readonly Hit[] {
  const wanted = query.toLowerCase();
  const hits = messages.flatMap((message, index): readonly Hit[] => {
    const at = message.content.toLowerCase().indexOf(wanted);
    if (at < 0) return [];
    return [{ position: index + 1, from: from(message), excerpt: excerpt(message.content, at) }];
  });
  return hits.toReversed().slice(0, limit);
}

/** Summarises a conversation: participants, counts, and the first and last questions. */
export function summarise(messages: readonly Message[]) {
  const said = messages.filter((message) => message.role !== "tool" && message.content !== "");
  const questions = said.filter((message) => message.role === "user").map((message) => excerpt(message.content, 0));
  return {
    ...countByRole(messages),
    participants: [...new Set(said.map(from))],
    first_question: questions[0] ?? null,
    last_questions: questions.slice(-3),
    tools_used: [...new Set(messages.flatMap((message) => (message.role === "tool" ? [message.tool] : [])))],
  };
}

function excerpt(content: string, at: number): string {
  const begin = Math.max(0, at - EXCERPT_CHARS / 4);
  const end = begin + EXCERPT_CHARS;
  const cut = content.slice(begin, end).toWellFormed();
  return `${begin > 0 ? "… " : ""}${cut}${end < content.length ? " …" : ""}`;
}
