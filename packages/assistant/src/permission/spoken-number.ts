/**
 * Spoken number: numbers that are written in words, such as `ten`, `two hundred and fifty`, `hai trăm năm mươi`.
 *
 * A written table of a few languages: a number in other words is not found, and a person is asked.
 */

const WORDS: ReadonlyMap<string, number> = new Map(
  [
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
    "không một hai ba bốn năm sáu bảy tám chín mười",
    "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize",
    "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
    "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce",
  ].flatMap((line) => line.split(" ").map((word, value) => [word, value] as const)),
);

const MORE: ReadonlyMap<string, number> = new Map([
  ...["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"].map(
    (word, at) => [word, 10 * (at + 2)] as const,
  ),
  ["a", 1],
  ["an", 1],
  ["ein", 1],
  ["eine", 1],
  ["una", 1],
  ["une", 1],
  ["mốt", 1],
  ["tư", 4],
  ["lăm", 5],
  ["vingt", 20],
  ["trente", 30],
  ["veinte", 20],
  ["treinta", 30],
  ["zwanzig", 20],
  ["dreißig", 30],
  ["dozen", 12],
]);

/** Factors of the number before them. */
const FACTORS: ReadonlyMap<string, number> = new Map([
  ["mươi", 10],
  ["hundred", 100],
  ["trăm", 100],
  ["cent", 100],
  ["cents", 100],
  ["hundert", 100],
  ["cien", 100],
  ["ciento", 100],
  ["thousand", 1e3],
  ["nghìn", 1e3],
  ["ngàn", 1e3],
  ["mille", 1e3],
  ["mil", 1e3],
  ["tausend", 1e3],
  ["million", 1e6],
  ["triệu", 1e6],
  ["billion", 1e9],
  ["tỷ", 1e9],
]);

/** Joins the parts of one number. */
const LINKS: ReadonlySet<string> = new Set(["and", "lẻ", "linh", "et", "y", "und"]);

const MAX_CHARS = 10_000;
const WORD = /\p{L}+/gu;

/** The numbers that a text says in words. */
export function spokenNumbers(text: string): readonly number[] {
  const found: number[] = [];
  let total = 0;
  let part: number | undefined;
  /** The last word for a number below a hundred: `mươi` makes tens of it alone. */
  let unit = 0;
  const end = (): void => {
    if (part !== undefined || total > 0) found.push(total + (part ?? 0));
    total = 0;
    part = undefined;
  };
  for (const word of text.slice(0, MAX_CHARS).normalize("NFC").toLowerCase().match(WORD) ?? []) {
    const value = WORDS.get(word) ?? MORE.get(word);
    const factor = FACTORS.get(word);
    if (factor !== undefined && (part !== undefined || total > 0 || factor >= 100)) {
      const scaled: number = factor === 10 ? (part ?? 0) + unit * 9 : (part ?? 1) * factor;
      if (factor >= 1_000) [total, part] = [total + scaled, undefined];
      else part = scaled;
    } else if (value !== undefined) {
      const isOpen = part === undefined || (part >= 20 && part % 10 === 0 && value < 10) || part % 100 === 0;
      if (!isOpen) end();
      part = (part ?? 0) + value;
      unit = value;
    } else if (!LINKS.has(word)) end();
  }
  end();
  return found;
}
