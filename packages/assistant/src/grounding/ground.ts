/**
 * Ground: holds every number of an answer against the facts.
 *
 * A reference is backed if its fact exists and the text around it does not name another symbol, metric or period. A
 * number that the model wrote itself must in addition equal a fact at its printed precision, in its unit. Ordinals,
 * list numbers, lengths of windows, and dates of a fact or the question need no fact.
 */
import type { Fact } from "../fact.ts";
import { attribute, type Place, toPieces } from "./attribution.ts";
import type { Answer, Evidence, Grounding, Unverified } from "./grounding.ts";
import { findMentions, fold, type Mention, type Phrase } from "./mention.ts";
import { isPlainNumber, yearsIn } from "./plain-number.ts";
import { type NumberToken, scanNumbers } from "./number-scan.ts";
import type { Span } from "./reference-stream.ts";

/** One kind of names, and whose a fact is. */
interface Dimension {
  readonly what: "symbol" | "metric" | "period";
  readonly mentions: readonly Mention[];
  readonly keysOf: (fact: Fact) => readonly string[];
}

interface Around {
  readonly pieces: ReturnType<typeof toPieces>;
  readonly dimensions: readonly Dimension[];
  readonly figures: readonly Place[];
  readonly text: string;
}

/** How the numbers of an answer are backed. */
export function ground({ text, spans, missing }: Answer, evidence: Evidence): Grounding {
  const { facts, language } = evidence;
  const written = [...spans, ...missing];
  const tokens = scanNumbers(text, language)
    .filter((token) => !written.some((span) => token.start < span.end && span.start < token.end))
    .filter((token) => !isPlainNumber(token, { text, evidence }));
  const figures = [...written, ...tokens].toSorted((one, other) => one.start - other.start);
  const around: Around = { pieces: toPieces(text), dimensions: toDimensions(text, evidence), figures, text };
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  const unverified: Unverified[] = missing.map(({ start, fact }) => ({
    text: `{${fact}}`,
    at: start,
    why: "there is no such fact",
  }));
  const backed: Span[] = [];
  for (const span of spans) {
    const fact = byId.get(span.fact);
    const why = fact === undefined ? "there is no such fact" : findConflict(fact, span, around);
    if (why === undefined) backed.push(span);
    else unverified.push({ text: text.slice(span.start, span.end), at: span.start, why });
  }
  const referenced = backed.length;
  for (const token of tokens) {
    const found = match(token, evidence, around);
    if (typeof found === "string") unverified.push({ text: token.text, at: token.start, why: found });
    else backed.push({ start: token.start, end: token.end, fact: found.id });
  }
  return {
    figures: figures.length,
    referenced,
    matched: backed.length - referenced,
    unverified: unverified.toSorted((one, other) => one.at - other.at),
    spans: backed.toSorted((one, other) => one.start - other.start),
  };
}

function toDimensions(text: string, { facts, names, wordsOf }: Evidence): readonly Dimension[] {
  const folded = fold(text);
  const symbols = [...new Set([...facts.map(({ symbol }) => symbol), ...names.keys()])];
  const symbolPhrases = symbols.flatMap((key): Phrase[] =>
    [key, ...(names.get(key) ?? [])].map((name) => ({ text: name, key, isExact: isShortCode(name) })),
  );
  const metrics = [...new Set(facts.map(({ metric }) => metric))];
  const metricPhrases = metrics.flatMap((key): Phrase[] =>
    [key, withoutBrackets(key), ...wordsOf(key)].map((name) => ({ text: name, key })),
  );
  const years = yearsIn(text).map(({ year, start, end }): Mention => ({ key: String(year), start, end }));
  return [
    { what: "symbol", mentions: findMentions(folded, symbolPhrases), keysOf: ({ symbol }) => symbol.split(",") },
    { what: "metric", mentions: findMentions(folded, metricPhrases), keysOf: ({ metric }) => [metric] },
    { what: "period", mentions: years, keysOf: yearsOf },
  ];
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

/** What the text around a figure says that is not true of the fact. */
function findConflict(fact: Fact, place: Place, { pieces, dimensions, figures }: Around): string | undefined {
  for (const { what, mentions, keysOf } of dimensions) {
    const said = attribute(place, { pieces, mentions, figures, isInherited: what === "symbol" });
    const keys = keysOf(fact);
    if (said === undefined || keys.length === 0 || keys.some((key) => said.has(key))) continue;
    return `the ${what} there is ${[...said].join(" or ")}, the fact's is ${keys.join(", ")}`;
  }
  return undefined;
}

function match(token: NumberToken, { facts }: Evidence, around: Around): Fact | string {
  const equal = facts.filter((fact) => isEqual(token, fact, around));
  if (equal.length === 0) return "no fact has this value";
  const free = equal.find((fact) => findConflict(fact, token, around) === undefined);
  if (free !== undefined) return free;
  const [first] = equal;
  return (first && findConflict(first, token, around)) ?? "no fact has this value";
}

function isEqual(token: NumberToken, fact: Fact, around: Around): boolean {
  return isSameUnit(token, fact, around) && isSameValue(token, fact, around);
}

function isSameUnit({ unit, currency, start }: NumberToken, fact: Fact, around: Around): boolean {
  const isMoney = fact.unit.startsWith("money");
  if (unit === "percent") return fact.unit === "percent";
  if (unit === "money") return isMoney && (currency === undefined || fact.currency === currency);
  // A column of percentages says so in its head.
  return fact.unit !== "percent" || headOf(start, around).includes("%");
}

function headOf(at: number, { pieces, text }: Around): string {
  const head = pieces.find(({ start, end }) => at >= start && at < end)?.head;
  return head === undefined ? "" : text.slice(head.start, head.end);
}

const ROUNDING = 1 + 1e-9;

/** A loss may be written without its minus, if the sentence says that it is one. */
function isSameValue({ value, step, isSigned, start }: NumberToken, fact: Fact, around: Around): boolean {
  const isNear = (one: number) => Math.abs(one - value) <= (step / 2) * ROUNDING;
  if (isNear(fact.value)) return true;
  return fact.value < 0 && !isSigned && isNear(-fact.value) && saysLoss(start, around);
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

function saysLoss(at: number, { pieces, text }: Around): boolean {
  const piece = pieces.find(({ start, end }) => at >= start && at < end);
  if (piece === undefined) return false;
  const phrases = LOSSES.map((word) => ({ text: word, key: word }));
  return findMentions(fold(text.slice(piece.start, piece.end)), phrases).length > 0;
}
