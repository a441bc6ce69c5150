/**
 * Strip links: an answer without addresses, which only the list of sources gives.
 */
import type { AnswerText } from "./grounding.ts";
import { findLinks } from "./link.ts";
import type { FigureSpan } from "./reference-stream.ts";

/** Stands where an address was. */
const LEFT_OUT_LINK = "(…)";

type Place = Readonly<{ start: number; end: number }>;

/** The answer without addresses; the same object if it has none. */
export function stripLinks(answer: AnswerText): AnswerText {
  const links = findLinks(answer.text);
  if (links.length === 0) return answer;
  let text = "";
  let from = 0;
  for (const { start, end } of links) {
    text += answer.text.slice(from, start) + LEFT_OUT_LINK;
    from = end;
  }
  return {
    text: text + answer.text.slice(from),
    spans: answer.spans.flatMap((span) => move(span, links)),
    missing: answer.missing.flatMap((span) => move(span, links)),
  };
}

/** The position of a value after the changes; none if it was part of one. */
function move(span: FigureSpan, links: readonly Place[]): readonly FigureSpan[] {
  if (links.some(({ start, end }) => span.start < end && start < span.end)) return [];
  const by = links
    .filter(({ end }) => end <= span.start)
    .reduce((sum, { start, end }) => sum + LEFT_OUT_LINK.length - (end - start), 0);
  return [{ ...span, start: span.start + by, end: span.end + by }];
}
