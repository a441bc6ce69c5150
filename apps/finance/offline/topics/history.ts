/**
 * Past prices: how a price went over a period, with its newest days.
 */
import type { Fact } from "@baton/assistant";
import { toTable } from "../words/markdown.ts";
import { metricName } from "../words/metric-names.ts";
import {
  cite,
  factsOf,
  findFact,
  symbolsOf,
  toCell,
  toGrid,
  toLead,
  toName,
  type Topic,
  withoutRepeats,
} from "../section.ts";
import type { View } from "../view.ts";
import { wordsOf } from "../words/words.ts";

const TEXT = {
  en: {
    title: "Past prices",
    from: (start: string, end: string) => `from ${start} to ${end}`,
    on: (day: string) => `on ${day}`,
    over: (span: string) => `over ${span}`,
    changes: "price change",
    spans: "Price changes",
  },
  vi: {
    title: "Giá trong quá khứ",
    from: (start: string, end: string) => `từ ${start} đến ${end}`,
    on: (day: string) => `ngày ${day}`,
    over: (span: string) => span,
    changes: "thay đổi giá",
    spans: "Thay đổi giá",
  },
} as const;

const MAX_DAYS = 10;
const SUMMARY = ["price change", "highest price", "lowest price", "close"];

/** Prices of a window. */
export const history: Topic = (view, calls) => {
  const all = factsOf(calls);
  const summary = withoutRepeats(all).filter(({ metric }) => SUMMARY.includes(metric));
  const symbols = symbolsOf(view, summary);
  if (symbols.length === 0) return undefined;
  const lead = toLead(symbols.flatMap((symbol) => toSentence(view, summary, symbol)));
  const days = all.filter(isDaily);
  const body = [toGrid(view, summary), ...toDays(view, days)];
  return { title: TEXT[view.language].title, lead, body, facts: [...summary, ...days] };
};

function toSentence(view: View, facts: readonly Fact[], symbol: string): readonly string[] {
  const words = TEXT[view.language];
  const change = findFact(facts, { symbol, metric: "price change", unit: "percent" });
  const period = change?.period;
  if (change === undefined || period === undefined) return [];
  const span = period.start === undefined || period.start === period.end;
  const when = span ? words.on(period.end) : words.from(period.start ?? "", period.end);
  return [`${toName(view, symbol)}: ${metricName("price change", view.language)} ${cite(change)} ${when}`];
}

const isDaily = ({ metric, path, period }: Fact): boolean =>
  metric === "close" && path.startsWith("data.prices[") && period?.end.length === 10;

/** The closes of the newest days, a column for each symbol. */
function toDays(view: View, closes: readonly Fact[]): readonly string[] {
  const days = [...new Set(closes.map(({ period }) => period?.end ?? ""))].toSorted().toReversed().slice(0, MAX_DAYS);
  if (days.length < 3) return [];
  const symbols = symbolsOf(view, closes);
  const rows = days.map((day) => {
    const own = closes.filter(({ period }) => period?.end === day);
    return [day, ...symbols.map((symbol) => toCell(own, { metric: "close", symbol }))];
  });
  return [toTable([wordsOf(view.language).day, ...symbols], rows)];
}

/** Changes over usual spans. */
export const changes: Topic = (view, calls) => {
  const facts = withoutRepeats(factsOf(calls));
  const words = TEXT[view.language];
  const symbols = symbolsOf(view, facts);
  const sentences = symbols.flatMap((symbol) => {
    const own = ["1M", "1Y"].flatMap((span) => findFact(facts, { symbol, metric: `price change ${span}` }) ?? []);
    const first = facts.find((fact) => fact.symbol === symbol);
    const shown = own.length > 0 ? own : first === undefined ? [] : [first];
    const said = shown.map((fact) => `${words.over(metricName(fact.metric, view.language))} ${cite(fact)}`);
    return [`${toName(view, symbol)}: ${words.changes} ${said.join(", ")}`];
  });
  if (sentences.length === 0) return undefined;
  return { title: words.spans, lead: toLead(sentences), body: [toGrid(view, facts)], facts };
};
