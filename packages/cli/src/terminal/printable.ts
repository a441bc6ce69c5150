/**
 * Printable: makes text from a model, a tool or a file safe for a terminal.
 *
 * The result has no control characters but line feeds, no bidirectional controls and no lone surrogates, so no text can
 * move the cursor, change colours or disguise itself.
 */

const HOSTILE = /[[\p{Control}\p{Bidi_Control}]--[\n]]/gv;
const TAB = "    ";

/** The text with all control characters made visible. */
export function toPrintable(text: string): string {
  return text
    .toWellFormed()
    .replaceAll("\r\n", "\n")
    .replaceAll("\r", "\n")
    .replaceAll(/[\u2028\u2029]/g, "\n")
    .replaceAll("\t", TAB)
    .replaceAll(HOSTILE, toVisible);
}

/** The text on one line, with white space collapsed. */
export function toOneLine(text: string): string {
  return toPrintable(text).replaceAll(/\s+/g, " ").trim();
}

/** The Unicode symbol of a control character, or the replacement character. */
function toVisible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
