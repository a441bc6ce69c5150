/**
 * Own text: what of a message its sender wrote, and did not paste or quote.
 *
 * Left out are descriptions of pictures (`[image: …]`, to the end of the line), quoted lines (`> …`), quotations of some
 * length, blocks of code, and of a table's rows the cells that are sentences. Linear in the text.
 */

const IMAGE = "[image: ";
const FENCE = "```";
/** A shorter quotation is a name or a phrase of the sender. */
const MIN_QUOTED_CHARS = 40;
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["«", "»"],
]);
const SEPARATORS = [",", ";", "\t", "|"];
const MAX_CELL_WORDS = 3;

/** The text without what others wrote. */
export function ownText(message: string): string {
  const lines = withoutQuotations(message)
    .split("\n")
    .map((line) => line.split(IMAGE, 1)[0] ?? "");
  let isInFence = false;
  return lines
    .flatMap((line, at) => {
      const isFence = line.trimStart().startsWith(FENCE);
      if (isFence) isInFence = !isInFence;
      if (isFence || line.trimStart().startsWith(">")) return [];
      const separator = SEPARATORS.find((sign) => isRow(line, sign, [lines[at - 1], lines[at + 1]]));
      if (separator !== undefined) return [line.split(separator).filter(isCell).join(separator)];
      return isInFence ? [] : [line];
    })
    .join("\n")
    .trim();
}

/** A row has as many cells as a line beside it, and most of them are short. */
function isRow(line: string, separator: string, beside: readonly (string | undefined)[]): boolean {
  const cells = line.split(separator);
  if (cells.length < 2 || 2 * cells.filter(isCell).length < cells.length) return false;
  return beside.some((other) => other?.split(separator).length === cells.length);
}

const isCell = (cell: string): boolean => cell.trim().split(/\s+/).length <= MAX_CELL_WORDS;

function withoutQuotations(text: string): string {
  let own = "";
  let at = 0;
  while (at < text.length) {
    const close = CLOSING.get(text.charAt(at));
    const end = close === undefined ? -1 : text.indexOf(close, at + 1);
    const isLong = end - at > MIN_QUOTED_CHARS;
    if (!isLong) own += text.charAt(at);
    // A mark that is not closed is looked for once: all others of its kind are behind it.
    if (close !== undefined && end === -1) return own + text.slice(at + 1).replaceAll(close, "");
    at = isLong ? end + 1 : at + 1;
  }
  return own;
}
