/**
 * Text: characters as people count them, which are code points, and figures as they are written for people.
 */

/** Counts the characters of a text. */
export function countChars(text: string): number {
  return takeChars(text, Infinity).chars;
}

/** Where so many characters end, or the text does, and how many they are. */
export function takeChars(text: string, maxChars: number): { readonly end: number; readonly chars: number } {
  let end = 0;
  let chars = 0;
  for (; chars < maxChars && end < text.length; chars += 1) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1;
  return { end, chars };
}

/** The text up to an offset, with a note of how much there was. */
export function cutAt(text: string, end: number, wholeChars = countChars(text)): string {
  const kept = text.slice(0, end);
  return `${kept}… [cut: ${toFigure(countChars(kept))} of ${toFigure(wholeChars)} characters]`;
}

/** A whole number with its thousands apart; `toLocaleString` would load the locale data, 30 ms at its first use. */
export function toFigure(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Milliseconds in seconds, with at most one decimal. */
export function toSeconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}
