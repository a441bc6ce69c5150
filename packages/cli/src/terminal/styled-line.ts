/**
 * Styled line: one line of output as spans of text, each with a tone.
 *
 * Lines are data and are coloured last, so widths are exact and tests compare plain text.
 */
import { cutToWidth, displayWidth } from "./width.ts";

/** The meaning of a text, not its colour; `agent-…` tones differ by agent. */
export type Tone = "plain" | "dim" | "strong" | "good" | "bad" | "warn" | MarkupTone | AgentTone;

/** Tones of rendered Markdown. */
type MarkupTone = "italic" | "code" | "link" | "strike";

/** The colour of an agent, for text or for a block. */
export type AgentTone = `${"agent" | "title" | "chip"}-${number}`;

export interface StyledText {
  readonly text: string;
  readonly tone: Tone;
}

export type Line = readonly StyledText[];

/** A line with nothing on it. */
export const BLANK: Line = styleLine();

/** Builds a line from texts, each with an optional tone. */
export function styleLine(...pieces: readonly (string | readonly [text: string, tone: Tone])[]): Line {
  return pieces.map((piece) =>
    typeof piece === "string" ? { text: piece, tone: "plain" } : { text: piece[0], tone: piece[1] },
  );
}

/** The text of a line. */
export function plainText(line: Line): string {
  return line.map(({ text }) => text).join("");
}

/** The line, truncated to a width. */
export function cutLine(line: Line, width: number): Line {
  if (width === Infinity) return line;
  const spans: StyledText[] = [];
  let left = width;
  for (const span of line) {
    const text = cutToWidth(span.text, left);
    spans.push({ ...span, text });
    if (text !== span.text) break;
    left -= displayWidth(text);
  }
  return spans;
}
