/**
 * Attribution: which names a place in a text belongs to.
 *
 * In a sentence a figure belongs to the names just before it, else to those after it; if the sentence begins with a
 * figure, to those after it first; several names in a row go with as many figures one by one. In a table it belongs to the names of its row and of the head of its column. A sentence
 * without names uses those of its paragraph or heading.
 */
import type { Mention } from "./mention.ts";

/** A line of prose, or a cell of a table. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** Of a table: the whole row, and the head of the column. */
  readonly row?: Readonly<{ start: number; end: number }>;
  readonly head?: Readonly<{ start: number; end: number }>;
  /** The start of the text whose names a sentence without names uses. */
  readonly section: number;
}

/** The sentences and cells of a text. */
export function toPieces(text: string): readonly Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  let section = 0;
  let heads: readonly Readonly<{ start: number; end: number }>[] = [];
  for (const line of text.split("\n")) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    if (line.trimStart().startsWith("|")) {
      const cells = toCells(line, start);
      if (heads.length === 0) heads = cells;
      cells.forEach((cell, index) => {
        const head = heads[index];
        pieces.push({ ...cell, row: { start, end }, ...(head === undefined ? {} : { head }), section });
      });
      continue;
    }
    heads = [];
    if (line.startsWith("#")) section = start;
    pieces.push(...toSentences(line, start).map((one) => ({ ...one, section })));
  }
  return pieces;
}

type Range = Readonly<{ start: number; end: number }>;

function toCells(line: string, offset: number): readonly Range[] {
  const cells: Range[] = [];
  let start = line.indexOf("|") + 1;
  for (let bar = line.indexOf("|", start); bar !== -1; bar = line.indexOf("|", start)) {
    cells.push({ start: offset + start, end: offset + bar });
    start = bar + 1;
  }
  return cells;
}

/** A sentence ends with a mark and a blank, not inside a number. */
function toSentences(line: string, offset: number): readonly Range[] {
  const sentences: Range[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at += 1) {
    const isMark = line[at] === "." || line[at] === "!" || line[at] === "?" || line[at] === ";";
    if (!isMark || (at + 1 < line.length && line[at + 1] !== " ")) continue;
    sentences.push({ start: offset + start, end: offset + at + 1 });
    start = at + 1;
  }
  sentences.push({ start: offset + start, end: offset + line.length });
  return sentences;
}

/** The positions of figures. */
export type Place = Range;

/** What is known around a figure. */
interface Nearby {
  readonly pieces: readonly Piece[];
  readonly mentions: readonly Mention[];
  readonly figures: readonly Place[];
  /** A sentence without names uses those before it in its section. */
  readonly isInherited: boolean;
}

/** What a figure belongs to, of one kind of names; undefined if the text does not say. */
export function attribute(place: Place, nearby: Nearby): ReadonlySet<string> | undefined {
  const { pieces, mentions, figures, isInherited } = nearby;
  const piece = pieces.find(({ start, end }) => place.start >= start && place.start < end);
  if (piece === undefined) return undefined;
  const inside = (range: Range) => mentions.filter(({ start, end }) => start >= range.start && end <= range.end);
  const earlier = (end: number) => (isInherited ? toKeys(inside({ start: piece.section, end })) : undefined);
  if (piece.row !== undefined) {
    const own = [...inside(piece.row), ...(piece.head === undefined ? [] : inside(piece.head))];
    return toKeys(own) ?? earlier(piece.row.start);
  }
  const own = inside(piece);
  if (own.length === 0) return earlier(piece.start);
  const beside = figures.filter(({ start, end }) => start >= piece.start && end <= piece.end);
  return toKeys(chooseIn(own, beside, place));
}

function toKeys(mentions: readonly Mention[]): ReadonlySet<string> | undefined {
  return mentions.length === 0 ? undefined : new Set(mentions.map(({ key }) => key));
}

function chooseIn(mentions: readonly Mention[], figures: readonly Place[], place: Place): readonly Mention[] {
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
function afterFigure(mentions: readonly Mention[], figures: readonly Place[], place: Place): readonly Mention[] {
  const [first] = mentions;
  const [start] = figures;
  if (first === undefined || start === undefined || first.start < start.start) return [];
  const next = figures.find((figure) => figure.start >= place.end);
  return mentions.filter((one) => one.start >= place.end && (next === undefined || one.end <= next.start));
}

/** The names in a row, with no figure between them, that come last before a place. */
function runBefore(mentions: readonly Mention[], figures: readonly Place[], place: Place): readonly Mention[] {
  const earlier = mentions.filter(({ end }) => end <= place.start);
  const last = earlier.at(-1);
  if (last === undefined) return [];
  const stops = figures.filter(({ end }) => end <= last.start).map(({ end }) => end);
  const from = Math.max(-1, ...stops);
  return earlier.filter(({ start }) => start >= from);
}
