/**
 * Hidden text: characters that a model reads and a person does not see, such as zero-width spaces and tag characters.
 */

const RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x2064],
  [0xfeff, 0xfeff],
  [0xe0000, 0xe007f],
];

/** The place of the first hidden character, in UTF-16 units, and its name as `U+200B`. */
export function findHidden(text: string): { readonly at: number; readonly name: string } | undefined {
  let at = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (RANGES.some(([from, to]) => code >= from && code <= to)) {
      return { at, name: `U+${code.toString(16).toUpperCase().padStart(4, "0")}` };
    }
    at += character.length;
  }
  return undefined;
}
