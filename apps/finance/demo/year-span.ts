/**
 * Year span: the years that a question names, such as `in 2015`, `from 2010 to 2015`, `since 2012` or `last 3 years`.
 */
import { keysAt, type Token } from "./token.ts";

/** Calendar or fiscal years, or the newest so many. */
export type YearSpan = Readonly<{ from: number; to?: number }> | Readonly<{ last: number }>;

/** Years as they are found, word by word. */
export interface FoundYears {
  readonly named: number[];
  isOpenEnded: boolean;
  last?: number;
}

const YEARS_BEFORE: ReadonlySet<string> = new Set([
  "from",
  "since",
  "fy",
  "nam",
  "tu",
  "tu nam",
  "fiscal",
  "to",
  "den",
]);
const OPEN_ENDED: ReadonlySet<string> = new Set(["since", "tu", "ke tu"]);
const LAST: ReadonlySet<string> = new Set(["last", "past", "over the last", "over the past", "trong"]);
const YEARS: ReadonlySet<string> = new Set(["years", "year", "nam"]);
const LAST_AFTER: ReadonlySet<string> = new Set(["qua", "gan nhat", "gan day"]);

/** Takes `2015`, `from 2010`, `since 2012`, `last 3 years` or `3 năm qua`; the number of words, 0 if there is none. */
export function takeYears(found: FoundYears, tokens: readonly Token[], at: number): number {
  for (const words of [2, 1, 0]) {
    const before = keysAt(tokens, at, words);
    const token = tokens[at + words];
    if (token?.number === undefined || (words > 0 && !YEARS_BEFORE.has(before))) continue;
    if (!/^(?:19|20)\d\d$/.test(token.text)) continue;
    found.named.push(token.number);
    found.isOpenEnded ||= OPEN_ENDED.has(before);
    return words + 1;
  }
  const words = [3, 1, 0].find((count) => count === 0 || LAST.has(keysAt(tokens, at, count))) ?? 0;
  const count = tokens[at + words]?.number;
  if (count === undefined || !Number.isInteger(count) || !YEARS.has(tokens[at + words + 1]?.key ?? "")) return 0;
  const after = [2, 1].find((length) => LAST_AFTER.has(keysAt(tokens, at + words + 2, length))) ?? 0;
  if (words + after === 0) return 0;
  found.last = count;
  return words + 2 + after;
}

/** `in 2015` is one year, `2010 to 2015` a span, `since 2012` has no end. */
export function toSpan({ named, isOpenEnded, last }: FoundYears): Readonly<{ years?: YearSpan }> {
  const [from, to] = named.toSorted((one, other) => one - other);
  if (from === undefined) return last === undefined ? {} : { years: { last } };
  return { years: to === undefined && isOpenEnded ? { from } : { from, to: to ?? from } };
}
