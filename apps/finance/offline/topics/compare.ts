/**
 * Comparisons: companies side by side by metric, and correlations of pairs.
 */
import type { Fact } from "@baton/assistant";
import { toList, toPlainText, toTable } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import { cite, dayOf, factsOf, symbolsOf, toCell, toNames, type Topic, withoutRepeats } from "../section.ts";
import type { View } from "../view.ts";
import { wordsOf } from "../words/words.ts";

const TEXT = {
  en: {
    title: "Comparison",
    lead: (names: string) => `${names} side by side`,
    higher: (metric: string, first: string, second: string) => `${metric} ${first} is above ${second}.`,
  },
  vi: {
    title: "So sánh",
    lead: (names: string) => `${names} đặt cạnh nhau`,
    higher: (metric: string, first: string, second: string) => `${metric} ${first} cao hơn ${second}.`,
  },
} as const;

const MAX_SAID = 3;

/** Companies side by side. */
export const comparison: Topic = (view, calls) => {
  const words = TEXT[view.language];
  const all = withoutRepeats(factsOf(calls));
  const pairs = all.filter(({ symbol }) => symbol.includes("/"));
  const facts = all.filter((fact) => !pairs.includes(fact));
  const symbols = symbolsOf(view, facts);
  if (all.length === 0) return undefined;
  const said = pairs.map((fact) => `${fact.symbol}: ${metricName(fact.metric, view.language)} ${cite(fact)}`);
  const [first, ...higher] = toHigher(view, facts);
  const named = toNames(view, symbols.length > 0 ? symbols : pairs.map(({ symbol }) => symbol));
  const lead = first === undefined ? `${words.lead(named)}.` : `${words.lead(named)}: ${first}`;
  const body = [...(facts.length === 0 ? [] : [toPeriodGrid(view, facts)]), toList([...higher, ...said].map(toTitle))];
  return { title: words.title, lead, body, facts: all };
};

/** Metrics by company, with the period of each row: statements and prices are of different times. */
function toPeriodGrid(view: View, facts: readonly Fact[]): string {
  const words = wordsOf(view.language);
  const symbols = symbolsOf(view, facts);
  const metrics = [...new Set(facts.map(({ metric }) => metric))];
  const rows = metrics.map((metric) => {
    const periods = new Set(facts.filter((fact) => fact.metric === metric).map(toPeriod));
    const cells = symbols.map((symbol) => toCell(facts, { metric, symbol }));
    return [toTitle(metricName(metric, view.language)), ...cells, [...periods].join(" / ")];
  });
  return toTable([words.metric, ...symbols, words.period], rows);
}

/** `FY2016`, or days. */
function toPeriod(fact: Fact): string {
  const { period } = fact;
  if (period?.label !== undefined) return toPlainText(period.label);
  return period?.start === undefined ? dayOf(fact) : `${period.start} – ${period.end}`;
}

/** Of two companies, which has more of a metric in the same unit. */
function toHigher({ language }: View, facts: readonly Fact[]): readonly string[] {
  const metrics = [...new Set(facts.map(({ metric }) => metric))];
  const said = metrics.flatMap((metric) => {
    const [one, other, ...more] = facts.filter((fact) => fact.metric === metric);
    if (one === undefined || other === undefined || more.length > 0 || one.value === other.value) return [];
    if (one.unit !== other.unit || one.currency !== other.currency) return [];
    const [high, low] = one.value > other.value ? [one, other] : [other, one];
    const of = (fact: Fact) => `${fact.symbol} ${cite(fact)}`;
    return [TEXT[language].higher(metricName(metric, language), of(high), of(low))];
  });
  return said.slice(0, MAX_SAID);
}
