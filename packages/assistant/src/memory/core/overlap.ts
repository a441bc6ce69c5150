/**
 * Overlap: how two statements relate to each other, by their words. Case, marks, endings and order do not matter.
 */
import { toWords } from "../../search/words.ts";

/** The words of a statement that are compared. */
export interface Gist {
  readonly words: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly isNegative: boolean;
}

/** The relation of a new statement to a known one. */
export type Overlap = "same" | "within" | "beyond" | "opposite" | "renumbered" | "near" | "apart";

const NEGATIONS: ReadonlySet<string> = new Set(
  "not no never dont doesnt didnt isnt arent cant wont nor without không chẳng đừng chưa chả khong chang dung chua".split(
    " ",
  ),
);
/** Words for the user, who every entry is about. */
const SUBJECT: ReadonlySet<string> = new Set("user nguoi dung am im".split(" "));
const NUMBER = /^\p{N}+$/u;
/** Share of common words from which two statements are about the same thing. */
const NEAR = 0.6;

/** The gist of a text. */
export function toGist(text: string): Gist {
  const stems = toWords(text).flatMap(({ text: word, stem }) => (SUBJECT.has(word) ? [] : [stem]));
  const plain = text.normalize("NFC").toLowerCase().replaceAll(/['’]/g, "");
  return {
    words: new Set(stems.filter((word) => !NUMBER.test(word) && !NEGATIONS.has(word))),
    numbers: new Set(stems.filter((word) => NUMBER.test(word))),
    isNegative: plain.split(/[^\p{L}\p{M}]+/u).some((word) => NEGATIONS.has(word)),
  };
}

/** Compares a new statement with a known one. */
export function compareGists(fresh: Gist, known: Gist): Overlap {
  const freshAll = fresh.words.union(fresh.numbers);
  const knownAll = known.words.union(known.numbers);
  if (freshAll.size === 0 || knownAll.size === 0) return "apart";
  const isWithin = freshAll.isSubsetOf(knownAll);
  const isBeyond = knownAll.isSubsetOf(freshAll);
  if (fresh.isNegative !== known.isNegative) return isWithin || isBeyond ? "opposite" : "apart";
  if (isWithin) return isBeyond ? "same" : "within";
  if (isBeyond) return "beyond";
  const isRenumbered = fresh.words.size > 0 && fresh.words.symmetricDifference(known.words).size === 0;
  if (isRenumbered && fresh.numbers.size > 0 && known.numbers.size > 0) return "renumbered";
  return freshAll.intersection(knownAll).size / freshAll.union(knownAll).size >= NEAR ? "near" : "apart";
}
