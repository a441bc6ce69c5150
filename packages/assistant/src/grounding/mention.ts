/**
 * Mention: finds the positions at which a text names something, with or without diacritics, in any case; the longest name wins.
 */

/** A position at which something is named. */
export type Mention = Readonly<{ key: string; start: number; end: number }>;

/** What to look for: a phrase, and what it names; an exact one only as it is written. */
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
    const letter = text.charAt(at).normalize("NFD").replaceAll(MARKS, "").toLowerCase().replace("đ", "d");
    folded += letter;
    for (let n = 0; n < letter.length; n += 1) places.push(at);
  }
  places.push(text.length);
  return { text: folded, places, source: text };
}

/** Every position of one of the phrases as whole words; of two that overlap, the longer. */
export function findMentions(folded: Folded, phrases: readonly Phrase[]): readonly Mention[] {
  const taken = new Uint8Array(folded.text.length);
  const found: Mention[] = [];
  const prepared = phrases
    .map(({ text, key, isExact }) => ({ word: fold(text).text.trim(), key, ...(isExact === true && { exact: text }) }))
    .filter(({ word }) => word !== "")
    .toSorted((one, other) => other.word.length - one.word.length);
  for (const { word, key, exact } of prepared) {
    for (let at = folded.text.indexOf(word); at !== -1; at = folded.text.indexOf(word, at + 1)) {
      const end = at + word.length;
      if (exact !== undefined && folded.source.slice(folded.places[at], folded.places[end]) !== exact) continue;
      if (!isWhole(folded.text, at, end) || isTaken({ start: at, end }, { taken, key, found, folded })) continue;
      taken.fill(1, at, end);
      found.push({ key, start: folded.places[at] ?? 0, end: folded.places[end] ?? 0 });
    }
  }
  return found.toSorted((one, other) => one.start - other.start);
}

type Taken = Readonly<{ taken: Uint8Array; key: string; found: readonly Mention[]; folded: Folded }>;

/** The same phrase may name two things: then both are named. */
function isTaken({ start: at, end }: Omit<Mention, "key">, { taken, key, found, folded }: Taken): boolean {
  if (!taken.subarray(at, end).some((one) => one === 1)) return false;
  const [start, last] = [folded.places[at] ?? 0, folded.places[end] ?? 0];
  const same = found.filter((one) => one.start === start && one.end === last);
  return same.length === 0 || same.some((one) => one.key === key);
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
