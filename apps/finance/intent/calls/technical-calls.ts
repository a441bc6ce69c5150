/**
 * Technical calls: one named indicator by its own tool, several or all in one call.
 *
 * Several with own periods are called one by one, since only their own tools take periods.
 */
import { type Ask, call, type ChosenCall, unless } from "../ask.ts";
import type { Topic } from "../lexicon/topics.ts";
import { indicatorNumbers, readDeviations, readTimeframe } from "../numbers/parameters.ts";
import { INDICATOR_TOPICS } from "../topics/topic-rules.ts";
import { each } from "./price-calls.ts";

const NAMES: ReadonlyMap<Topic, string> = new Map([
  ["rsi", "RSI"],
  ["macd", "MACD"],
  ["sma", "SMA"],
  ["ema", "EMA"],
  ["bands", "BB"],
  ["atr", "ATR"],
  ["stoch", "STOCH"],
  ["adx", "ADX"],
  ["vwap", "VWAP"],
  ["obv", "OBV"],
]);
/** Indicators that have a tool of their own. */
const OWN: ReadonlySet<Topic> = new Set(["rsi", "macd", "sma", "ema", "bands", "cross"]);
/** A golden cross is the shorter of these averages rising above the longer. */
const CROSS = [50, 200] as const;

/** All indicators. */
export const technicalCalls = (ask: Ask): readonly ChosenCall[] =>
  each(ask, ({ symbol }) => [call("getTechnicalIndicators", { symbol, timeframe: readTimeframe(ask) })]);

/** The indicators that a question names. */
export function indicatorCalls(ask: Ask): readonly ChosenCall[] {
  const named = INDICATOR_TOPICS.filter((topic) => ask.topics.has(topic));
  const hasOwnPeriods = named.some((topic) => indicatorNumbers(ask, topic).length > 0);
  const isSingle =
    named.every((topic) => OWN.has(topic)) && (named.length === 1 || hasOwnPeriods || named.includes("cross"));
  if (isSingle) return each(ask, ({ symbol }) => named.flatMap((topic) => ownCalls(ask, topic, symbol)));
  const indicators = named.flatMap((topic) => NAMES.get(topic) ?? []);
  return each(ask, ({ symbol }) => [
    call("getTechnicalIndicators", { symbol, timeframe: readTimeframe(ask), indicators }),
  ]);
}

function ownCalls(ask: Ask, topic: Topic, symbol: string): readonly ChosenCall[] {
  const numbers = indicatorNumbers(ask, topic);
  const [one, two, three] = numbers;
  if (topic === "macd") {
    const isWhole = one !== undefined && two !== undefined && three !== undefined && one < two;
    const args = isWhole ? { fast: unless(12, one), slow: unless(26, two), signal: unless(9, three) } : {};
    return [call("getMACD", { symbol, ...args })];
  }
  if (topic === "bands") {
    const isDeviation = one !== undefined && two === undefined && one < 5;
    const said = readDeviations(ask);
    const [period, deviation] = isDeviation ? [undefined, one] : [one === said ? undefined : one, said ?? two];
    return [call("getBands", { symbol, period: unless(20, whole(period)), stdDev: unless(2, deviation) })];
  }
  if (topic === "cross") return CROSS.map((period) => call("getSMA", { symbol, period }));
  const tool = topic === "rsi" ? "getRSI" : topic === "ema" ? "getEMA" : "getSMA";
  const standard = topic === "rsi" ? 14 : 20;
  const periods = [...new Set(numbers.flatMap((value) => whole(value) ?? []))];
  if (topic === "rsi") return [call(tool, { symbol, period: unless(standard, periods[0]) })];
  if (periods.length === 0) return [call(tool, { symbol })];
  return periods.map((period) => call(tool, { symbol, period: unless(standard, period) }));
}

function whole(value: number | undefined): number | undefined {
  return value !== undefined && Number.isInteger(value) && value >= 2 ? value : undefined;
}
