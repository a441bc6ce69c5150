/**
 * Answer fault: what is wrong with an answer beside its numbers: another language than that of the question, and links,
 * which only sources give.
 *
 * A text with few words that tell is not judged: a table of symbols has no language.
 */
import { countLanguageWords } from "./answer-language.ts";
import type { AnswerLanguage } from "./fact-format.ts";

const MIN_WORDS = 6;
/** Names and quoted titles of another language may be part of an answer. */
const MIN_OWN_SHARE = 0.4;
const NAMES: Readonly<Record<AnswerLanguage, string>> = { en: "English", vi: "Vietnamese" };
const SCHEMES = ["http://", "https://", "www."];

/** What is wrong, each in words for a person and for the model. */
export function findAnswerFaults(text: string, language: AnswerLanguage): readonly string[] {
  const words = countLanguageWords(text);
  const all = words.en + words.vi;
  const isOther = all >= MIN_WORDS && words[language] / all < MIN_OWN_SHARE;
  const links = findLinks(text);
  return [
    ...(isOther ? [`the answer is not in ${NAMES[language]}`] : []),
    ...(links.length === 0 ? [] : [`the answer has links, which only sources may give: ${links.join(", ")}`]),
  ];
}

const MAX_LINKS = 3;
const MAX_CHARS = 200;

/** The first links of a text. */
function findLinks(text: string): readonly string[] {
  const lower = text.toLowerCase();
  const links: string[] = [];
  for (let at = nextLink(lower, 0); at !== -1 && links.length < MAX_LINKS; at = nextLink(lower, at + 1)) {
    const [link = ""] = text.slice(at, at + MAX_CHARS).split(/[\s)\]"'<>]/, 1);
    links.push(link);
    at += link.length;
  }
  return links;
}

function nextLink(lower: string, from: number): number {
  const places = SCHEMES.map((scheme) => lower.indexOf(scheme, from)).filter((at) => at !== -1);
  return places.length === 0 ? -1 : Math.min(...places);
}
