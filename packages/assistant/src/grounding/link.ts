/**
 * Link: addresses in a text, as pages and readers take them: with a scheme, with `www.`, or a host with a path.
 *
 * Linear in the text.
 */

/** The position of an address. */
export type LinkPlace = Readonly<{ start: number; end: number }>;

const SCHEMES = ["mailto:", "javascript:", "data:text", "tel:"];
/** Characters that end an address, beside blanks. */
const ENDS: ReadonlySet<string> = new Set(["(", ")", "[", "]", "<", ">", '"', "'", "`", "|", "“", "”"]);
const TRAILING = /[.,;:!?…]+$/;
const MAX_CHARS = 2_000;
const HOST = /^[a-z0-9][a-z0-9.-]*\.[a-z]{2,24}$/;

/** The addresses of a text, in order. */
export function findLinks(text: string): readonly LinkPlace[] {
  const places: LinkPlace[] = [];
  let start = 0;
  for (let at = 0; at <= text.length; at += 1) {
    const character = text.charAt(at);
    if (at < text.length && !ENDS.has(character) && !/\s/u.test(character)) continue;
    const word = text.slice(start, at).replace(TRAILING, "");
    const from = findStart(word);
    if (from !== -1) places.push({ start: start + from, end: start + word.length });
    start = at + 1;
  }
  return places;
}

/** The start of an address in a word; -1 if it has none. */
function findStart(word: string): number {
  const lower = word.slice(0, MAX_CHARS).toLowerCase();
  const colon = lower.indexOf("://");
  if (colon > 0) return schemeStart(lower, colon);
  const known = [...SCHEMES, "www."].map((scheme) => lower.indexOf(scheme)).filter((at) => at !== -1);
  if (known.length > 0) return Math.min(...known);
  const slash = lower.indexOf("/");
  const isHost = slash > 0 && slash + 1 < lower.length && HOST.test(lower.slice(0, slash));
  return isHost ? 0 : -1;
}

/** The letters before `://`. */
function schemeStart(lower: string, colon: number): number {
  let at = colon;
  while (at > 0 && /[a-z0-9+.-]/.test(lower.charAt(at - 1))) at -= 1;
  return at;
}
