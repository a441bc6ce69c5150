/**
 * Shell word: a path or an input as it can be typed into a shell, which reads it as nothing but text.
 */
import { toOneLine } from "./terminal/printable.ts";

/** The text, in quotes if it needs them; in single quotes if a shell would read something in it within double ones. */
export function toShellWord(word: string): string {
  const text = toOneLine(word);
  if (/^[\p{L}\p{N}_./~:@=-]+$/u.test(text)) return text;
  return /["$`\\!]/.test(text) ? toQuotedWord(text) : `"${text}"`;
}

/** The text in single quotes, within which a shell reads nothing: a place for JSON. */
export function toQuotedWord(word: string): string {
  return `'${toOneLine(word).replaceAll("'", "'\\''")}'`;
}
