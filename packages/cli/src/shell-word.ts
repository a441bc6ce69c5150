/**
 * Shell word: a path as it can be typed into a shell again.
 */
import { toOneLine } from "./printable.ts";

/** The path, in quotes where it needs them. */
export function toShellWord(path: string): string {
  const text = toOneLine(path);
  return /^[\p{L}\p{N}_./~:@=-]+$/u.test(text) ? text : `"${text}"`;
}
