/**
 * Clarify: asks what is meant: which of several listings, or which listing at all.
 */
import type { Intent } from "../intent/intent.ts";
import { toList, toPlainText } from "./words/markdown.ts";
import { toNames } from "./section.ts";
import type { View } from "./view.ts";

const TEXT = {
  en: {
    several: (text: string) => `"${text}" can mean:`,
    which: "Which one do you mean?",
    many: (names: string) => `Your question can be about ${names}. Which of them do you mean?`,
    unknown: (text: string) => `I know no listing called "${text}".`,
    name: "Which company, coin or index do you mean? Please give its name or symbol.",
  },
  vi: {
    several: (text: string) => `"${text}" có thể là:`,
    which: "Bạn muốn hỏi mã nào?",
    many: (names: string) => `Câu hỏi có thể nói về ${names}. Bạn muốn hỏi mã nào?`,
    unknown: (text: string) => `Tôi không biết mã hay công ty nào tên "${text}".`,
    name: "Bạn muốn hỏi công ty, đồng tiền hay chỉ số nào? Hãy cho biết tên hoặc mã.",
  },
} as const;

/** The question back to the user. */
export function writeClarification(view: View): string {
  const { intent, language } = view;
  const words = TEXT[language];
  const unclear = (intent?.ambiguous ?? []).filter(({ candidates }) => candidates.length > 1);
  if (unclear.length > 0) {
    const lists = unclear.map(
      ({ text, candidates }) => `${words.several(toPlainText(text))}\n\n${toCandidates(candidates)}`,
    );
    return [...lists, words.which].join("\n\n");
  }
  const symbols = intent?.validated_symbols ?? [];
  if (symbols.length > 1) return words.many(toNames(view, symbols));
  const [unknown] = symbols.length === 0 ? (intent?.raw_symbols ?? []) : [];
  return unknown === undefined ? words.name : `${words.unknown(toPlainText(unknown))} ${words.name}`;
}

function toCandidates(candidates: Intent["listings"]): string {
  return toList(candidates.map(({ symbol, name, exchange }) => toPlainText(`${symbol}: ${name}, ${exchange}`)));
}
