/**
 * PII: e-mail addresses, phone numbers, card numbers and IBANs in a text, by a written grammar and their check digits.
 *
 * A phone number is `+` and 8 to 15 digits, a 0 and 8 to 10 more, or three, three and four digits with marks between
 * them. Each character is looked at a bounded number of times.
 */

const MAX_CARD = 19;
const MIN_CARD = 13;
const MAX_IBAN = 34;
const MIN_IBAN = 15;

/** A run of digits and where it stands. */
type Digits = Readonly<{ text: string; start: number; end: number }>;

/** The kinds of personal data that a text holds, in the order `email phone card iban`. */
export function findPii(text: string): readonly string[] {
  const groups = toDigits(text);
  const found: readonly (readonly [string, boolean])[] = [
    ["email", hasEmail(text)],
    ["phone", groups.some((_, at) => isPhone(text, groups.slice(at, at + 8)))],
    ["card", groups.some((_, at) => isCard(text, groups.slice(at, at + MAX_CARD)))],
    ["iban", hasIban(text)],
  ];
  return found.flatMap(([kind, isThere]) => (isThere ? [kind] : []));
}

function hasEmail(text: string): boolean {
  for (let at = text.indexOf("@"); at !== -1; at = text.indexOf("@", at + 1)) {
    if (!/[\w%+-]/.test(text.charAt(at - 1))) continue;
    const domain = /^[a-zA-Z0-9-]{1,63}(?:\.[a-zA-Z0-9-]{1,63}){1,8}/.exec(text.slice(at + 1, at + 256))?.[0] ?? "";
    if (/^[a-zA-Z]{2,}$/.test(domain.slice(domain.lastIndexOf(".") + 1))) return true;
  }
  return false;
}

function toDigits(text: string): readonly Digits[] {
  return Array.from(text.matchAll(/\d+/g), (match) => {
    return { text: match[0], start: match.index, end: match.index + match[0].length };
  });
}

/** The digits from the first group on, as long as one mark or two stand between them; one text for each group's end. */
function* joined(text: string, groups: readonly Digits[], marks: RegExp): Generator<string> {
  let [digits, end] = ["", groups[0]?.start ?? 0];
  for (const group of groups) {
    if (digits !== "" && !marks.test(text.slice(end, group.start))) return;
    digits += group.text;
    ({ end } = group);
    if (digits.length > MAX_CARD) return;
    yield digits;
  }
}

function isCard(text: string, groups: readonly Digits[]): boolean {
  return joined(text, groups, /^[ -]$/).some((digits) => digits.length >= MIN_CARD && isLuhn(digits));
}

function isLuhn(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0 && /[1-9]/.test(digits);
}

function isPhone(text: string, groups: readonly Digits[]): boolean {
  const [first, second, third] = groups;
  if (first === undefined || isPartOfWord(text, first)) return false;
  const sizes = [first, second, third].map((group) => group?.text.length).join();
  const last = third ?? first;
  if (sizes === "3,3,4" && joined(text, groups.slice(0, 3), /^[ .)-]{1,2}$/).some(({ length }) => length === 10))
    return !/[\p{L}_]/u.test(text.charAt(last.end));
  const all = [...joined(text, groups, /^[ .()-]{1,2}$/)];
  if (text.charAt(first.start - 1) === "+") return all.some(({ length }) => length >= 8 && length <= 15);
  // Inside a longer number a group may begin with 0 too.
  const isAlone = !/\d[ .()-]{0,2}$/.test(text.slice(Math.max(0, first.start - 3), first.start));
  const length = all.at(-1)?.length ?? 0;
  return isAlone && first.text.startsWith("0") && length >= 9 && length <= 11;
}

/** Whether letters or further figures touch a number: then it is a name or an amount. */
function isPartOfWord(text: string, { start, end }: Digits): boolean {
  return /[\p{L}\d_.,-]/u.test(text.charAt(start - 1)) || /[\p{L}_]/u.test(text.charAt(end));
}

function hasIban(text: string): boolean {
  for (const { index } of text.matchAll(/[A-Za-z]{2}\d{2}/g)) {
    if (!/[A-Za-z0-9]/.test(text.charAt(index - 1)) && isIban(text, index)) return true;
  }
  return false;
}

/** Whether an IBAN begins here; its groups may have a space between them. */
function isIban(text: string, from: number): boolean {
  let iban = "";
  for (let at = from; at < text.length && iban.length < MAX_IBAN; at++) {
    const char = text.charAt(at);
    const isEnd = !/[A-Za-z0-9]/.test(text.charAt(at + 1));
    if (char === " " && !isEnd) continue;
    if (!/[A-Za-z0-9]/.test(char)) return false;
    iban += char.toUpperCase();
    if (isEnd && iban.length >= MIN_IBAN && toRest(iban) === 1) return true;
  }
  return false;
}

/** The rest modulo 97 of an IBAN as a number, its first four characters last and letters as 10 to 35. */
function toRest(iban: string): number {
  let rest = 0;
  for (const char of iban.slice(4) + iban.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}
