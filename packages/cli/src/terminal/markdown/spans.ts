/**
 * Spans: lines in several tones, broken at spaces as plain text is.
 */
import { type Line, type Span, toText } from "../styled-line.ts";
import { wrap } from "../paragraph.ts";

/** The lines of a long line, none wider than asked for. */
export function wrapLine(line: Line, width: number): readonly Line[] {
  const text = toText(line);
  const lines: Line[] = [];
  let at = 0;
  for (const part of wrap(text, Math.max(1, width))) {
    const trimmed = part.trimEnd();
    // A broken line begins with a word: only spaces are left out between two lines.
    while (lines.length > 0 && text.charAt(at) === " ") at += 1;
    lines.push(slice(line, at, at + trimmed.length));
    at += trimmed.length;
  }
  return lines;
}

function slice(line: Line, from: number, to: number): Line {
  const spans: Span[] = [];
  let start = 0;
  for (const { text, tone } of line) {
    const part = text.slice(Math.max(0, from - start), Math.max(0, to - start));
    if (part !== "") spans.push({ text: part, tone });
    start += text.length;
  }
  return spans;
}
