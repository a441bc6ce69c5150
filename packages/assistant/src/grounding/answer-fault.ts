/**
 * Answer fault: what is wrong with an answer beside its numbers: another language than that of the question, and links,
 * which only sources give.
 *
 * A text with few words that tell is not judged: a table of symbols has no language.
 */
import { countLanguageWords } from "./answer-language.ts";
import type { AnswerLanguage } from "./fact-format.ts";
import { findLinks } from "./link.ts";

const MIN_WORDS = 6;
/** Names and quoted titles of another language may be part of an answer. */
const MIN_OWN_SHARE = 0.4;
const NAMES: Readonly<Record<AnswerLanguage, string>> = { en: "English", vi: "Vietnamese" };

/** Returns the faults, each in words for a person and for the model. */
export function findAnswerFaults(text: string, language: AnswerLanguage): readonly string[] {
  const words = countLanguageWords(text);
  const all = words.en + words.vi;
  const isOther = all >= MIN_WORDS && words[language] / all < MIN_OWN_SHARE;
  const links = firstLinks(text);
  return [
    ...(isOther ? [`the answer is not in ${NAMES[language]}`] : []),
    ...(links.length === 0 ? [] : [`the answer has links, which only sources may give: ${links.join(", ")}`]),
  ];
}

const MAX_LINKS = 3;
const MAX_CHARS = 200;

/** The first links of a text. */
function firstLinks(text: string): readonly string[] {
  return findLinks(text)
    .slice(0, MAX_LINKS)
    .map(({ start, end }) => text.slice(start, Math.min(end, start + MAX_CHARS)));
}
