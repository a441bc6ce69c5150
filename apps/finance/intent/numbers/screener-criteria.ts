/**
 * Screener criteria: bounds on price, market cap, beta, volume and dividend, sectors, industries, exchanges and
 * countries, as a question says them.
 */
import type { Json } from "@baton/core";
import { foldText } from "../../market/directory/words.ts";
import { type SpokenAmount, readAmounts } from "./amounts.ts";
import type { Ask } from "../ask.ts";
import { countryOf } from "../lexicon/places.ts";
import { BOUND_INDEX, MEASURE_INDEX, type Measure, readSector, readSizes } from "./criteria-words.ts";
import { type QuestionToken, toSearched } from "../reading.ts";

type Criteria = { readonly [name: string]: Json | undefined };

/** Reads the criteria of a question. */
export function readCriteria(ask: Ask): Criteria {
  const { base, reading, language } = ask;
  const changed = reading === base ? {} : criteriaIn({ base: reading, amounts: readAmounts(reading.text, language) });
  return { ...criteriaIn(ask), ...changed };
}

function criteriaIn({ base, amounts }: Pick<Ask, "base" | "amounts">): Criteria {
  const exchange = exchangeOf(base.tokens);
  const country = countryOf(base);
  return {
    ...readSizes(base),
    ...readBounds({ base, amounts }),
    ...readSector(base.tokens),
    ...(exchange === undefined ? {} : { exchange }),
    ...(country === undefined ? {} : { country }),
  };
}

type Found<N> = Readonly<{ name: N; first: number; last: number }>;

function readBounds({ base, amounts }: Pick<Ask, "base" | "amounts">): Criteria {
  const keys = base.tokens.map(({ key, raw }) => (key === "@" ? foldText(raw) : key));
  const searched = { ...toSearched(base.tokens, base.text), keys };
  const bounds = BOUND_INDEX.find(searched);
  const measures = MEASURE_INDEX.find(searched);
  const criteria: Record<string, number> = {};
  let open: { readonly measure: Measure; readonly at: number } | undefined;
  for (const amount of amounts) {
    const at = base.tokens.findIndex(({ start, end }) => amount.start >= start && amount.start < end);
    const isSecond = open !== undefined && at - open.at <= REACH && !isBounded(bounds, open.at, at);
    const measure = isSecond ? open?.measure : measureOf({ measures, bounds }, amount, at);
    const direction = isSecond ? "lower" : directionOf(keys, bounds, at);
    open = undefined;
    if (measure === undefined || direction === undefined) continue;
    const name = criterionName(measure, direction === "between" ? "more" : direction);
    if (name !== undefined) criteria[name] ??= boundOf(measure, amount);
    if (direction === "between") open = { measure, at };
  }
  return criteria;
}

/** The tool bounds dividends in money, not yields: of a bound on the yield only that there is a dividend can be asked. */
function boundOf(measure: Measure, { value, isPercent }: SpokenAmount): number {
  return measure === "dividend" && isPercent ? 0 : value;
}

const REACH = 4;

/** Whether a bound of its own stands between two numbers. */
function isBounded(bounds: readonly Found<string>[], from: number, to: number): boolean {
  return bounds.some(({ name, first }) => name !== "between" && first > from && first < to);
}

function directionOf(
  keys: readonly string[],
  bounds: readonly Found<"more" | "lower" | "between">[],
  at: number,
): "more" | "lower" | "between" | undefined {
  const before = bounds.findLast(({ first, last }) => first < at && last <= at && at - last < REACH);
  const inside = bounds.find(({ first, last, name }) => name === "between" && first < at && last > at);
  const behind = bounds.find(({ first }) => first > at && first - at <= REACH && isBehind(keys, first));
  return (behind ?? inside ?? before)?.name;
}

/** "10 billion or more", "10 tỷ trở lên". */
function isBehind(keys: readonly string[], first: number): boolean {
  return ["or", "tro"].includes(keys[first] ?? "");
}

function criterionName(measure: Measure, direction: "more" | "lower"): string | undefined {
  if (measure === "volume" || measure === "dividend") return direction === "more" ? `${measure}_more_than` : undefined;
  return `${measure}_${direction === "more" ? "more" : "lower"}_than`;
}

const BIG = 1e6;

interface Said {
  readonly measures: readonly Found<Measure>[];
  readonly bounds: readonly Found<string>[];
}

/** What an amount measures: what is named nearest before it, else behind it, else what its size says. */
function measureOf({ measures, bounds }: Said, amount: SpokenAmount, at: number): Measure | undefined {
  const fitting = measures.filter(({ name }) => fits(name, amount));
  const before = fitting.findLast(({ last }) => last <= at && at - last <= REACH + 1);
  if (before !== undefined) return before.name;
  const isNext = ({ last }: Found<Measure>) => bounds.some(({ first }) => first >= last && first - last <= 1);
  const after = fitting.find((hit) => hit.first >= at && hit.first - at <= REACH + 1 && !isNext(hit));
  if (after !== undefined) return after.name;
  if (amount.isPercent) return "dividend";
  return amount.isScaled && amount.value >= BIG ? "market_cap" : "price";
}

/** Whether something can have this amount: only yields are percentages, no share costs a million. */
function fits(measure: Measure, { value, isPercent, isMoney, isScaled }: SpokenAmount): boolean {
  if (isPercent) return measure === "dividend";
  if (measure === "price") return value < BIG;
  if (measure === "market_cap") return isScaled || value >= BIG;
  return !isMoney || measure === "dividend";
}

/** `NASDAQ`, `NYSE`, `AMEX`. */
function exchangeOf(tokens: readonly QuestionToken[]): string | undefined {
  const names = tokens.map(({ raw }) => raw.toUpperCase());
  return names.find((name) => EXCHANGES.has(name));
}

const EXCHANGES: ReadonlySet<string> = new Set(["NASDAQ", "NYSE", "AMEX", "HOSE", "HNX", "UPCOM"]);
