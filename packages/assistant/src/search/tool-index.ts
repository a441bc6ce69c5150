/**
 * Tool index: tools by what they do, found by the words people use.
 *
 * BM25 over name, phrases and description, with pairs of neighbours as words too (`time table`, `timetable`). The same
 * catalogue and query always give the same order.
 */
import { toNameWords, toWords, type Word } from "./words.ts";

/** A tool as it can be found. */
export interface SearchableTool {
  readonly name: string;
  readonly description: string;
  /** Words and phrases that people use for what it does, in any language. */
  readonly phrases: readonly string[];
}

/** Options of a search. */
export interface ToolSearchOptions {
  /** By default 10. */
  readonly topK?: number;
  readonly exclude?: readonly string[];
}

/** A tool that was found; a higher score fits better. */
export type RankedTool = Readonly<{ name: string; description: string; score: number }>;

/** Finds tools, the best first; those that share nothing with the query are left out. */
export type FindTools = (query: string, options?: ToolSearchOptions) => readonly RankedTool[];

const NAME_WEIGHT = 3;
const PHRASE_WEIGHT = 2;
const PAIR_WEIGHT = 0.6;
const SATURATION = 1.2;
const LENGTH_SHARE = 0.3;
/** A word that the catalogue does not know is taken for those that begin with as many of its letters. */
const BEGINNING = 5;
const NEAR_WEIGHT = 0.5;
const TOP = 10;

/** A tool with the weight of each term. */
interface Entry {
  readonly tool: SearchableTool;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

interface Index {
  readonly entries: readonly Entry[];
  readonly meanLength: number;
  readonly idf: (term: string) => number;
  /** The terms of the catalogue. */
  readonly terms: readonly string[];
}

/** Builds the index once; finding takes time in proportion to the catalogue. */
export function openToolIndex(catalogue: readonly SearchableTool[]): FindTools {
  const index = toIndex(catalogue);
  return (query, { topK = TOP, exclude = [] } = {}) => {
    const wanted = toWanted(index, query);
    const without = new Set(exclude);
    const asked = query.trim().toLowerCase();
    return index.entries
      .filter(({ tool }) => !without.has(tool.name))
      .map((entry) => ({ tool: entry.tool, score: scoreOf(index, entry, wanted) + nameBonus(entry.tool, asked) }))
      .filter(({ score }) => score > 0)
      .toSorted((one, other) => other.score - one.score || (one.tool.name < other.tool.name ? -1 : 1))
      .slice(0, Math.max(0, topK))
      .map(({ tool, score }) => ({ name: tool.name, description: tool.description, score }));
  };
}

function nameBonus({ name }: SearchableTool, asked: string): number {
  return name.toLowerCase() === asked ? 1_000 : 0;
}

function toIndex(catalogue: readonly SearchableTool[]): Index {
  const frequency = new Map<string, number>();
  const entries = catalogue.map(toEntry);
  for (const { counts } of entries)
    for (const term of counts.keys()) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const total = entries.length;
  const idf = (term: string): number => {
    const holding = frequency.get(term);
    return holding === undefined ? 0 : Math.log(1 + (total - holding + 0.5) / (holding + 0.5));
  };
  const meanLength = entries.reduce((sum, { length }) => sum + length, 0) / Math.max(1, total);
  return { entries, meanLength, idf, terms: [...frequency.keys()] };
}

function toEntry(tool: SearchableTool): Entry {
  const counts = new Map<string, number>();
  const fields: readonly (readonly [words: readonly Word[], weight: number])[] = [
    [toNameWords(tool.name), NAME_WEIGHT],
    [toWords(tool.description), 1],
    ...tool.phrases.map((phrase) => [toWords(phrase), PHRASE_WEIGHT] as const),
  ];
  for (const [words, weight] of fields) {
    for (const [term, part] of toTerms(words)) counts.set(term, (counts.get(term) ?? 0) + weight * part);
  }
  const length = Array.from(counts.values()).reduce((sum, count) => sum + count, 0);
  return { tool, counts, length };
}

/** Stems, and pairs of neighbours as one word; each counts once in a field. */
function toTerms(words: readonly Word[]): ReadonlyMap<string, number> {
  const terms = new Map<string, number>();
  words.forEach(({ text }, index) => {
    const next = words[index + 1];
    if (next !== undefined) terms.set(`${text}${next.text}`, PAIR_WEIGHT);
  });
  for (const { stem } of words) terms.set(stem, 1);
  return terms;
}

/** The terms of a query that the catalogue knows, each with how surely it is meant. */
function toWanted({ idf, terms }: Index, query: string): ReadonlyMap<string, number> {
  const words = toWords(query);
  const wanted = new Map<string, number>();
  const want = (term: string, weight: number) => wanted.set(term, Math.max(weight, wanted.get(term) ?? 0));
  for (const [term, part] of toTerms(words)) if (idf(term) > 0) want(term, part);
  for (const { text, stem } of words) {
    // A known term of two words is one that was written as one.
    if (idf(stem) > 0 || idf(text) > 0) want(idf(stem) > 0 ? stem : text, 1);
    else if (stem.length >= BEGINNING) {
      const near = terms.filter((term) => term.startsWith(stem.slice(0, BEGINNING)));
      for (const term of near) want(term, NEAR_WEIGHT);
    }
  }
  return wanted;
}

function scoreOf({ meanLength, idf }: Index, entry: Entry, wanted: ReadonlyMap<string, number>): number {
  const share = 1 - LENGTH_SHARE + LENGTH_SHARE * (entry.length / Math.max(1, meanLength));
  let score = 0;
  for (const [term, weight] of wanted) {
    const count = entry.counts.get(term) ?? 0;
    score += weight * idf(term) * ((count * (SATURATION + 1)) / (count + SATURATION * share));
  }
  return score;
}
