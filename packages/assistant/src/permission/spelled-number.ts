/**
 * Spelled number: numbers that are written as words, such as `ten`, `hai trăm năm mươi`, `zweihundert` or `三百五十`.
 *
 * A written table of several languages. A word counts if it is made of its parts alone; parts that follow each other are
 * one number.
 */

/** Parts by their value; those of ten and more after `x` multiply what is before them. */
const TABLE = `
0: zero không null nul cero 零 〇
1: one a an một mốt ein eins eine un une uno una um uma 一
2: two hai zwei deux dos due dois duas 二 两 兩 couple
3: three ba drei trois tres tre três 三
4: four bốn tư vier quatre cuatro quattro quatro 四
5: five năm lăm fünf cinq cinco cinque 五
6: six sáu sechs seis sei 六
7: seven bảy bẩy sieben sept siete sette sete 七
8: eight tám acht huit ocho otto oito 八
9: nine chín neun neuf nueve nove 九
10: ten mười zehn dix diez dieci dez
11: eleven elf onze once undici
12: twelve dozen zwölf douze doce dodici doze
13: thirteen dreizehn treize trece tredici treze
14: fourteen vierzehn quatorze catorce quattordici
15: fifteen fünfzehn quinze quince quindici
16: sixteen sechzehn seize dieciséis sedici dezesseis
17: seventeen siebzehn diecisiete diciassette dezessete
18: eighteen achtzehn dieciocho diciotto dezoito
19: nineteen neunzehn diecinueve diciannove dezenove
20: twenty zwanzig vingt veinte venti vinte
30: thirty dreißig dreissig trente treinta trenta trinta
40: forty vierzig quarante cuarenta quaranta quarenta
50: fifty fünfzig cinquante cincuenta cinquanta cinquenta
60: sixty sechzig soixante sesenta sessanta sessenta
70: seventy siebzig setenta settanta
80: eighty achtzig quatre-vingt quatre-vingts ochenta ottanta oitenta
90: ninety neunzig noventa novanta
x10: mươi 十
x100: hundred trăm hundert cent cents cien ciento cientos cento 百
x1000: thousand nghìn ngàn tausend mille mil mila 千
x10000: 万 萬
x1000000: million millions triệu millionen millón millones milioni milhão milhões
x1000000000: billion billions tỷ tỉ milliarde milliarden milliard milliards
`;

type Part = Readonly<{ value: number; isFactor: boolean }>;

const PARTS: ReadonlyMap<string, Part> = new Map(
  TABLE.trim()
    .split("\n")
    .flatMap((line) => {
      const [head = "", words = ""] = line.split(": ");
      const part = { value: Number(head.replace("x", "")), isFactor: head.startsWith("x") };
      return words.split(" ").map((word) => [word, part] as const);
    }),
);
const JOINTS: ReadonlySet<string> = new Set(["and", "und", "et", "y", "e", "lẻ", "linh", "và"]);
const LONGEST = Math.max(...Array.from(PARTS.keys(), (word) => word.length));
const BIG = 1_000;

/** The numbers that are written as words in a text. */
export function spelledIn(text: string): readonly number[] {
  const found: number[] = [];
  let open: Part[] = [];
  const close = (): void => {
    if (open.length > 0) found.push(valueOf(open));
    open = [];
  };
  // Scripts without blanks are read letter by letter.
  const spaced = text
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/\p{Script=Han}/gu, " $& ");
  for (const [word] of spaced.matchAll(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*|[^\s\p{L}-]/gu)) {
    const parts = partsOf(word);
    if (parts !== undefined) open.push(...parts);
    else if (open.length === 0 || !JOINTS.has(word)) close();
  }
  close();
  return found;
}

/** The parts that a word is made of; undefined if anything is left. */
function partsOf(word: string): readonly Part[] | undefined {
  const parts: Part[] = [];
  for (let at = 0; at < word.length;) {
    const size = sizeAt(word, at);
    if (size === 0) return undefined;
    const part = PARTS.get(word.slice(at, at + size));
    if (part !== undefined) parts.push(part);
    at += size;
  }
  return parts.length === 0 ? undefined : parts;
}

/** The length of the longest part at a place, or of a joint inside a word. */
function sizeAt(word: string, at: number): number {
  if (at > 0 && word.startsWith("und", at)) return "und".length;
  for (let size = Math.min(LONGEST, word.length - at); size > 0; size -= 1) {
    if (PARTS.has(word.slice(at, at + size))) return size;
  }
  return word[at] === "-" ? 1 : 0;
}

function valueOf(parts: readonly Part[]): number {
  let [total, section, digit] = [0, 0, 0];
  for (const { value, isFactor } of parts) {
    if (isFactor && value >= BIG) [total, section, digit] = [total + (section + digit || 1) * value, 0, 0];
    else if (isFactor) [section, digit] = [section + (digit || 1) * value, 0];
    else if (value >= 10) section += value;
    else digit += value;
  }
  return total + section + digit;
}
