/**
 * Shell word: quotes text for a shell, in commands that users copy.
 */
import { toOneLine } from "./terminal/printable.ts";

/** The text, in quotes if it needs them: single quotes if it has characters that are special inside double quotes. */
export function toShellWord(word: string): string {
  const text = toOneLine(word);
  if (/^[\p{L}\p{N}_./~:@=-]+$/u.test(text)) return text;
  return /["$`\\!]/.test(text) ? toQuotedWord(text) : `"${text}"`;
}

/** The text in single quotes, for JSON. */
export function toQuotedWord(word: string): string {
  return `'${toOneLine(word).replaceAll("'", "'\\''")}'`;
}
