/**
 * Topics: which tools each topic is written from, in the order in which an answer has them.
 */
import type { QueryType } from "../../intent/intent.ts";
import type { Topic } from "../section.ts";
import type { View } from "../view.ts";
import { price } from "./price.ts";
import { technical } from "./technical.ts";

/** A topic with its tools. */
export interface ToolTopic {
  readonly tools: ReadonlySet<string>;
  readonly write: Topic;
  /** The questions that it answers first. */
  readonly types: readonly QueryType[];
}

const topic = (write: Topic, types: readonly QueryType[], tools: readonly string[]): ToolTopic => ({
  write,
  types,
  tools: new Set(tools),
});

const TOPICS: readonly ToolTopic[] = [
  topic(price, ["stock_price"], ["getStockPrice", "getStockQuote"]),
  topic(technical, ["technical"], ["getTechnicalIndicators", "getRSI", "getMACD", "getSMA", "getEMA", "getBands"]),
];

/** The topics, those that answer the question first. */
export function topicsOf({ intent }: View): readonly ToolTopic[] {
  const isFirst = ({ types }: ToolTopic) => intent !== undefined && types.includes(intent.query_type);
  return [...TOPICS.filter(isFirst), ...TOPICS.filter((one) => !isFirst(one))];
}
