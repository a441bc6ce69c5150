/**
 * Technical indicators: their values, and what the usual rules say of them. A rule is named with its threshold.
 */
import type { Fact } from "@baton/assistant";
import type { QuestionLanguage } from "../../intent/intent.ts";
import { toList } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import {
  cite,
  dayOf,
  factsOf,
  findFact,
  symbolsOf,
  toGridIfMany,
  toLead,
  toName,
  type Topic,
  withoutRepeats,
} from "../section.ts";
import type { View } from "../view.ts";

type Levels = Readonly<{ low: number; high: number }>;

const TEXT = {
  en: {
    title: "Technical indicators",
    overbought: (name: string, value: string, level: string) =>
      `${name} ${value} is above ${level}: overbought by the usual threshold.`,
    oversold: (name: string, value: string, level: string) =>
      `${name} ${value} is below ${level}: oversold by the usual threshold.`,
    neutral: (name: string, value: string, { low, high }: Levels) =>
      `${name} ${value} is between ${low} and ${high}: neutral by the usual thresholds.`,
    macd: {
      above: (name: string, line: string, signal: string) =>
        `${name} ${line} is above its signal line ${signal}: upward momentum by the usual rule.`,
      below: (name: string, line: string, signal: string) =>
        `${name} ${line} is below its signal line ${signal}: downward momentum by the usual rule.`,
    },
    average: {
      above: (name: string, value: string) => `the close is above ${name} ${value}: upward by the usual rule.`,
      below: (name: string, value: string) => `the close is below ${name} ${value}: downward by the usual rule.`,
    },
    bands: {
      above: (name: string, value: string) => `${name} upper band ${value}: the close is above it, stretched upward.`,
      below: (name: string, value: string) => `${name} lower band ${value}: the close is below it, stretched downward.`,
      within: (name: string) => `the close is within the bands of ${name}: no signal by the usual rule.`,
    },
    adx: {
      up: (name: string, value: string) =>
        `${name} ${value} is above 25 and +DI is the larger: uptrend by the usual threshold.`,
      down: (name: string, value: string) =>
        `${name} ${value} is above 25 and -DI is the larger: downtrend by the usual threshold.`,
      weak: (name: string, value: string) => `${name} ${value} is not above 25: no clear trend by the usual threshold.`,
    },
  },
  vi: {
    title: "Chỉ báo kỹ thuật",
    overbought: (name: string, value: string, level: string) =>
      `${name} ${value} cao hơn ${level}: quá mua theo ngưỡng thông dụng.`,
    oversold: (name: string, value: string, level: string) =>
      `${name} ${value} thấp hơn ${level}: quá bán theo ngưỡng thông dụng.`,
    neutral: (name: string, value: string, { low, high }: Levels) =>
      `${name} ${value} nằm giữa ${low} và ${high}: trung tính theo ngưỡng thông dụng.`,
    macd: {
      above: (name: string, line: string, signal: string) =>
        `${name} ${line} nằm trên đường tín hiệu ${signal}: động lượng tăng theo quy tắc thông dụng.`,
      below: (name: string, line: string, signal: string) =>
        `${name} ${line} nằm dưới đường tín hiệu ${signal}: động lượng giảm theo quy tắc thông dụng.`,
    },
    average: {
      above: (name: string, value: string) => `đóng cửa trên ${name} ${value}: xu hướng tăng theo quy tắc thông dụng.`,
      below: (name: string, value: string) => `đóng cửa dưới ${name} ${value}: xu hướng giảm theo quy tắc thông dụng.`,
    },
    bands: {
      above: (name: string, value: string) =>
        `${name} dải trên ${value}: đóng cửa nằm trên mức này, căng về phía tăng.`,
      below: (name: string, value: string) =>
        `${name} dải dưới ${value}: đóng cửa nằm dưới mức này, căng về phía giảm.`,
      within: (name: string) => `đóng cửa nằm trong các dải của ${name}: không có tín hiệu theo quy tắc thông dụng.`,
    },
    adx: {
      up: (name: string, value: string) =>
        `${name} ${value} cao hơn 25 và +DI lớn hơn: xu hướng tăng theo ngưỡng thông dụng.`,
      down: (name: string, value: string) =>
        `${name} ${value} cao hơn 25 và -DI lớn hơn: xu hướng giảm theo ngưỡng thông dụng.`,
      weak: (name: string, value: string) =>
        `${name} ${value} không cao hơn 25: xu hướng không rõ theo ngưỡng thông dụng.`,
    },
  },
} as const;

/** The indicators of one or more listings: what the first rule says, then the values and the other rules. */
export const technical: Topic = (view, calls) => {
  const facts = withoutRepeats(factsOf(calls));
  const symbols = symbolsOf(view, facts);
  if (symbols.length === 0) return undefined;
  const read = symbols.map((symbol) => toReading(view, facts, symbol));
  const rest = read.flatMap(({ symbol, others }) =>
    others.map((said) => (symbols.length === 1 ? toTitle(said) : `${symbol}: ${said}`)),
  );
  const lead = toLead(read.map(({ first }) => first));
  return { title: TEXT[view.language].title, lead, body: [...toGridIfMany(view, facts), toList(rest)], facts };
};

type Read = Readonly<{ symbol: string; first: string; others: readonly string[] }>;

/** What the rules say of one listing; without a rule, the first value. */
function toReading(view: View, facts: readonly Fact[], symbol: string): Read {
  const own = facts.filter((fact) => fact.symbol === symbol);
  const [verdict, ...others] = own.flatMap((fact) => toVerdict(fact, own, view.language));
  const [value] = own;
  const said = value === undefined ? "" : `${metricName(value.metric, view.language)} ${cite(value)}`;
  const day = value === undefined ? "" : `, ${dayOf(value)}`;
  return { symbol, first: `${toName(view, symbol)}${day}: ${verdict?.slice(0, -1) ?? said}`, others };
}

const SIGNAL = " signal";
const LINE = " line";
const UPPER = " upper band";

/** What the usual rule says of an indicator; nothing if it has no rule. */
function toVerdict(fact: Fact, own: readonly Fact[], language: QuestionLanguage): readonly string[] {
  const { metric, value } = fact;
  const words = TEXT[language];
  const close = findFact(own, { metric: "close" })?.value;
  if (metric.startsWith("RSI(")) return [toThresholds(fact, { low: 30, high: 70 }, language)];
  if (metric.startsWith("STOCH(") && metric.endsWith("%K")) {
    return [toThresholds(fact, { low: 20, high: 80 }, language)];
  }
  if (metric.endsWith(LINE)) {
    const name = metric.slice(0, -LINE.length);
    const signal = findFact(own, { metric: `${name}${SIGNAL}` });
    if (signal === undefined || signal.value === value) return [];
    return [words.macd[value > signal.value ? "above" : "below"](name, cite(fact), cite(signal))];
  }
  if (metric.endsWith(UPPER)) return toBands(fact, own, language);
  if (metric.startsWith("ADX(") && metric.endsWith(")")) return [toTrend(fact, own, language)];
  const isAverage = ["SMA(", "EMA(", "VWAP("].some((name) => metric.startsWith(name));
  if (!isAverage || close === undefined || close === value) return [];
  return [words.average[close > value ? "above" : "below"](metric, cite(fact))];
}

function toThresholds(fact: Fact, { low, high }: Levels, language: QuestionLanguage): string {
  const words = TEXT[language];
  if (fact.value > high) return words.overbought(fact.metric, cite(fact), String(high));
  if (fact.value < low) return words.oversold(fact.metric, cite(fact), String(low));
  return words.neutral(fact.metric, cite(fact), { low, high });
}

function toBands(upper: Fact, own: readonly Fact[], language: QuestionLanguage): readonly string[] {
  const words = TEXT[language].bands;
  const name = upper.metric.slice(0, -UPPER.length);
  const lower = findFact(own, { metric: `${name} lower band` });
  const close = findFact(own, { metric: "close" })?.value;
  if (lower === undefined || close === undefined) return [];
  if (close > upper.value) return [words.above(name, cite(upper))];
  return [close < lower.value ? words.below(name, cite(lower)) : words.within(name)];
}

function toTrend(fact: Fact, own: readonly Fact[], language: QuestionLanguage): string {
  const words = TEXT[language].adx;
  if (!(fact.value > 25)) return words.weak(fact.metric, cite(fact));
  const [plus, minus] = ["+DI", "-DI"].map((name) => findFact(own, { metric: `${fact.metric} ${name}` })?.value ?? 0);
  return words[(plus ?? 0) > (minus ?? 0) ? "up" : "down"](fact.metric, cite(fact));
}
