/**
 * Unclear: what is said if the rules do not know what is asked: the three nearest things that could be.
 */
import { toList } from "./words/markdown.ts";
import { toName, toNames } from "./section.ts";
import { toSuggestions } from "./words/suggestions.ts";
import type { View } from "./view.ts";

const TEXT = {
  en: {
    unclear: (names: string) => `I did not understand what you want to know${names === "" ? "" : ` about ${names}`}.`,
    can: "I can answer, for example:",
    off: (names: string) =>
      `Tools are switched off, so there are no figures${names === "" ? "" : ` for ${names}`}; turn on \`enable_tools\` to look them up.`,
  },
  vi: {
    unclear: (names: string) => `Tôi chưa hiểu bạn muốn biết điều gì${names === "" ? "" : ` về ${names}`}.`,
    can: "Tôi có thể trả lời, ví dụ:",
    off: (names: string) =>
      `Công cụ đang tắt nên không có số liệu${names === "" ? "" : ` của ${names}`}; hãy bật \`enable_tools\` để tra cứu.`,
  },
} as const;

/** Says so, and offers three questions. */
export function toUnclear(view: View): readonly string[] {
  const words = TEXT[view.language];
  const symbols = view.intent?.validated_symbols ?? [];
  const [only = ""] = symbols;
  const names = symbols.length === 1 ? toName(view, only) : toNames(view, symbols);
  const offers = toSuggestions({ language: view.language, symbols });
  if (!view.hasTools) return [words.off(names)];
  return [words.unclear(names), `${words.can}\n\n${toList(offers)}`];
}
