/**
 * Width: the number of terminal cells that a text takes, and text truncated to a width.
 *
 * Counts graphemes: a letter with its accents takes one cell, an ideograph or emoji two. Linear in the text.
 */

/** A grapheme. */
export interface TextCell {
  readonly text: string;
  /** Its index in the text, in UTF-16 units. */
  readonly index: number;
  /** 0, 1 or 2. */
  readonly width: number;
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const ASCII = /^[\u0020-\u007e]*$/;
const INVISIBLE = /^[\p{Mark}\p{Default_Ignorable_Code_Point}\p{Control}]+$/u;
const PICTURE = /^\p{Emoji_Presentation}|\ufe0f/u;

/** Code points that take two cells by Unicode's East Asian Width, without emoji. */
const WIDE: readonly (readonly [from: number, to: number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff01, 0xff60],
  [0xffe0, 0xffe6],
  [0x16fe0, 0x18dff],
  [0x1b000, 0x1b2ff],
  [0x1f200, 0x1f2ff],
  [0x20000, 0x3fffd],
];

/** The graphemes of a text, each with its width. */
export function* cellsOf(text: string): Generator<TextCell, undefined> {
  if (ASCII.test(text)) {
    for (let index = 0; index < text.length; index++) yield { text: text.charAt(index), index, width: 1 };
    return;
  }
  for (const { segment, index } of SEGMENTER.segment(text)) yield { text: segment, index, width: toWidth(segment) };
}

/** The number of cells of a text without line feeds. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const cell of cellsOf(text)) width += cell.width;
  return width;
}

/** The text; if it is too wide, … replaces its end. */
export function cutToWidth(text: string, width: number): string {
  let used = 0;
  let end = 0;
  for (const cell of cellsOf(text)) {
    used += cell.width;
    if (used > width) return width < 1 ? "" : `${text.slice(0, end)}…`;
    if (used < width) end = cell.index + cell.text.length;
  }
  return text;
}

/** The text; if it is too wide, … replaces its beginning. */
export function cutStart(text: string, width: number): string {
  const cells = [...cellsOf(text)];
  let left = width;
  let from = text.length;
  for (const cell of cells.toReversed()) {
    left -= cell.width;
    if (left < 0) return `…${text.slice(from)}`;
    if (left > 0) from = cell.index;
  }
  return text;
}

function toWidth(character: string): number {
  if (INVISIBLE.test(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  return PICTURE.test(character) || WIDE.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}
