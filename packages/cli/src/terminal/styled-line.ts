/**
 * Line: one line of output as pieces of text, each in a tone, and what is done with lines.
 *
 * What is shown is laid out as data and coloured last, so that widths are right and tests read plain text.
 */
import { cutText, widthOf } from "./width.ts";

/** What a piece of text is, not which colour it has; `agent-…` are the colours agents are told apart by. */
export type Tone = "plain" | "dim" | "strong" | "good" | "bad" | "warn" | TextTone | AgentTone;

/** Of text that an agent has marked up. */
type TextTone = "italic" | "code" | "link" | "strike";

/** One of the colours of agents, as text or as a chip. */
export type AgentTone = `${"agent" | "title" | "chip"}-${number}`;

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

export type Line = readonly Span[];

/** A line with nothing on it. */
export const BLANK: Line = toLine();

/** Pieces of text, or of text in the given tone. */
export function toLine(...pieces: readonly (string | readonly [text: string, tone: Tone])[]): Line {
  return pieces.map((piece) =>
    typeof piece === "string" ? { text: piece, tone: "plain" } : { text: piece[0], tone: piece[1] },
  );
}

/** The line without its tones. */
export function toText(line: Line): string {
  return line.map(({ text }) => text).join("");
}

/** The line, cut to fit. */
export function cutLine(line: Line, width: number): Line {
  if (width === Infinity) return line;
  const spans: Span[] = [];
  let left = width;
  for (const span of line) {
    const text = cutText(span.text, left);
    spans.push({ ...span, text });
    if (text !== span.text) break;
    left -= widthOf(text);
  }
  return spans;
}
