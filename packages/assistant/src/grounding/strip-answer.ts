/**
 * Left out: an answer without what only strangers' text says: numbers that no fact backs and that a quoted text has, and
 * links. What is removed is still reported as unverified.
 */
import type { AnswerLanguage } from "./fact-format.ts";
import type { AnswerText, Unverified } from "./grounding.ts";
import { findLinks } from "./link.ts";
import type { FigureSpan } from "./reference-stream.ts";

/** A replacement for a piece of text. */
const NUMBER: Readonly<Record<AnswerLanguage, string>> = { en: "(unknown)", vi: "(không rõ)" };
const LINK: Readonly<Record<AnswerLanguage, string>> = { en: "(link left out)", vi: "(đã bỏ liên kết)" };

const DIGITS = /\p{Nd}[\p{Nd}.,]*/gu;

/** The numbers of texts, as digits alone. */
export function digitsIn(texts: readonly string[]): ReadonlySet<string> {
  const all = texts.flatMap((text) => text.normalize("NFKC").match(DIGITS) ?? []);
  return new Set(all.map(toDigits));
}

/** Numbers without a fact that quoted texts have. */
export function findQuotedOnly(unverified: readonly Unverified[], quoted: ReadonlySet<string>): readonly Unverified[] {
  return unverified.filter(({ text }) => {
    const digits = toDigits(text);
    return digits !== "" && !text.startsWith("{") && quoted.has(digits);
  });
}

const toDigits = (text: string): string => text.normalize("NFKC").replaceAll(/\P{Nd}+/gu, "");

type Change = Readonly<{ start: number; end: number; by: string }>;

/** The answer without these numbers, and without links. */
export function stripAnswer(answer: AnswerText, strange: readonly Unverified[], language: AnswerLanguage): AnswerText {
  const links = findLinks(answer.text).map(({ start, end }): Change => ({ start, end, by: LINK[language] }));
  const numbers = strange
    .map(({ text, at }): Change => ({ start: at, end: at + text.length, by: NUMBER[language] }))
    .filter(({ start, end }) => !links.some((link) => start < link.end && link.start < end));
  const changes = [...links, ...numbers].toSorted((one, other) => one.start - other.start);
  let text = "";
  let from = 0;
  for (const { start, end, by } of changes) {
    text += answer.text.slice(from, start) + by;
    from = end;
  }
  return {
    text: text + answer.text.slice(from),
    spans: answer.spans.flatMap((span) => move(span, changes)),
    missing: answer.missing.flatMap((span) => move(span, changes)),
  };
}

/** The position of a value after the changes; undefined if it was part of one. */
function move(span: FigureSpan, changes: readonly Change[]): readonly FigureSpan[] {
  if (changes.some(({ start, end }) => span.start < end && start < span.end)) return [];
  const before = changes.filter(({ end }) => end <= span.start);
  const by = before.reduce((sum, change) => sum + change.by.length - (change.end - change.start), 0);
  return [{ ...span, start: span.start + by, end: span.end + by }];
}
