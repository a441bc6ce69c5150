/**
 * Plain number: a number that says nothing which a fact would have to back.
 *
 * Ordinals, list numbers and footnotes; years and dates of a fact or the question; the length of a window that a
 * metric's name has; numbers inside names; and the numbers of usual rules beside the name of their metric.
 */
import type { Evidence } from "./grounding.ts";
import { findMentions, fold } from "./mention.ts";
import type { NumberToken } from "./number-scan.ts";

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

type Answered = Readonly<{ text: string; evidence: Evidence }>;

/** Whether a number needs no fact. */
export function isPlainNumber(token: NumberToken, { text, evidence }: Answered): boolean {
  if (isInName(token, { text, evidence }) || isInMoment(token, { text, evidence })) return true;
  if (token.unit !== undefined || token.isSigned) return isThreshold(token, { text, evidence });
  return (
    isListNumber(token, text) ||
    isOrdinal(token, text) ||
    isKnownDate(token, { text, evidence }) ||
    isWindow(token, { text, evidence }) ||
    isThreshold(token, { text, evidence })
  );
}

/** `1. `, `2) `, `[3]` and `(4)` at the beginning of a line or as a footnote. */
function isListNumber({ start, end, digits }: NumberToken, text: string): boolean {
  if (digits.length > 2) return false;
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const before = text.slice(lineStart, start).trim();
  const isAlone = before === "" || /^(?:[#>*+-]|\*\*|#+)+$/.test(before);
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
function isKnownDate(token: NumberToken, { text, evidence }: Answered): boolean {
  const { value, start, end, digits } = token;
  if (!Number.isInteger(value) || digits.length > 4) return false;
  const known = toDates(evidence);
  if (digits.length === 4) return known.years.has(value);
  const before = text.slice(Math.max(0, start - 12), start).toLowerCase();
  const after = text.slice(end, end + 12).toLowerCase();
  const isDatePart =
    /[/-]\s?$/.test(before) ||
    /^\s?[/-]\d/.test(after) ||
    MONTHS.some((month) => new RegExp(`${month}\\.?\\s$`, "u").test(before) || after.trimStart().startsWith(month));
  return isDatePart && known.parts.has(value);
}

function toDates({
  facts,
  question,
  moments = [],
}: Evidence): Readonly<{ years: ReadonlySet<number>; parts: ReadonlySet<number> }> {
  const texts = facts.flatMap(({ as_of, period }) => [
    as_of,
    period?.start ?? "",
    period?.end ?? "",
    period?.label ?? "",
  ]);
  const years = [question, ...texts, ...moments].flatMap((one) => yearsIn(one).map(({ year }) => year));
  const days = texts.flatMap((one) => /^\d{4}-(\d{2})-(\d{2})/.exec(one)?.slice(1, 3) ?? []);
  const asked = Array.from(question.matchAll(/\d{1,2}/g), ([found]) => found);
  return { years: new Set(years), parts: new Set([...days, ...asked].map(Number)) };
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
function isWindow({ start, end, value }: NumberToken, { text, evidence }: Answered): boolean {
  const windows = new Set(
    evidence.facts.flatMap(({ metric }) => Array.from(metric.matchAll(/\d+/g), ([found]) => Number(found))),
  );
  if (!windows.has(value)) return false;
  const after = text
    .slice(end, end + 10)
    .trimStart()
    .toLowerCase();
  const isSpan = SPANS.some((word) => after.startsWith(word));
  const isInBrackets =
    /\([\d,;\s.]*$/.test(text.slice(Math.max(0, start - 20), start)) && /^[\d,;\s.]*\)/.test(text.slice(end, end + 20));
  const isAfterName = evidence.facts.some(({ metric }) => {
    const [name = ""] = metric.split("(", 1);
    return text.slice(0, start).trimEnd().toLowerCase().endsWith(name.trim().toLowerCase());
  });
  return isSpan || isInBrackets || isAfterName;
}

/** `S&P 500`, `Russell 2000`, `BB(20,2)`, `VaR(95 %)`: a name has the number. */
function isInName({ start, end }: NumberToken, { text, evidence }: Answered): boolean {
  const from = Math.max(0, start - 60);
  const part = text.slice(from, end + 60);
  // Also without the words after its brackets: `BB(20,2)` of `BB(20,2) upper band`.
  const metrics = [
    ...new Set(evidence.facts.flatMap(({ metric }) => [metric, metric.slice(0, metric.indexOf(")") + 1)])),
  ];
  const names = [...evidence.names.values(), metrics, ...metrics.map((metric) => evidence.wordsOf(metric))].flat();
  const numbered = names.filter((name) => /\d/.test(name)).map((name) => ({ text: name, key: name }));
  return findMentions(fold(part), numbered).some((one) => one.start + from <= start && one.end + from >= end);
}

/** A day or a time of day that a result has, written as it is there: `2024-11-22`, `16:00`. */
function isInMoment({ start, end }: NumberToken, { text, evidence }: Answered): boolean {
  const shown = new Set((evidence.moments ?? []).flatMap((moment) => [moment.slice(0, 10), moment.slice(11, 16)]));
  return [...shown].some((moment) => {
    const at = moment === "" ? -1 : text.indexOf(moment, Math.max(0, end - moment.length));
    return at !== -1 && at <= start && at + moment.length >= end;
  });
}

/** 70 beside the name of an oscillator: the number of a usual rule. */
function isThreshold({ start, end, value }: NumberToken, { text, evidence }: Answered): boolean {
  const lineStart = text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", end);
  const line = text.slice(lineStart, next === -1 ? text.length : next);
  const words = [...evidence.thresholds].filter(([, numbers]) => numbers.includes(value)).map(([word]) => word);
  return (
    findMentions(
      fold(line),
      words.map((word) => ({ text: word, key: word })),
    ).length > 0
  );
}
