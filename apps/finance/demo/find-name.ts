/**
 * Find name: the longest run of words that is a ticker, a name or an alias of the directory.
 *
 * An ordinary word ("target", "good") is a name only if it is written as one: as a ticker in capitals, or with a capital
 * letter inside the question.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { IndexedDirectory } from "../market/directory/directory.ts";
import { type NameHints, resolveNames } from "../market/directory/resolve-names.ts";
import { toKey as toNameKey } from "../market/directory/words.ts";
import type { FindName, FoundName } from "./match.ts";
import type { Token } from "./token.ts";

const MAX_WORDS = 6;

const ORDINARY: ReadonlySet<string> = new Set(
  readFileSync(join(import.meta.dirname, "ordinary-words.txt"), "utf8").split(/\s+/),
);

/** Looks names up; what was looked up once is remembered for the question. */
export function createFindName(directory: IndexedDirectory, question: string, hints: NameHints = {}): FindName {
  const text = question.normalize("NFC");
  const known = new Map<string, Omit<FoundName, "at"> | undefined>();
  const nameOf = (said: string): Omit<FoundName, "at"> | undefined => {
    if (!known.has(said)) known.set(said, isListed(directory, said) ? toName(directory, said, hints) : undefined);
    return known.get(said);
  };
  return (tokens, at) => {
    const first = tokens[at];
    if (first === undefined) return undefined;
    for (let count = Math.min(MAX_WORDS, tokens.length - at); count > 0; count -= 1) {
      const last = tokens[at + count - 1];
      const said = text.slice(first.start, last?.end ?? first.end);
      // A run with other signs inside is no name.
      if ((count === 1 && !isName(first, at)) || /[?!,;:()\n]/.test(said)) continue;
      const name = nameOf(said);
      if (name !== undefined) return { name: { ...name, at }, tokens: count };
    }
    return undefined;
  };
}

function isName({ text, key, number }: Token, at: number): boolean {
  if (number !== undefined || !/\p{L}/u.test(text)) return false;
  if (!ORDINARY.has(key)) return true;
  const isTicker = text.startsWith("$") || (text.length > 1 && text === text.toUpperCase());
  return isTicker || (at > 0 && /^\p{Lu}/u.test(text));
}

/** Whether the words are a ticker, a whole name or an alias, with nothing else around. */
const isListed = ({ symbols, names }: IndexedDirectory, said: string): boolean =>
  symbols.find(said).length > 0 || names.exact(toNameKey(said)) !== undefined;

/** Two listings of one ticker are told apart by the tab and the language; two spellings are not. */
function toName(directory: IndexedDirectory, said: string, hints: NameHints): Omit<FoundName, "at"> {
  const [resolved] = resolveNames(directory, [{ said }], hints);
  const listings = resolved?.listings ?? [];
  const isUnclear = listings.length > 1 && directory.lookUp(said).near.length > 0;
  return { said, listings, isUnclear };
}
