/**
 * Earnings and dividends: reports and payments by their days.
 */
import type { Fact } from "@baton/assistant";
import { toTable } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import {
  cite,
  dayOf,
  factsOf,
  findFact,
  type Section,
  symbolsOf,
  toCell,
  toLead,
  toName,
  type Topic,
} from "../section.ts";
import type { View } from "../view.ts";
import { wordsOf } from "../words/words.ts";

const TEXT = {
  en: {
    earnings: "Earnings",
    dividends: "Dividends",
    report: (day: string) => `report of ${day}`,
    from: (start: string, end: string) => `from ${start} to ${end}`,
  },
  vi: {
    earnings: "Báo cáo lợi nhuận",
    dividends: "Cổ tức",
    report: (day: string) => `báo cáo ngày ${day}`,
    from: (start: string, end: string) => `từ ${start} đến ${end}`,
  },
} as const;

const REPORTED = ["reported EPS", "estimated EPS", "reported revenue", "estimated revenue"];

/** What companies reported, and what was expected. */
export const earnings: Topic = (view, calls) => {
  const words = TEXT[view.language];
  return toDated(view, factsOf(calls), {
    title: words.earnings,
    sentence: (own) => {
      const reported = findFact(own, { metric: "reported EPS" }) ?? own[0];
      if (reported === undefined) return undefined;
      const of = own.filter((fact) => dayOf(fact) === dayOf(reported) && REPORTED.slice(0, 2).includes(fact.metric));
      const said = of.map((fact) => `${metricName(fact.metric, view.language)} ${cite(fact)}`);
      return `${words.report(dayOf(reported))}: ${said.join(", ")}`;
    },
  });
};

/** What was paid. */
export const dividends: Topic = (view, calls) => {
  const words = TEXT[view.language];
  return toDated(view, factsOf(calls), {
    title: words.dividends,
    sentence: (own) => {
      const total = findFact(own, { metric: "dividends per share, total" }) ?? own[0];
      if (total === undefined) return undefined;
      const { period } = total;
      const when = period?.start === undefined ? dayOf(total) : words.from(period.start, period.end);
      return `${metricName(total.metric, view.language)} ${cite(total)} ${when}`;
    },
  });
};

interface Dated {
  readonly title: string;
  readonly sentence: (own: readonly Fact[]) => string | undefined;
}

function toDated(view: View, facts: readonly Fact[], { title, sentence }: Dated): Section | undefined {
  const symbols = symbolsOf(view, facts);
  const sentences = symbols.flatMap((symbol) => {
    const said = sentence(facts.filter((fact) => fact.symbol === symbol));
    return said === undefined ? [] : [`${toName(view, symbol)}, ${said}`];
  });
  if (sentences.length === 0) return undefined;
  const body = symbols.map((symbol) =>
    toRows(
      view,
      facts.filter((fact) => fact.symbol === symbol),
      symbol,
    ),
  );
  return { title, lead: toLead(sentences), body, facts };
}

/** A row for each day, a column for each metric; totals stand in the sentence. */
function toRows({ language }: View, facts: readonly Fact[], symbol: string): string {
  const dated = facts.filter(({ period }) => period?.start === undefined);
  const metrics = [...new Set(dated.map(({ metric }) => metric))];
  const days = [...new Set(dated.map(dayOf))].toSorted().toReversed();
  if (metrics.length === 0) return "";
  const rows = days.map((day) => {
    const own = dated.filter((fact) => dayOf(fact) === day);
    return [day, ...metrics.map((metric) => toCell(own, { metric, symbol }))];
  });
  const head = metrics.map((metric) => toTitle(metricName(metric, language)));
  return toTable([`${symbol} · ${wordsOf(language).day}`, ...head], rows);
}
