/**
 * Cut text: the beginning of a text up to the last sentence that fits.
 */

const ENDS: ReadonlySet<string> = new Set([".", "!", "?", "。"]);
const MAX_WORD = 20;
const MAX_CLOSERS = 4;
const CLOSERS: ReadonlySet<string> = new Set(['"', "”", "’", ")", "]", "'"]);
/** Words with a full stop that ends no sentence. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  "inc corp co ltd llc lp no nos vs mr mrs ms dr st jr sr fig sec art approx est dept jan feb mar apr jun jul aug sep sept oct nov dec e.g i.e etc cf al".split(
    " ",
  ),
);

/** At most so many characters, ending with a sentence, else with a line, else with a word. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  for (let at = maxChars - 1; at > 0; at--) {
    if (isSentenceEnd(text, at)) return text.slice(0, at + 1);
  }
  const head = text.slice(0, maxChars);
  const space = head.lastIndexOf(" ");
  return (space > 0 ? head.slice(0, space) : head).toWellFormed();
}

/** Whether a sentence or a line ends with this character. */
function isSentenceEnd(text: string, at: number): boolean {
  const next = text[at + 1] ?? "\n";
  if (next === "\n") return true;
  if (next !== " ") return false;
  let stop = at;
  while (stop > Math.max(0, at - MAX_CLOSERS) && CLOSERS.has(text[stop] ?? "")) stop--;
  const sign = text[stop] ?? "";
  if (!ENDS.has(sign)) return false;
  if (sign !== ".") return true;
  const word = (
    text
      .slice(Math.max(0, stop - MAX_WORD), stop)
      .split(/\s/)
      .at(-1) ?? ""
  ).toLowerCase();
  const isInitials = word.length === 1 || /^(?:[a-z]\.)+[a-z]$/.test(word);
  return word !== "" && !isInitials && !ABBREVIATIONS.has(word) && !isLower(text[at + 2] ?? "");
}

const isLower = (sign: string): boolean => sign !== sign.toUpperCase();
