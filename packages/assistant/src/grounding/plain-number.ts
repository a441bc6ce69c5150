/**
 * Plain number: a number that says nothing which a fact would have to back.
 *
 * Ordinals, list numbers and footnotes; years, dates and times; small counts that no metric's name comes before; numbers
 * inside names; the parameters in a metric's name; and the numbers of usual rules beside the name of their metric.
 */
import type { GroundingEvidence } from "./grounding.ts";
import { findMentions, fold, type Folded, type Mention, type Phrase } from "./mention.ts";
import type { NumberToken } from "./number-scan.ts";
import { indexBefore, type TextRange } from "./range.ts";

/** A year in a text. */
export type Year = Readonly<{ year: number; start: number; end: number }>;

const YEAR = /(?<![\d.,$€£])(?:19|20)\d{2}(?![\d%]|[.,]\d)/gu;

/** The years that a text names, also in `FY2016` and in dates. */
export function yearsIn(text: string): readonly Year[] {
  return Array.from(text.matchAll(YEAR), ({ 0: found, index }) => ({
    year: Number(found),
    start: index,
    end: index + found.length,
  }));
}

/** Data that is read once for an answer, however many numbers it has. */
interface Known {
  readonly text: string;
  readonly lines: readonly TextRange[];
  /** Numbers in the names of metrics, and the percentages among them. */
  readonly parameters: ReadonlySet<number>;
  readonly percentages: ReadonlySet<number>;
  /** The places of names of metrics. */
  readonly metrics: readonly Mention[];
  /** Names that have a number, in the text. */
  readonly named: readonly Mention[];
  /** The lines that name a metric with a usual rule about this number. */
  readonly ruled: (value: number) => ReadonlySet<number>;
}

/** A check whether a number of the text needs no fact. */
export function createPlainCheck(text: string, evidence: GroundingEvidence): (token: NumberToken) => boolean {
  const known = toKnown(text, evidence);
  return (token) => {
    if (isInName(token, known)) return true;
    if (isRule(token, known) || isParameter(token, known)) return true;
    if (token.unit !== undefined || token.isSigned) return false;
    return (
      isModelName(token, text) ||
      isListNumber(token, known) ||
      isOrdinal(token, text) ||
      isMoment(token, text) ||
      isCount(token, known)
    );
  };
}

function toKnown(text: string, evidence: GroundingEvidence): Known {
  const folded = fold(text);
  const metrics = [...new Set(evidence.facts.map(({ metric }) => metric))];
  const lines = toLines(text);
  const words = [...new Set([...metrics, ...evidence.thresholds.keys()])].flatMap((metric) => [
    metric,
    (metric.split("(", 1)[0] ?? "").trim(),
    ...evidence.wordsOf(metric),
  ]);
  return {
    text,
    lines,
    parameters: new Set(metrics.flatMap((metric) => Array.from(metric.matchAll(/\d+/g), ([found]) => Number(found)))),
    percentages: new Set(
      metrics.flatMap((metric) => Array.from(metric.matchAll(/(\d+(?:\.\d+)?)\s?%/g), ([, found]) => Number(found))),
    ),
    metrics: findMentions(folded, toPhrases(words)),
    named: findMentions(folded, toNumbered(metrics, evidence)),
    ruled: createRuleLookup(folded, lines, evidence),
  };
}

const toPhrases = (words: readonly string[]): readonly Phrase[] =>
  [...new Set(words)].filter((word) => word.length > 1).map((word) => ({ text: word, key: word }));

function toLines(text: string): readonly TextRange[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts.map((start, index) => ({ start, end: (starts[index + 1] ?? text.length + 1) - 1 }));
}

/** `S&P 500`, `Russell 2000`, `BB(20,2)`, `VaR(95 %)`; also without the words after the brackets of a metric. */
function toNumbered(metrics: readonly string[], { names, wordsOf }: GroundingEvidence): readonly Phrase[] {
  const short = metrics.map((metric) => metric.slice(0, metric.indexOf(")") + 1));
  const own = [...new Set([...metrics, ...short])];
  const all = [...[...names.values()].flat(), ...own, ...own.flatMap((metric) => wordsOf(metric))];
  return toPhrases(all.filter((name) => /\d/.test(name)));
}

/** 70 beside the name of an oscillator: the number of a usual rule. */
function createRuleLookup(
  folded: Folded,
  lines: readonly TextRange[],
  { thresholds }: GroundingEvidence,
): Known["ruled"] {
  const found = new Map<number, ReadonlySet<number>>();
  return (value) => {
    const words = [...thresholds].filter(([, numbers]) => numbers.includes(value)).map(([word]) => word);
    if (words.length === 0) return NO_LINES;
    const mentions = () =>
      findMentions(
        folded,
        words.map((word) => ({ text: word, key: word })),
      );
    const ruled = found.get(value) ?? new Set(mentions().map(({ start }) => indexBefore(lines, start)));
    found.set(value, ruled);
    return ruled;
  };
}

const NO_LINES: ReadonlySet<number> = new Set();

/** `1. `, `2) `, `[3]` and `(4)` at the beginning of a line or as a footnote. */
function isListNumber({ start, end, digits }: NumberToken, { text, lines }: Known): boolean {
  if (digits.length > 2) return false;
  const before = text.slice(lines[indexBefore(lines, start)]?.start, start).trim();
  const isAlone = before === "" || /^[#>*+|-]+$/.test(before);
  if (isAlone && /^[.):、．]/.test(text.slice(end, end + 1))) return true;
  return text[start - 1] === "[" && text[end] === "]";
}

/** `1st`, `#2`, `№ 3`, `第4`. */
function isOrdinal({ start, end }: NumberToken, text: string): boolean {
  if (/^(?:st|nd|rd|th|er|re|e|ª|º|°)(?!\p{L})/u.test(text.slice(end, end + 3))) return true;
  return /(?:#|№|no\.|第|thứ)\s?$/iu.test(text.slice(Math.max(0, start - 6), start));
}

const MAX_DAY = 31;

/** A year; a part of a date or time with its marks: `22/11`, `16:30`, `2024-11-22`, `22.11.2024`, `11月22日`. */
function isMoment({ start, end, digits, readings }: NumberToken, text: string): boolean {
  if (/^(?:19|20)\d\d$/.test(digits)) return true;
  if (/^\d{1,2}\.\d{1,2}\.(?:\d\d)?\d\d$/.test(digits)) return true;
  const isSmall = (readings[0]?.value ?? Infinity) <= 59 && /^\d{1,2}$/.test(digits);
  if (!isSmall) return false;
  if (isDayOfMonth(text, { start, end })) return true;
  const [before, after] = [text.slice(Math.max(0, start - 2), start), text.slice(end, end + 2)];
  return /\d[/:.-]$/.test(before) || /^[/:-]\d|^[年月日時时点]/.test(after) || /[/:]$/.test(before);
}

const YEAR_SOON = /^\.?\s+(?:\p{L}+\.?,?\s+){1,3}(?:19|20)\d\d(?!\d)/u;
/** `22 tháng 11 năm 2024`. */
const MONTH_NUMBER_SOON = /^\s+\p{L}+\s+\d{1,2},?\s+(?:\p{L}+\s+)?(?:19|20)\d\d(?!\d)/u;
const YEAR_NEXT = /^,?\s+(?:19|20)\d\d(?!\d)/;

/** `22 November 2024`, `22 tháng 11 2024`, `November 22, 2024`: a year follows within a few words. */
function isDayOfMonth(text: string, { start, end }: TextRange): boolean {
  const after = text.slice(end, end + 40);
  return (
    YEAR_SOON.test(after) ||
    MONTH_NUMBER_SOON.test(after) ||
    (YEAR_NEXT.test(after) && /\p{L}\.?\s$/u.test(text.slice(Math.max(0, start - 4), start)))
  );
}

/** The room before a number in which a metric's name says that it is that metric's value. */
const NEAR = 28;

/** A small whole number counts something, unless a metric's name comes before it in the same line. */
function isCount({ start, digits, readings }: NumberToken, { text, metrics }: Known): boolean {
  const value = readings[0]?.value ?? Infinity;
  if (!/^\d{1,2}$/.test(digits) || value > MAX_DAY) return false;
  const near = metrics[indexBefore(metrics, start)];
  if (near === undefined || start - near.end > NEAR) return true;
  return /[\n.,;|]/.test(text.slice(near.end, start));
}

/** `(14)` after a name, `200-day`, `SMA 50`: a metric's name has this number. */
function isParameter(
  { start, end, readings, unit, digits }: NumberToken,
  { text, parameters, percentages, metrics }: Known,
): boolean {
  const [reading] = readings;
  // `effect of a fall of 20 %`, `value at a discount of 10 %`: the case that a figure is of.
  if (reading !== undefined && unit === "percent" && percentages.has(Math.abs(reading.value))) return true;
  if (reading === undefined || !parameters.has(reading.value) || !/^\d+$/.test(digits)) return false;
  const isInBrackets =
    /\([\d,;\s.%]*$/.test(text.slice(Math.max(0, start - 20), start)) &&
    /^[\d,;\s.%]*\)/.test(text.slice(end, end + 20));
  const near = metrics[indexBefore(metrics, start)];
  const isBeside = near !== undefined && start - near.end <= 2 && start >= near.end;
  return isInBrackets || isBeside || (unit === undefined && /^[\s-]\p{L}/u.test(text.slice(end, end + 2)));
}

/** `737 MAX`, `500 ETF`: a whole number before a word in capitals is part of a name. */
const isModelName = ({ end, digits }: NumberToken, text: string): boolean =>
  /^\d+$/.test(digits) && /^ \p{Lu}{2,}(?!\p{L})/u.test(text.slice(end, end + 24));

/** `S&P 500`, `Russell 2000`, `BB(20,2)`, `VaR(95 %)`: a name has the number. */
function isInName({ start, end }: NumberToken, { named }: Known): boolean {
  const name = named[indexBefore(named, start)];
  return name !== undefined && name.end >= Math.min(end, start + 1) && name.start <= start && name.end > start;
}

/** 70 in an answer about an oscillator: the number of a usual rule; with a unit only beside its name. */
function isRule({ start, readings, unit }: NumberToken, { lines, ruled }: Known): boolean {
  const found = ruled(readings[0]?.value ?? Number.NaN);
  return found.has(indexBefore(lines, start)) || (unit === undefined && found.size > 0);
}
