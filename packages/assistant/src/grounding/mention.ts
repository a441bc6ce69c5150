/**
 * Mention: finds the positions at which a text names something, with or without diacritics, in any case; the longest name wins.
 */

/** A position at which something is named. */
export type Mention = Readonly<{ key: string; start: number; end: number }>;

/** A phrase to find, and the key that it names; an exact one only as it is written. */
export type Phrase = Readonly<{ text: string; key: string; isExact?: boolean }>;

/** A text made ready to be searched: letters without case and marks, and the position of each. */
export interface Folded {
  readonly text: string;
  readonly places: readonly number[];
  /** As it was. */
  readonly source: string;
}

const MARKS = /\p{M}/gu;

/** The text in lower case without marks; đ is d. */
export function fold(text: string): Folded {
  let folded = "";
  const places: number[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    const letter = character < "\u0080" ? character.toLowerCase() : withoutMarks(character);
    folded += letter;
    for (let n = 0; n < letter.length; n += 1) places.push(at);
  }
  places.push(text.length);
  return { text: folded, places, source: text };
}

const withoutMarks = (character: string): string =>
  character.normalize("NFD").replaceAll(MARKS, "").toLowerCase().replace("đ", "d");

/** Every position of one of the phrases as whole words; of two that overlap, the longer. */
export function findMentions(folded: Folded, phrases: readonly Phrase[]): readonly Mention[] {
  const taken = new Uint8Array(folded.text.length);
  const found = new Map<number, Mention[]>();
  const prepared = phrases
    .map(({ text, key, isExact }) => ({ word: fold(text).text.trim(), key, ...(isExact === true && { exact: text }) }))
    .filter(({ word }) => word !== "")
    .toSorted((one, other) => other.word.length - one.word.length);
  for (const { word, key, exact } of prepared) {
    for (let at = folded.text.indexOf(word); at !== -1; at = folded.text.indexOf(word, at + 1)) {
      const end = at + word.length;
      if (exact !== undefined && folded.source.slice(folded.places[at], folded.places[end]) !== exact) continue;
      if (!isWhole(folded.text, at, end)) continue;
      const mention = { key, start: folded.places[at] ?? 0, end: folded.places[end] ?? 0 };
      const same = found.get(mention.start) ?? [];
      if (taken.subarray(at, end).includes(1) && !isAnother(mention, same)) continue;
      taken.fill(1, at, end);
      found.set(mention.start, [...same, mention]);
    }
  }
  return [...found.values()].flat().toSorted((one, other) => one.start - other.start);
}

/** The same phrase may name two things: then both are named. */
function isAnother(mention: Mention, found: readonly Mention[]): boolean {
  return found.some(({ end }) => end === mention.end) && found.every(({ key }) => key !== mention.key);
}

function isWhole(text: string, start: number, end: number): boolean {
  return (
    !(isWordPart(text[start - 1]) && isWordPart(text[start])) && !(isWordPart(text[end]) && isWordPart(text[end - 1]))
  );
}

function isWordPart(character: string | undefined): boolean {
  // `R&D` and `AT&T` are one word each.
  return character !== undefined && /[\p{L}\p{N}&]/u.test(character);
}
