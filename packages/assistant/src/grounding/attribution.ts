/**
 * Attribution: which names a place in a text belongs to.
 *
 * In a sentence a figure belongs to the names just before it, else to those after it; if the sentence begins with a
 * figure, to those after it first; several names in a row go with as many figures one by one. In a table it belongs to the names of its row and of the head of its column. A sentence
 * without names uses those of its paragraph or heading.
 */
import type { Mention } from "./mention.ts";
import { indexBefore, type TextRange, rangesWithin } from "./range.ts";

/** A line of prose, or a cell of a table. */
export interface Piece extends TextRange {
  /** Of a table: the whole row, and the head of the column. */
  readonly row?: TextRange;
  readonly head?: TextRange;
  /** The start of the text whose names a sentence without names uses. */
  readonly section: number;
}

/** The sentences and cells of a text. */
export function toPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let section = 0;
  let heads: readonly TextRange[] = [];
  for (const line of text.split("\n")) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    if (line.trimStart().startsWith("|") && line.length <= MAX_ROW_CHARS) {
      const row = { start, end };
      const cells = toCells(line, start);
      if (heads.length === 0) heads = cells;
      cells.forEach((cell, index) => {
        const head = heads[index];
        pieces.push({ ...cell, row, ...(head === undefined ? {} : { head }), section });
      });
      continue;
    }
    heads = [];
    if (line.startsWith("#")) section = start;
    pieces.push(...toSentences(line, start).map((one) => ({ ...one, section })));
  }
  return pieces;
}

/** The sentence or cell that an offset lies in. */
export function pieceAt(pieces: readonly Piece[], at: number): Piece | undefined {
  const piece = pieces[indexBefore(pieces, at)];
  return piece !== undefined && at < piece.end ? piece : undefined;
}

function toCells(line: string, offset: number): readonly TextRange[] {
  const cells: TextRange[] = [];
  let start = line.indexOf("|") + 1;
  for (let bar = line.indexOf("|", start); bar !== -1; bar = line.indexOf("|", start)) {
    cells.push({ start: offset + start, end: offset + bar });
    start = bar + 1;
  }
  return cells;
}

/** The work on one sentence or row grows with the square of its length: a longer row is text, a longer sentence is cut. */
const MAX_ROW_CHARS = 2_000;
const MAX_SENTENCE_CHARS = 600;

/** A sentence ends with a mark and a blank, not inside a number. */
function toSentences(line: string, offset: number): readonly TextRange[] {
  const sentences: TextRange[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at += 1) {
    const isMark = line[at] === "." || line[at] === "!" || line[at] === "?" || line[at] === ";";
    const isLong = at - start >= MAX_SENTENCE_CHARS && line[at] === " ";
    if (!isLong && (!isMark || (at + 1 < line.length && line[at + 1] !== " "))) continue;
    sentences.push({ start: offset + start, end: offset + at + 1 });
    start = at + 1;
  }
  sentences.push({ start: offset + start, end: offset + line.length });
  return sentences;
}

/** The text around figures, with one kind of names. */
interface Nearby {
  readonly pieces: readonly Piece[];
  readonly mentions: readonly Mention[];
  readonly figures: readonly TextRange[];
  /** A sentence without names uses those before it in its section. */
  readonly isInherited: boolean;
}

/** The names that a figure belongs to, of one kind; undefined if the text does not say. */
export type Attribute = (place: TextRange) => ReadonlySet<string> | undefined;

/** Reads each sentence and row once, however many figures it has. */
export function attributeBy(nearby: Nearby): Attribute {
  const read = new Map<Piece, Attribute>();
  const inherited = inheritFrom(nearby);
  return (place) => {
    const piece = pieceAt(nearby.pieces, place.start);
    if (piece === undefined) return undefined;
    const attribute = read.get(piece) ?? readPiece(piece, nearby, inherited);
    read.set(piece, attribute);
    return attribute(place);
  };
}

type Inherit = (section: number, end: number) => ReadonlySet<string> | undefined;

/** The names of a section up to an offset. */
function inheritFrom({ mentions, isInherited }: Nearby): Inherit {
  const known = new Map<string, ReadonlySet<string> | undefined>();
  return (section, end) => {
    if (!isInherited) return undefined;
    let last = indexBefore(mentions, end);
    while ((mentions[last]?.end ?? 0) > end) last -= 1;
    const at = `${section}/${last}`;
    if (!known.has(at)) known.set(at, toKeys(rangesWithin(mentions.slice(0, last + 1), { start: section, end })));
    return known.get(at);
  };
}

function readPiece(piece: Piece, { mentions, figures }: Nearby, inherited: Inherit): Attribute {
  const { row, head, section } = piece;
  if (row !== undefined) {
    const own = [...rangesWithin(mentions, row), ...(head === undefined ? [] : rangesWithin(mentions, head))];
    const keys = toKeys(own) ?? inherited(section, row.start);
    return () => keys;
  }
  const own = rangesWithin(mentions, piece);
  if (own.length === 0) {
    const keys = inherited(section, piece.start);
    return () => keys;
  }
  const beside = rangesWithin(figures, piece);
  return (place) => toKeys(chooseIn(own, beside, place));
}

function toKeys(mentions: readonly Mention[]): ReadonlySet<string> | undefined {
  return mentions.length === 0 ? undefined : new Set(mentions.map(({ key }) => key));
}

function chooseIn(mentions: readonly Mention[], figures: readonly TextRange[], place: TextRange): readonly Mention[] {
  const covering = mentions.filter(({ start, end }) => start <= place.start && end >= place.end);
  if (covering.length > 0) return covering;
  const own = afterFigure(mentions, figures, place);
  if (own.length > 0) return own;
  const before = runBefore(mentions, figures, place);
  if (before.length === 0) {
    const after = mentions.find(({ start }) => start >= place.end);
    return after === undefined ? [] : mentions.filter(({ start }) => start === after.start);
  }
  const keys = [...new Set(before.map(({ key }) => key))];
  const last = before.at(-1);
  const next = mentions.find(
    ({ start }) => last !== undefined && start > last.start && !before.some((one) => one.start === start),
  );
  const following = figures.filter(
    ({ start }) => last !== undefined && start >= last.end && (next === undefined || start < next.start),
  );
  // Two names, two figures: one each.
  if (keys.length > 1 && following.length === keys.length) {
    const key = keys[following.findIndex(({ start }) => start === place.start)];
    return before.filter((one) => one.key === key);
  }
  return before;
}

/** `3 for Ann and 4 for Ben`: if a sentence begins with a figure, each goes with the names between it and the next. */
function afterFigure(
  mentions: readonly Mention[],
  figures: readonly TextRange[],
  place: TextRange,
): readonly Mention[] {
  const [first] = mentions;
  const [start] = figures;
  if (first === undefined || start === undefined || first.start < start.start) return [];
  const next = figures.find((figure) => figure.start >= place.end);
  return mentions.filter((one) => one.start >= place.end && (next === undefined || one.end <= next.start));
}

/** The names in a row, with no figure between them, that come last before a place. */
function runBefore(mentions: readonly Mention[], figures: readonly TextRange[], place: TextRange): readonly Mention[] {
  const earlier = mentions.filter(({ end }) => end <= place.start);
  const last = earlier.at(-1);
  if (last === undefined) return [];
  const stops = figures.filter(({ end }) => end <= last.start).map(({ end }) => end);
  const from = Math.max(-1, ...stops);
  return earlier.filter(({ start }) => start >= from);
}
