/**
 * Compactor: what a long conversation was about, by rules: the task, what was asked before, and the symbols.
 */
import type { Message } from "@baton/core";
import { findMentions } from "../market/directory/mention.ts";
import type { IndexedDirectory } from "../market/directory/directory.ts";
import { detectLanguage } from "../intent/language.ts";
import { isQuestion } from "./conversation.ts";

const HEADS = {
  en: { task: "Task", done: "Done", symbols: "Symbols", next: "Next", answer: "answer the task from the data" },
  vi: { task: "Nhiệm vụ", done: "Đã làm", symbols: "Mã", next: "Tiếp theo", answer: "trả lời nhiệm vụ từ dữ liệu" },
} as const;

const MAX_QUESTIONS = 30;
const MAX_CHARS = 200;

/** The summary of a conversation; text of users in it is data. */
export function summarise(messages: readonly Message[], directory: IndexedDirectory): string {
  const asked = messages.filter(isQuestion).map(({ content }) => toLine(content));
  const task = asked.at(-1) ?? "";
  const heads = HEADS[detectLanguage(task)];
  const before = [...new Set(asked.slice(0, -1))].slice(-MAX_QUESTIONS);
  const symbols = new Set(asked.slice(-MAX_QUESTIONS).flatMap((text) => symbolsIn(directory, text)));
  return [
    `${heads.task}: ${task}`,
    `${heads.done}: ${before.length === 0 ? "–" : before.join(" · ")}`,
    `${heads.next}: ${heads.answer}`,
    `${heads.symbols}: ${[...symbols].join(", ") || "–"}`,
  ].join("\n");
}

const toLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= MAX_CHARS ? line : `${line.slice(0, MAX_CHARS - 1)}…`;
};

function symbolsIn(directory: IndexedDirectory, text: string): readonly string[] {
  return findMentions(directory, text).flatMap(({ listing }) => (listing === undefined ? [] : [listing.symbol]));
}
