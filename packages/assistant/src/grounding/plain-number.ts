/**
 * Plain number: a number that says nothing which a fact would have to back.
 *
 * Ordinals, list numbers and footnotes; years and dates of a fact or the question; the length of a window that a
 * metric's name has; numbers inside names; and the numbers of usual rules beside the name of their metric.
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
  readonly years: ReadonlySet<number>;
  /** Days and months. */
  readonly dateParts: ReadonlySet<number>;
  /** Numbers in the names of metrics, and these names without their brackets. */
  readonly windows: ReadonlySet<number>;
  readonly metrics: readonly string[];
  /** Names that have a number, in the text. */
  readonly named: readonly Mention[];
  readonly moments: readonly string[];
  /** The lines that name a metric with a usual rule about this number. */
  readonly ruled: (value: number) => ReadonlySet<number>;
}

/** A check whether a number of the text needs no fact. */
export function createPlainCheck(text: string, evidence: GroundingEvidence): (token: NumberToken) => boolean {
  const known = toKnown(text, evidence);
  return (token) => {
    if (isInName(token, known) || isInMoment(token, known)) return true;
    if (token.unit !== undefined || token.isSigned) return isThreshold(token, known);
    return (
      isListNumber(token, known) ||
      isOrdinal(token, text) ||
      isKnownDate(token, known) ||
      isWindow(token, known) ||
      isThreshold(token, known)
    );
  };
}

function toKnown(text: string, evidence: GroundingEvidence): Known {
  const { facts, moments = [] } = evidence;
  const folded = fold(text);
  const metrics = [...new Set(facts.map(({ metric }) => metric))];
  const lines = toLines(text);
  return {
    text,
    lines,
    ...toDates(evidence),
    windows: new Set(metrics.flatMap((metric) => Array.from(metric.matchAll(/\d+/g), ([found]) => Number(found)))),
    metrics: [...new Set(metrics.map((metric) => (metric.split("(", 1)[0] ?? "").trim().toLowerCase()))],
    named: findMentions(folded, toNumbered(metrics, evidence)),
    moments: [...new Set(moments.flatMap((moment) => [moment.slice(0, 10), moment.slice(11, 16)]))],
    ruled: createRuleLookup(folded, lines, evidence),
  };
}

function toLines(text: string): readonly TextRange[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts.map((start, index) => ({ start, end: (starts[index + 1] ?? text.length + 1) - 1 }));
}

/** `S&P 500`, `Russell 2000`, `BB(20,2)`, `VaR(95 %)`; also without the words after the brackets of a metric. */
function toNumbered(metrics: readonly string[], { names, wordsOf }: GroundingEvidence): readonly Phrase[] {
  const short = metrics.map((metric) => metric.slice(0, metric.indexOf(")") + 1));
  const own = [...new Set([...metrics, ...short])];
  const all = new Set([...[...names.values()].flat(), ...own, ...own.flatMap((metric) => wordsOf(metric))]);
  return [...all].filter((name) => /\d/.test(name)).map((name) => ({ text: name, key: name }));
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
  const isAlone = before === "" || /^[#>*+-]+$/.test(before);
  if (isAlone && (text[end] === "." || text[end] === ")" || text[end] === ":")) return true;
  return text[start - 1] === "[" && text[end] === "]";
}

const ORDINAL_ENDS = ["st", "nd", "rd", "th"];
const ORDINAL_WORDS = ["thứ", "hạng", "no.", "#", "top", "bước", "step", "quý", "quarter", "item", "mục", "level"];

function isOrdinal({ start, end }: NumberToken, text: string): boolean {
  if (ORDINAL_ENDS.some((word) => text.startsWith(word, end))) return true;
  const before = text
    .slice(Math.max(0, start - 10), start)
    .trimEnd()
    .toLowerCase();
  return ORDINAL_WORDS.some((word) => before.endsWith(word));
}

const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
  "jan",
  "feb",
  "mar",
  "apr",
  "jun",
  "jul",
  "aug",
  "sep",
  "sept",
  "oct",
  "nov",
  "dec",
  "tháng",
  "ngày",
  "năm",
];

/** A year, or the day or month of a date, that a fact or the question has. */
function isKnownDate({ value, start, end, digits }: NumberToken, { text, years, dateParts }: Known): boolean {
  if (!Number.isInteger(value) || digits.length > 4) return false;
  if (digits.length === 4) return years.has(value);
  if (!dateParts.has(value)) return false;
  const before = text.slice(Math.max(0, start - 12), start).toLowerCase();
  const after = text.slice(end, end + 12).toLowerCase();
  if (/[/-]\s?$/.test(before) || /^\s?[/-]\d/.test(after)) return true;
  const word = /\s$/.test(before) ? before.slice(0, -1).replace(/\.$/, "") : "";
  return MONTHS.some((month) => word.endsWith(month) || after.trimStart().startsWith(month));
}

function toDates({ facts, question, moments = [] }: GroundingEvidence): Pick<Known, "years" | "dateParts"> {
  const texts = facts.flatMap(({ as_of, period }) => [
    as_of,
    period?.start ?? "",
    period?.end ?? "",
    period?.label ?? "",
  ]);
  const years = [question, ...texts, ...moments].flatMap((one) => yearsIn(one).map(({ year }) => year));
  const days = texts.flatMap((one) => /^\d{4}-(\d{2})-(\d{2})/.exec(one)?.slice(1, 3) ?? []);
  const asked = Array.from(question.matchAll(/\d{1,2}/g), ([found]) => found);
  return { years: new Set(years), dateParts: new Set([...days, ...asked].map(Number)) };
}

const SPANS = [
  "day",
  "week",
  "month",
  "year",
  "hour",
  "session",
  "period",
  "bar",
  "ngày",
  "tuần",
  "tháng",
  "năm",
  "giờ",
  "phiên",
  "kỳ",
];

/** `(14)` after a name, `20 ngày`, `SMA 50`: if a metric's name has this number. */
function isWindow({ start, end, value }: NumberToken, { text, windows, metrics }: Known): boolean {
  if (!windows.has(value)) return false;
  const after = text
    .slice(end, end + 10)
    .trimStart()
    .toLowerCase();
  const isSpan = SPANS.some((word) => after.startsWith(word));
  const isInBrackets =
    /\([\d,;\s.]*$/.test(text.slice(Math.max(0, start - 20), start)) && /^[\d,;\s.]*\)/.test(text.slice(end, end + 20));
  const before = text
    .slice(Math.max(0, start - MAX_METRIC_CHARS), start)
    .trimEnd()
    .toLowerCase();
  return isSpan || isInBrackets || metrics.some((name) => before.endsWith(name));
}

const MAX_METRIC_CHARS = 120;

/** `S&P 500`, `Russell 2000`, `BB(20,2)`, `VaR(95 %)`: a name has the number. */
function isInName({ start, end }: NumberToken, { named }: Known): boolean {
  const name = named[indexBefore(named, start)];
  return name !== undefined && name.end >= end;
}

/** A day or a time of day that a result has, written as it is there: `2024-11-22`, `16:00`. */
function isInMoment({ start, end }: NumberToken, { text, moments }: Known): boolean {
  return moments.some((moment) => {
    const from = Math.max(0, end - moment.length);
    return moment !== "" && text.slice(from, start + moment.length).includes(moment);
  });
}

/** 70 beside the name of an oscillator: the number of a usual rule. */
function isThreshold({ start, value }: NumberToken, { lines, ruled }: Known): boolean {
  return ruled(value).has(indexBefore(lines, start));
}
