/**
 * Split quotes: a message of the checker, with what it quotes in backticks apart from its words.
 */

/** A part of a message. */
export interface QuotedPart {
  readonly text: string;
  readonly isCode: boolean;
}

/** The parts in order; a backtick without a second one is itself. */
export function splitQuotes(message: string): readonly QuotedPart[] {
  const pieces = message.split("`");
  const isEven = pieces.length % 2 === 0;
  const whole = isEven ? [...pieces.slice(0, -2), pieces.slice(-2).join("`")] : pieces;
  return whole.map((text, index) => ({ text, isCode: index % 2 === 1 })).filter(({ text }) => text !== "");
}
