/**
 * Shell word: a path or an input as it can be typed into a shell, which reads it as nothing but text.
 */
import { toOneLine } from "./printable.ts";

/** The text, in quotes if it needs them; in single quotes if a shell would read something in it within double ones. */
export function toShellWord(word: string): string {
  const text = toOneLine(word);
  if (/^[\p{L}\p{N}_./~:@=-]+$/u.test(text)) return text;
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
