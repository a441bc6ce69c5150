/**
 * Split text: a text in parts that a platform takes. Spans continue in the next part.
 */
import type { TextEntity } from "../platform/platform.ts";
import type { RichText } from "./rich-text.ts";

/** Limits of the parts of a text. */
export interface SplitLimits {
  readonly maxUnits: number;
  readonly maxParts: number;
  /** The end of the last part, if so many units had no room. */
  readonly note: (missing: number) => string;
}

/** Parts of at most so many UTF-16 units. */
export function splitText(whole: RichText, { maxUnits, maxParts, note }: SplitLimits): readonly RichText[] {
  const parts: RichText[] = [];
  for (let rest: RichText | undefined = whole; rest !== undefined;) {
    const isLast = parts.length === maxParts - 1 && rest.text.length > maxUnits;
    const room: number = isLast ? maxUnits - note(rest.text.length).length - 1 : maxUnits;
    const [part, next]: readonly [RichText, RichText?] = splitAt(rest, room);
    if (isLast && next !== undefined) return [...parts, { ...part, text: `${part.text}\n${note(next.text.length)}` }];
    if (part.text !== "") parts.push(part);
    rest = next;
  }
  return parts;
}

/** The text up to a good place to cut, and what comes after it. */
export function splitAt({ text, entities }: RichText, maxUnits: number): readonly [RichText, RichText?] {
  const to = text.length <= maxUnits ? text.length : findCut(text, maxUnits);
  const first = slice(text.slice(0, to).trimEnd(), entities, 0);
  let from = to;
  while (text[from] === "\n") from++;
  return text.slice(from).trim() === "" ? [first] : [first, slice(text.slice(from), entities, from)];
}

function slice(text: string, entities: readonly TextEntity[], from: number): RichText {
  const own = entities.flatMap((entity) => {
    const begin = Math.max(entity.offset, from);
    const end = Math.min(entity.offset + entity.length, from + text.length);
    return end > begin ? [{ ...entity, offset: begin - from, length: end - begin }] : [];
  });
  return { text, entities: own };
}

const BREAKS = [["\n\n"], ["\n"], [". ", "! ", "? ", "… ", "。"], [" "]] as const;
/** More than any grapheme that people write. */
const AROUND = 64;

/** A paragraph, line, sentence or word ends there; else between two graphemes. */
function findCut(text: string, to: number): number {
  for (const marks of BREAKS) {
    const ends = marks.map((mark) => {
      const at = text.lastIndexOf(mark, to - mark.length);
      return at === -1 ? -1 : at + mark.length;
    });
    const end = Math.max(...ends);
    if (end > to / 4) return end;
  }
  const start = Math.max(0, to - AROUND);
  let cut = start;
  for (const { index } of new Intl.Segmenter().segment(text.slice(start, to + AROUND)))
    if (start + index <= to) cut = start + index;
  return cut > 0 ? cut : to;
}
