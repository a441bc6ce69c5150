/**
 * Ground: holds every number of an answer against the facts.
 *
 * A reference to a fact of the run is backed, whatever words are around it. A number that the model wrote itself must
 * equal a fact at its printed precision, in its unit, and the names around it must not be another symbol's, metric's or
 * period's; or it is the user's own, and quoted. Ordinals, list numbers, dates and parameters need no fact.
 */
import type { Fact } from "../facts/fact.ts";
import { type Attribute, attributeBy, type Piece, pieceAt, toPieces } from "./attribution.ts";
import type { AnswerText, GroundingEvidence, Grounding, Unverified } from "./grounding.ts";
import { findMentions, fold, type Mention, type Phrase } from "./mention.ts";
import { createPlainCheck, yearsIn } from "./plain-number.ts";
import { type NumberReading, type NumberToken, scanNumbers } from "./number-scan.ts";
import { isOverlapped, type TextRange } from "./range.ts";
import type { FigureSpan } from "./reference-stream.ts";

/** One kind of names, and whose a fact is. */
interface Dimension {
  readonly what: "symbol" | "metric" | "period";
  readonly attribute: Attribute;
  readonly keysOf: (fact: Fact) => readonly string[];
}

interface Around {
  readonly pieces: readonly Piece[];
  readonly dimensions: readonly Dimension[];
  readonly text: string;
}

/** A longer answer is not read to its end. */
const MAX_CHECKED_CHARS = 32_000;

/** Checks the numbers of an answer against the facts. */
export function ground({ text: whole, spans, missing }: AnswerText, evidence: GroundingEvidence): Grounding {
  const text = whole.slice(0, MAX_CHECKED_CHARS);
  const { facts, language } = evidence;
  const written = [...spans, ...missing].toSorted(byStart);
  const isPlain = createPlainCheck(text, evidence);
  const tokens = scanNumbers(text, language).filter((token) => !isOverlapped(written, token) && !isPlain(token));
  const figures = [...written, ...tokens].toSorted(byStart);
  const around = toAround(text, evidence, figures);
  const byValue = facts
    .map((fact, order) => ({ fact, order }))
    .toSorted((one, other) => one.fact.value - other.fact.value);
  const unverified: Unverified[] = missing.map(({ start, fact }) => ({
    text: `{${fact}}`,
    at: start,
    why: "there is no such fact",
    isFigure: true,
  }));
  if (text.length < whole.length) {
    const why = `the answer is longer than ${MAX_CHECKED_CHARS} characters: numbers after that are not checked`;
    unverified.push({ text: "…", at: text.length, why, isFigure: false });
  }
  const backed: FigureSpan[] = [...spans];
  const isOwn = createOwnCheck(evidence);
  let quoted = 0;
  for (const token of tokens) {
    const found = match(token, byValue, around);
    if (typeof found !== "string") backed.push({ start: token.start, end: token.end, fact: found.id });
    else if (isOwn(token)) quoted += 1;
    else unverified.push({ text: token.text, at: token.start, why: found, isFigure: isFigure(token) });
  }
  return {
    figures: figures.length,
    referenced: spans.length,
    matched: backed.length - spans.length,
    quoted,
    unverified: unverified.toSorted((one, other) => one.at - other.at),
    spans: backed.toSorted(byStart),
  };
}

/** Whether a number is money, a price, a percentage or a ratio: it has a unit, or decimals. */
const isFigure = ({ unit, digits, readings }: NumberToken): boolean =>
  unit !== undefined || /[.,]\d/.test(digits) || (readings[0]?.step ?? 1) < 1;

/** Finds the numbers that the user wrote in this conversation. */
function createOwnCheck({ said }: GroundingEvidence): (token: NumberToken) => boolean {
  const own = new Set(said.flatMap((text) => scanNumbers(text).flatMap(valuesOf)));
  return (token) => valuesOf(token).some((value) => own.has(value));
}

const valuesOf = ({ readings }: NumberToken): readonly number[] => readings.map(({ value }) => Math.abs(value));

const byStart = (one: TextRange, other: TextRange): number => one.start - other.start;

function toAround(text: string, { facts, names, wordsOf }: GroundingEvidence, figures: readonly TextRange[]): Around {
  const folded = fold(text);
  const pieces = toPieces(text);
  const symbols = [...new Set([...facts.map(({ symbol }) => symbol), ...names.keys()])];
  const symbolPhrases = symbols.flatMap((key): Phrase[] =>
    [key, ...(names.get(key) ?? [])].map((name) => ({ text: name, key, isExact: isShortCode(name) })),
  );
  const metrics = [...new Set(facts.map(({ metric }) => metric))];
  const metricPhrases = metrics.flatMap((key): Phrase[] =>
    [key, withoutBrackets(key), ...wordsOf(key)].map((name) => ({ text: name, key })),
  );
  const years = yearsIn(text).map(({ year, start, end }): Mention => ({ key: String(year), start, end }));
  const attribute = (mentions: readonly Mention[]) => attributeBy({ pieces, mentions, figures, isInherited: false });
  const bySymbol = attributeBy({ pieces, mentions: findMentions(folded, symbolPhrases), figures, isInherited: true });
  return {
    pieces,
    text,
    dimensions: [
      { what: "symbol", attribute: bySymbol, keysOf: ({ symbol }) => symbol.split(",") },
      { what: "metric", attribute: attribute(findMentions(folded, metricPhrases)), keysOf: ({ metric }) => [metric] },
      { what: "period", attribute: attribute(years), keysOf: yearsOf },
    ],
  };
}

/** `A`, `MA`, `ALL`: a short code is a word in another case. */
const isShortCode = (name: string): boolean => name.length <= 5 && name === name.toUpperCase();

/** `RSI(14)` is also called RSI. */
const withoutBrackets = (metric: string): string => (metric.split("(", 1)[0] ?? metric).trim();

/** The years that a fact may be said to be of. */
function yearsOf({ period, as_of }: Fact): readonly string[] {
  const toYears = (texts: readonly (string | undefined)[]) =>
    texts.flatMap((text) => yearsIn(text ?? "").map(({ year }) => year));
  const named = toYears([period?.label]);
  if (named.length > 0) return [...named, ...toYears([period?.end])].map(String);
  const years = toYears(period === undefined ? [as_of] : [period.start, period.end]);
  const [start, end] = [Math.min(...years), Math.max(...years)];
  // What spans years belongs to each of them.
  return years.length === 0 ? [] : Array.from({ length: end - start + 1 }, (_, n) => String(start + n));
}

/** The names that the text around a figure says it belongs to. */
type Said = readonly Readonly<{ dimension: Dimension; names: ReadonlySet<string> }>[];

function saidAt(place: TextRange, { dimensions }: Around): Said {
  return dimensions.flatMap((dimension) => {
    const names = dimension.attribute(place);
    return names === undefined ? [] : [{ dimension, names }];
  });
}

/** Returns a conflict between the text around a figure and the fact. */
function findConflict(fact: Fact, said: Said): string | undefined {
  for (const { dimension, names } of said) {
    const keys = dimension.keysOf(fact);
    if (keys.length === 0 || keys.some((key) => names.has(key))) continue;
    return `the ${dimension.what} there is ${[...names].join(" or ")}, the fact's is ${keys.join(", ")}`;
  }
  return undefined;
}

/** Facts of the same value beyond so many are not looked at. */
const MAX_EQUAL = 100;

/** A fact and its place among all facts. */
type Ordered = Readonly<{ fact: Fact; order: number }>;

function match(token: NumberToken, byValue: readonly Ordered[], around: Around): Fact | string {
  const equal = findEqual(token, byValue, around);
  if (equal.length === 0) return "no fact has this value";
  const said = saidAt(token, around);
  const free = equal.find((fact) => findConflict(fact, said) === undefined);
  if (free !== undefined) return free;
  const [first] = equal;
  return (first && findConflict(first, said)) ?? "no fact has this value";
}

/** The facts that a number may stand for. A loss may be written without its minus: "fell by 3 %". */
function findEqual(token: NumberToken, byValue: readonly Ordered[], around: Around): readonly Fact[] {
  const { readings, isSigned, start } = token;
  const head = headOf(start, around);
  const fits = ({ fact }: Ordered): boolean => isSameUnit(token, fact, head);
  const equal = readings.flatMap((reading) => {
    const same = factsNear(reading, byValue).filter(fits);
    const losses = isSigned ? [] : factsNear({ ...reading, value: -reading.value }, byValue).filter(fits);
    return losses.length > 0 && reading.value > 0 ? [...same, ...losses] : same;
  });
  return equal.toSorted((one, other) => one.order - other.order).map(({ fact }) => fact);
}

const ROUNDING = 1 + 1e-9;

/** Facts whose value is a number at its printed precision. */
function factsNear({ value, step }: NumberReading, byValue: readonly Ordered[]): readonly Ordered[] {
  const reach = (step / 2) * ROUNDING;
  let [low, high] = [0, byValue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byValue[middle]?.fact.value ?? Infinity) < value - reach) low = middle + 1;
    else high = middle;
  }
  const near: Ordered[] = [];
  for (let at = low; at < byValue.length && near.length < MAX_EQUAL; at += 1) {
    const one = byValue[at];
    if (one === undefined || one.fact.value - value > reach) break;
    near.push(one);
  }
  return near;
}

function isSameUnit({ unit, currency }: NumberToken, fact: Fact, head: string): boolean {
  const isMoney = fact.unit.startsWith("money");
  if (unit === "percent") return fact.unit === "percent";
  if (unit === "money") return isMoney && (currency === undefined || fact.currency === currency);
  // A column of percentages says so in its head.
  return fact.unit !== "percent" || head.includes("%");
}

function headOf(at: number, { pieces, text }: Around): string {
  const head = pieceAt(pieces, at)?.head;
  return head === undefined ? "" : text.slice(head.start, head.end);
}
