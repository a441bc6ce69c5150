/**
 * Offline words: what rules compare by, and the signals a system text describes.
 *
 * One pass over the text each.
 */

const MIN_WORD_CHARS = 3;

/** The words of a text, lower-cased, `getCPUUsage` and `ROUTE_CPU` taken apart. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [run] of text.normalize("NFC").matchAll(/[\p{L}\p{N}]+/gu)) {
    for (const [word] of run.matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{N}+/gu)) {
      if (word.length >= MIN_WORD_CHARS) words.add(word.toLowerCase());
    }
  }
  return words;
}

/** A signal and what is said of it. */
export interface KnownSignal {
  readonly signal: string;
  readonly description: string;
}

/** The bracketed signals of a text, each with the rest of its line. */
export function findSignals(text: string): readonly KnownSignal[] {
  const signals: KnownSignal[] = [];
  for (const line of text.split("\n")) {
    const open = line.indexOf("[");
    const close = line.indexOf("]", open);
    if (open === -1 || close < open + 2) continue;
    const signal = line.slice(open, close + 1);
    if (!SPEAKERS.includes(signal)) signals.push({ signal, description: line.slice(close + 1) });
  }
  return signals;
}

/** Marks that every system text explains: they say who speaks, and lead nowhere. */
const SPEAKERS: readonly string[] = ["[name]", "[user]"];
