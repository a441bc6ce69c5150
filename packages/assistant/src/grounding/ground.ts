/**
 * Ground: holds every number of an answer against the facts.
 *
 * A reference is backed if its fact exists and the text around it does not name another symbol, metric or period. A
 * number that the model wrote itself must in addition equal a fact at its printed precision, in its unit. Ordinals,
 * list numbers, lengths of windows, and dates of a fact or the question need no fact.
 */
import type { Fact } from "../facts/fact.ts";
import { type Attribute, attributeBy, type Piece, pieceAt, toPieces } from "./attribution.ts";
import type { AnswerText, GroundingEvidence, Grounding, Unverified } from "./grounding.ts";
import { findMentions, fold, type Mention, type Phrase } from "./mention.ts";
import { createPlainCheck, yearsIn } from "./plain-number.ts";
import { type NumberToken, scanNumbers } from "./number-scan.ts";
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
  /** Whether the sentence of an offset says that something was lost. */
  readonly saysLoss: (at: number) => boolean;
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
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const byValue = facts
    .map((fact, order) => ({ fact, order }))
    .toSorted((one, other) => one.fact.value - other.fact.value);
  const unverified: Unverified[] = missing.map(({ start, fact }) => ({
    text: `{${fact}}`,
    at: start,
    why: "there is no such fact",
  }));
  if (text.length < whole.length) {
    const why = `the answer is longer than ${MAX_CHECKED_CHARS} characters: numbers after that are not checked`;
    unverified.push({ text: "…", at: text.length, why });
  }
  const backed: FigureSpan[] = [];
  for (const span of spans) {
    const fact = byId.get(span.fact);
    const why = fact === undefined ? "there is no such fact" : findConflict(fact, saidAt(span, around));
    if (why === undefined) backed.push(span);
    else unverified.push({ text: whole.slice(span.start, span.end), at: span.start, why });
  }
  const referenced = backed.length;
  for (const token of tokens) {
    const found = match(token, byValue, around);
    if (typeof found === "string") unverified.push({ text: token.text, at: token.start, why: found });
    else backed.push({ start: token.start, end: token.end, fact: found.id });
  }
  return {
    figures: figures.length,
    referenced,
    matched: backed.length - referenced,
    unverified: unverified.toSorted((one, other) => one.at - other.at),
    spans: backed.toSorted(byStart),
  };
}

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
    saysLoss: createLossCheck(text, pieces),
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

/** The facts that a number may stand for. A loss may be written without its minus, if the sentence says that it is one. */
function findEqual(token: NumberToken, byValue: readonly Ordered[], around: Around): readonly Fact[] {
  const { value, isSigned, start } = token;
  const head = headOf(start, around);
  const fits = ({ fact }: Ordered): boolean => isSameUnit(token, fact, head);
  const same = factsNear(value, token, byValue).filter(fits);
  const losses = isSigned || value <= 0 ? [] : factsNear(-value, token, byValue).filter(fits);
  const equal = losses.length > 0 && around.saysLoss(start) ? [...same, ...losses] : same;
  return equal.toSorted((one, other) => one.order - other.order).map(({ fact }) => fact);
}

const ROUNDING = 1 + 1e-9;

/** Facts whose value is a number at its printed precision. */
function factsNear(value: number, { step }: NumberToken, byValue: readonly Ordered[]): readonly Ordered[] {
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

const LOSSES = [
  "fell",
  "fall",
  "falls",
  "fallen",
  "down",
  "lost",
  "loses",
  "loss",
  "drop",
  "dropped",
  "decline",
  "declined",
  "decrease",
  "decreased",
  "lower",
  "below",
  "negative",
  "drawdown",
  "giảm",
  "mất",
  "lỗ",
  "âm",
  "thấp hơn",
  "sụt",
];

function createLossCheck(text: string, pieces: readonly Piece[]): (at: number) => boolean {
  const phrases = LOSSES.map((word) => ({ text: word, key: word }));
  const known = new Map<Piece, boolean>();
  return (at) => {
    const piece = pieceAt(pieces, at);
    if (piece === undefined) return false;
    const isLoss = known.get(piece) ?? findMentions(fold(text.slice(piece.start, piece.end)), phrases).length > 0;
    known.set(piece, isLoss);
    return isLoss;
  };
}
