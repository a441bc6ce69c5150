/**
 * Prices: what a listing costs, with its change, range and size.
 */
import type { Fact } from "@baton/assistant";
import {
  cite,
  dayOf,
  factsOf,
  findFact,
  toLead,
  symbolsOf,
  toGridIfMany,
  toName,
  type Topic,
  withoutRepeats,
} from "../section.ts";
import { metricName } from "../words/metric-names.ts";
import type { View } from "../view.ts";

const TEXT = {
  en: {
    title: "Price",
    price: (name: string, price: string, day: string) => `${name}: price ${price} on ${day}`,
    last: (name: string, price: string, day: string) => `${name}: last real price in the data ${price}, of ${day}`,
  },
  vi: {
    title: "Giá",
    price: (name: string, price: string, day: string) => `${name}: giá ${price} ngày ${day}`,
    last: (name: string, price: string, day: string) =>
      `${name}: giá thực gần nhất trong dữ liệu là ${price}, ngày ${day}`,
  },
} as const;

const CHANGES = ["change", "24 h change"];

/** Prices of stocks, funds and indices; coins too. */
export const price: Topic = (view, calls) => {
  const facts = withoutRepeats(factsOf(calls));
  const symbols = symbolsOf(view, facts).filter((symbol) => findFact(facts, { symbol, metric: "price" }));
  if (symbols.length === 0) return undefined;
  const lead = toLead(symbols.flatMap((symbol) => toSentence(view, facts, symbol)));
  return { title: TEXT[view.language].title, lead, body: toGridIfMany(view, facts), facts };
};

function toSentence(view: View, facts: readonly Fact[], symbol: string): readonly string[] {
  const words = TEXT[view.language];
  const found = findFact(facts, { symbol, metric: "price" });
  if (found === undefined) return [];
  const change = facts.find(
    (fact) => fact.symbol === symbol && fact.unit === "percent" && CHANGES.includes(fact.metric),
  );
  const say = found.kind === "history" ? words.last : words.price;
  const first = say(toName(view, symbol), cite(found), dayOf(found));
  return [change === undefined ? first : `${first}, ${metricName(change.metric, view.language)} ${cite(change)}`];
}
