/**
 * Redact: a message as it may be kept: sentences that hold a secret or give orders are left out, with a note.
 */
import { refuseMemory } from "./refuse-memory.ts";

/** The longest text that is kept of a message, in characters. */
const MAX_CHARS = 8_000;
const SENTENCE = /[^.!?\n]*[.!?\n]*/g;

/** The text without what must not be remembered. */
export function redact(text: string): string {
  const kept = cut(text);
  if (refuseMemory(kept) === undefined) return kept;
  const parts = (kept.match(SENTENCE) ?? []).map((part) => {
    const why = refuseMemory(part);
    return why === undefined ? part : `${part.slice(0, part.length - part.trimStart().length)}[left out: ${why}]`;
  });
  const redacted = parts.join("").trim();
  const why = refuseMemory(redacted);
  return why === undefined ? redacted : `[left out: ${why}]`;
}

function cut(text: string): string {
  if (text.length <= MAX_CHARS) return text;
  const chars = Array.from(text.slice(0, MAX_CHARS + 1)).slice(0, MAX_CHARS);
  return `${chars.join("")}…`;
}
