/**
 * Printable: text from a model, a tool or a file, made safe to show on a terminal.
 *
 * What comes out holds no control character but line feeds, nothing that reverses the direction of writing, and no
 * half of a character, so that no text can move the cursor, change colours or disguise itself.
 */

const HOSTILE = /[[\p{Control}\p{Bidi_Control}]--[\n]]/gv;
const TAB = "    ";

/** The text with everything a terminal would obey made visible. */
export function toPrintable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replaceAll(/[\u2028\u2029]/g, "\n")
    .replaceAll("\t", TAB)
    .replaceAll(HOSTILE, toVisible);
}

/** The text on one line: every run of white space is a space. */
export function toOneLine(text: string): string {
  return toPrintable(text).replaceAll(/\s+/g, " ").trim();
}

/** Control characters have pictures of their own in Unicode; what has none is a replacement character. */
function toVisible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
