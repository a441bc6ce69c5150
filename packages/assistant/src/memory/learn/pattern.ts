/**
 * Pattern: how a rule says which words it reads.
 *
 * `call me *` reads two words and keeps the rest; `a|b` is one of several, `?a|b` may be missing, `{risk}` is a phrase of
 * a vocabulary. A pattern without `*` must reach the end of the clause. Vietnamese words may be written without marks.
 */
import { type Token, toBare } from "./token.ts";

/** Phrases and what they mean: `risk averse` means `cautious`. */
export type Vocabulary = ReadonlyMap<string, string>;

/** What a pattern found. */
export interface PatternMatch {
  /** What `*` stands for. */
  readonly rest: readonly Token[];
  /** Meanings of the phrases, by their vocabularies. */
  readonly values: ReadonlyMap<string, string>;
}

type Piece =
  | { readonly type: "word"; readonly words: readonly string[]; readonly isOptional: boolean }
  | { readonly type: "phrase"; readonly name: string; readonly isOptional: boolean }
  | { readonly type: "rest" };

/** A pattern that is ready to be used. */
export type Pattern = readonly Piece[];

/** Reads a pattern as it is written. */
export function toPattern(written: string): Pattern {
  return written.split(" ").map((part): Piece => {
    if (part === "*") return { type: "rest" };
    const isOptional = part.startsWith("?");
    const text = isOptional ? part.slice(1) : part;
    if (text.startsWith("{")) return { type: "phrase", name: text.slice(1, -1), isOptional };
    return { type: "word", words: text.split("|"), isOptional };
  });
}

/** A vocabulary of lines such as `["en", "english, tiếng anh"]`; each phrase also counts without its marks. */
export function toVocabulary(lines: readonly (readonly [meaning: string, phrases: string])[]): Vocabulary {
  const known = lines.flatMap(([meaning, phrases]) =>
    phrases.split(",").map((phrase) => [phrase.trim(), meaning] as const),
  );
  return new Map([...known.map(([phrase, meaning]) => [toBare(phrase), meaning] as const), ...known]);
}

/** The words that a pattern may begin with. */
export function firstWordsOf(pattern: Pattern, vocabularies: ReadonlyMap<string, Vocabulary>): readonly string[] {
  const words: string[] = [];
  for (const piece of pattern) {
    if (piece.type === "rest") throw new Error("a pattern must begin with a word");
    if (piece.type === "word") words.push(...piece.words);
    else for (const phrase of vocabularies.get(piece.name)?.keys() ?? []) words.push(phrase.split(" ", 1)[0] ?? "");
    if (!piece.isOptional) break;
  }
  return words;
}

const MAX_PHRASE_WORDS = 4;
const NO_VALUES: ReadonlyMap<string, string> = new Map();

/** What the pattern finds at the beginning of the words; undefined if it does not fit. */
export function matchPattern(
  pattern: Pattern,
  tokens: readonly Token[],
  vocabularies: ReadonlyMap<string, Vocabulary>,
): PatternMatch | undefined {
  const step = (at: number, from: number, values: ReadonlyMap<string, string>): PatternMatch | undefined => {
    const piece = pattern[at];
    if (piece === undefined) return from === tokens.length ? { rest: [], values } : undefined;
    if (piece.type === "rest") return from < tokens.length ? { rest: tokens.slice(from), values } : undefined;
    const taken = take(piece, tokens.slice(from), vocabularies);
    for (const { words, meaning } of taken) {
      const next = meaning === undefined ? values : new Map([...values, meaning]);
      const found = step(at + 1, from + words, next);
      if (found !== undefined) return found;
    }
    return piece.isOptional ? step(at + 1, from, values) : undefined;
  };
  return step(0, 0, NO_VALUES);
}

type Taken = Readonly<{ words: number; meaning?: readonly [string, string] }>;

/** How many words a piece can take here; the longest phrase first. */
function take(
  piece: Exclude<Piece, { type: "rest" }>,
  tokens: readonly Token[],
  vocabularies: ReadonlyMap<string, Vocabulary>,
): readonly Taken[] {
  const [first] = tokens;
  if (first === undefined) return [];
  if (piece.type === "word") return piece.words.some((word) => isWord(first, word)) ? [{ words: 1 }] : [];
  const vocabulary = vocabularies.get(piece.name) ?? NO_VALUES;
  return Array.from({ length: MAX_PHRASE_WORDS }, (_, index) => MAX_PHRASE_WORDS - index).flatMap((words) => {
    const meaning = words <= tokens.length ? lookUp(vocabulary, tokens.slice(0, words)) : undefined;
    return meaning === undefined ? [] : [{ words, meaning: [piece.name, meaning] as const }];
  });
}

/** What words mean. */
const lookUp = (vocabulary: Vocabulary, tokens: readonly Token[]): string | undefined =>
  vocabulary.get(tokens.map(({ word }) => word).join(" "));

const ASCII = /^[ -~]*$/;

/** Whether a word is meant: with its marks, or without any. */
export function isWord({ word, bare }: Token, wanted: string): boolean {
  if (word === wanted) return true;
  // Marks are parts of their letters, so both forms have the same length.
  return word === bare && bare.length === wanted.length && !ASCII.test(wanted) && bare === toBare(wanted);
}
