/**
 * Section: one topic of an answer, and the parts that topics are put together from.
 *
 * Every figure is a reference to a fact; facts are found by symbol and metric, never by their place in a list.
 */
import type { Fact, Unit } from "@baton/assistant";
import { toPlainText, toTable } from "./words/markdown.ts";
import { metricName, toTitle } from "./words/metric-names.ts";
import type { SeenCall, View } from "./view.ts";
import { wordsOf } from "./words/words.ts";

/** One topic of an answer. */
export interface Section {
  /** Its heading, if the answer has several. */
  readonly title: string;
  /** A sentence that answers the question, without what it says about simulated data. */
  readonly lead: string;
  /** Tables, lists and paragraphs. */
  readonly body: readonly string[];
  /** The facts that it shows. */
  readonly facts: readonly Fact[];
}

/** Writes a topic from the calls that are about it; undefined if they have nothing to say. */
export type Topic = (view: View, calls: readonly SeenCall[]) => Section | undefined;

/** A fact as it is cited. */
export const cite = ({ id }: Pick<Fact, "id">): string => `{${id}}`;

/** The day of a fact. */
export const dayOf = ({ period, as_of }: Fact): string => (period?.end ?? as_of).slice(0, 10);

/** All facts of calls. */
export const factsOf = (calls: readonly SeenCall[]): readonly Fact[] => calls.flatMap(({ facts }) => facts);

/** What a fact is looked for by. */
export interface Wanted {
  readonly symbol?: string;
  readonly metric: string;
  readonly unit?: Unit;
}

/** The first fact of a metric. */
export function findFact(facts: readonly Fact[], { symbol, metric, unit }: Wanted): Fact | undefined {
  return facts.find(
    (fact) =>
      fact.metric === metric &&
      (symbol === undefined || fact.symbol === symbol) &&
      (unit === undefined || fact.unit === unit),
  );
}

/** A sentence for each symbol, or one for all: a name first, for what is said of it follows. */
export const toLead = (sentences: readonly string[]): string => `${sentences.slice(0, MAX_COLUMNS).join("; ")}.`;

/** The symbols of facts, those of the question first and in its order. */
export function symbolsOf({ intent }: View, facts: readonly Fact[]): readonly string[] {
  const present = new Set(facts.map(({ symbol }) => symbol));
  const asked = (intent?.validated_symbols ?? []).filter((symbol) => present.has(symbol));
  return [...new Set([...asked, ...present])];
}

/** `Apple Inc. (AAPL)`. */
export function toName({ names }: View, symbol: string): string {
  const name = names.get(symbol)?.name;
  return name === undefined || name === symbol ? symbol : `${toPlainText(name)} (${symbol})`;
}

/** `AAPL, MSFT and GOOGL`. */
export function toNames({ language }: View, symbols: readonly string[]): string {
  const { and } = wordsOf(language);
  const last = symbols.at(-1) ?? "";
  return symbols.length < 2 ? last : `${symbols.slice(0, -1).join(", ")} ${and} ${last}`;
}

/** More companies than this stand below each other. */
const MAX_COLUMNS = 5;
const MAX_ROWS = 24;

/** A table with a row for each metric and a column for each symbol; the other way around if they are many. */
export function toGrid(view: View, facts: readonly Fact[]): string {
  const { language } = view;
  const symbols = symbolsOf(view, facts);
  const metrics = [...new Set(facts.map(({ metric }) => metric))].slice(0, MAX_ROWS);
  const cell = (metric: string, symbol: string) => toCell(facts, { metric, symbol });
  const label = (metric: string) => toTitle(metricName(metric, language));
  const words = wordsOf(language);
  if (symbols.length > MAX_COLUMNS) {
    const rows = symbols.map((symbol) => [symbol, ...metrics.map((metric) => cell(metric, symbol))]);
    return toTable([words.symbol, ...metrics.map(label)], rows);
  }
  const rows = metrics.map((metric) => [label(metric), ...symbols.map((symbol) => cell(metric, symbol))]);
  return toTable([words.metric, ...symbols], rows);
}

/** What a symbol has of a metric, in each of its units once. */
export function toCell(facts: readonly Fact[], { metric, symbol }: Wanted): string {
  const units = new Map<Unit, Fact>();
  for (const fact of facts) {
    if (fact.metric === metric && fact.symbol === symbol && !units.has(fact.unit)) units.set(fact.unit, fact);
  }
  return units.size === 0 ? "–" : Array.from(units.values(), cite).join(" · ");
}

/** A table by metric and symbol if there are three figures or more; nothing if the sentence has them all. */
export function toGridIfMany(view: View, facts: readonly Fact[]): readonly string[] {
  return facts.length < 3 ? [] : [toGrid(view, facts)];
}

/** One fact for each metric, symbol and unit: the first. */
export function withoutRepeats(facts: readonly Fact[]): readonly Fact[] {
  const seen = new Set<string>();
  return facts.filter(({ metric, symbol, unit }) => {
    const key = JSON.stringify([metric, symbol, unit]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
