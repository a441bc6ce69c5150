/**
 * Injection: whether a text has a phrase that gives orders to a model instead of saying something about the user.
 *
 * A written list of phrases in English and Vietnamese; `*` is up to three words. Texts that are remembered are quoted as
 * data in any case: this keeps the plainest of them out.
 */
import { ALTERNATIVES, entriesOf } from "./refused-words.ts";

const WORD = /[\p{L}\p{N}]+/gu;
const MAX_BETWEEN = 3;

const PHRASES: readonly (readonly string[])[] = entriesOf("order").map((line) => line.split(" "));

/** Marks that models read as the beginning of another speaker's words. */
const MARKUP = entriesOf("markup");
const SPEAKERS = entriesOf("speaker");

/** Whether the text gives orders; `folded` is without marks and in lower case. */
export function hasInjection(folded: string): boolean {
  if (MARKUP.some((mark) => folded.includes(mark)) || folded.split("\n").some(isLabelled)) return true;
  const words = folded.match(WORD) ?? [];
  return words.some((_, at) => PHRASES.some((phrase) => isPhraseAt(words, at, phrase)));
}

function isPhraseAt(words: readonly string[], at: number, [first, ...rest]: readonly string[]): boolean {
  if (first === undefined) return true;
  if (first !== "*") {
    const word = words[at] ?? "";
    return (ALTERNATIVES.get(first) ?? [first]).includes(word) && isPhraseAt(words, at + 1, rest);
  }
  for (let skipped = 0; skipped <= MAX_BETWEEN; skipped += 1) {
    if (isPhraseAt(words, at + skipped, rest)) return true;
  }
  return false;
}

/** A line that begins like a turn of a conversation: `system: …`. */
const isLabelled = (line: string): boolean =>
  line.includes(":") && SPEAKERS.includes(line.slice(0, 24).split(":", 1)[0]?.trim() ?? "");
