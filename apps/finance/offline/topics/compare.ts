/**
 * Comparisons: companies side by side by metric, and correlations of pairs.
 */
import type { Fact } from "@baton/assistant";
import { toList } from "../markdown.ts";
import { metricName, toTitle } from "../metric-names.ts";
import { cite, factsOf, symbolsOf, toGrid, toNames, type Topic, withoutRepeats } from "../section.ts";
import type { View } from "../view.ts";

const TEXT = {
  en: {
    title: "Comparison",
    lead: (names: string) => `${names} side by side`,
    higher: (metric: string, first: string, second: string) => `${metric}: ${first} is above ${second}.`,
  },
  vi: {
    title: "So sánh",
    lead: (names: string) => `${names} đặt cạnh nhau`,
    higher: (metric: string, first: string, second: string) => `${metric}: ${first} cao hơn ${second}.`,
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
  const named = symbols.length > 0 ? symbols : pairs.map(({ symbol }) => symbol);
  const said = pairs.map((fact) => `${fact.symbol}: ${metricName(fact.metric, view.language)} ${cite(fact)}`);
  const body = [...(facts.length === 0 ? [] : [toGrid(view, facts)]), toList([...toHigher(view, facts), ...said])];
  return { title: words.title, lead: `${words.lead(toNames(view, named))}.`, body, facts: all };
};

/** Of two companies, which has more of a metric in the same unit. */
function toHigher({ language }: View, facts: readonly Fact[]): readonly string[] {
  const metrics = [...new Set(facts.map(({ metric }) => metric))];
  const said = metrics.flatMap((metric) => {
    const [one, other, ...more] = facts.filter((fact) => fact.metric === metric);
    if (one === undefined || other === undefined || more.length > 0 || one.value === other.value) return [];
    if (one.unit !== other.unit || one.currency !== other.currency) return [];
    const [high, low] = one.value > other.value ? [one, other] : [other, one];
    const of = (fact: Fact) => `${fact.symbol} ${cite(fact)}`;
    return [TEXT[language].higher(toTitle(metricName(metric, language)), of(high), of(low))];
  });
  return said.slice(0, MAX_SAID);
}
