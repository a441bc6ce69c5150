/**
 * SVG text: how wide a text probably is, how it is cut, and how it is written so that it stays text.
 */

/** Marks that combine with the character before them. */
const COMBINING = /\p{M}/u;
/** Characters about twice as wide as a Latin letter. */
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}]/u;
/** Characters that XML cannot hold. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;

const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["&", "&amp;"],
  ["<", "&lt;"],
  [">", "&gt;"],
  ['"', "&quot;"],
  ["'", "&#39;"],
]);

/** A generous estimate, in pixels; `em` is the width of a letter as a share of the size. */
export function widthOf(text: string, size: number, em = 0.62): number {
  let letters = 0;
  for (const character of text) {
    if (WIDE.test(character)) letters += 1.8;
    else if (!COMBINING.test(character)) letters += 1;
  }
  return letters * size * em;
}

/** At most so many characters; a cut one ends in `…`. */
export function cut(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  const characters = Array.from(line.slice(0, 2 * max + 2));
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join("")}…`;
}

/** Text that XML reads as just that text. */
export function escapeXml(text: string): string {
  return text
    .replaceAll(FORBIDDEN, "\u{FFFD}")
    .replaceAll(/[&<>"']/g, (character) => ENTITIES.get(character) ?? character);
}

/** A coordinate, in tenths of a pixel. */
export function roundCoordinate(value: number): number {
  return Math.round(value * 10) / 10;
}
