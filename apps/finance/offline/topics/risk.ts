/**
 * Risk: volatility, drawdown, value at risk and return for risk, with what the usual rules say of them.
 */
import type { Fact } from "@baton/assistant";
import { z } from "zod";
import type { QuestionLanguage } from "../../intent/intent.ts";
import { toList } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import { cite, symbolsOf, toGrid, toLead, toName, type Topic, withoutRepeats } from "../section.ts";
import type { SeenCall, View } from "../view.ts";

const TEXT = {
  en: {
    title: "Risk",
    classes: {
      conservative: "conservative",
      moderate: "moderate",
      aggressive: "aggressive",
      speculative: "speculative",
    },
    score: (name: string, value: string, risk: string) =>
      `${name} ${value}: ${risk} by the scale conservative, moderate, aggressive, speculative.`,
    var: (name: string, value: string) => `${name} ${value}: at this confidence a day's loss is not larger.`,
    sharpe: {
      high: (name: string, value: string) => `${name} ${value} is above 1: much return for the risk by the usual rule.`,
      middle: (name: string, value: string) =>
        `${name} ${value} is between 0 and 1: some return for the risk by the usual rule.`,
      low: (name: string, value: string) => `${name} ${value} is below 0: less than the risk-free rate.`,
    },
    beta: {
      high: (name: string, value: string) => `${name} ${value}: it moves more than the index.`,
      low: (name: string, value: string) => `${name} ${value}: it moves less than the index.`,
    },
  },
  vi: {
    title: "Rủi ro",
    classes: { conservative: "thận trọng", moderate: "vừa phải", aggressive: "mạo hiểm", speculative: "đầu cơ" },
    score: (name: string, value: string, risk: string) =>
      `${name} ${value}: mức ${risk} theo thang thận trọng, vừa phải, mạo hiểm, đầu cơ.`,
    var: (name: string, value: string) => `${name} ${value}: với độ tin cậy này, mức lỗ trong ngày không lớn hơn.`,
    sharpe: {
      high: (name: string, value: string) =>
        `${name} ${value} lớn hơn 1: lợi nhuận cao so với rủi ro theo quy tắc thông dụng.`,
      middle: (name: string, value: string) =>
        `${name} ${value} nằm giữa 0 và 1: có lợi nhuận bù rủi ro theo quy tắc thông dụng.`,
      low: (name: string, value: string) => `${name} ${value} nhỏ hơn 0: thấp hơn lãi suất phi rủi ro.`,
    },
    beta: {
      high: (name: string, value: string) => `${name} ${value}: biến động mạnh hơn chỉ số.`,
      low: (name: string, value: string) => `${name} ${value}: biến động nhẹ hơn chỉ số.`,
    },
  },
} as const;

const TELLING = ["risk score", "annual volatility", "Sharpe ratio", "maximum drawdown"];

/** The risk of one or more listings. */
export const risk: Topic = (view, calls) => {
  const facts = withoutRepeats(calls.flatMap(toShown));
  const symbols = symbolsOf(view, facts);
  if (symbols.length === 0) return undefined;
  const lead = toLead(symbols.map((symbol) => toSentence(view, facts, symbol)));
  const verdicts = symbols.flatMap((symbol) => {
    const own = facts.filter((fact) => fact.symbol === symbol);
    const said = own.flatMap((fact) => toVerdict(fact, view.language));
    return said.map((one) => (symbols.length === 1 && !one.includes("^") ? toTitle(one) : `${symbol}: ${one}`));
  });
  const table = facts.length < 3 ? [] : [toGrid(view, facts)];
  return { title: TEXT[view.language].title, lead, body: [...table, toList(verdicts)], facts };
};

const OF_PORTFOLIO = z.looseObject({ portfolio_value: z.number() });

/** An amount at risk means nothing without the value that was asked about. */
function toShown({ facts, args }: SeenCall): readonly Fact[] {
  if (OF_PORTFOLIO.safeParse(args).success) return facts;
  return facts.filter(({ metric, unit }) => !(metric.includes("VaR") && unit === "money"));
}

function toSentence(view: View, facts: readonly Fact[], symbol: string): string {
  const own = facts.filter((fact) => fact.symbol === symbol);
  const telling = TELLING.flatMap((name) => own.find(({ metric }) => metric === name) ?? []);
  const shown = (telling.length > 0 ? telling : own).slice(0, 2);
  const said = shown.map((fact) => `${metricName(fact.metric, view.language)} ${cite(fact)}`);
  return `${toName(view, symbol)}: ${said.join(", ")}`;
}

/** What the usual rule says of a figure; nothing if it has no rule. */
function toVerdict(fact: Fact, language: QuestionLanguage): readonly string[] {
  const words = TEXT[language];
  const { metric, value, unit } = fact;
  const name = metricName(metric, language);
  if (metric === "risk score") return [words.score(name, cite(fact), words.classes[toClass(value)])];
  if (metric === "Sharpe ratio") {
    return [words.sharpe[value > 1 ? "high" : value < 0 ? "low" : "middle"](name, cite(fact))];
  }
  if (metric.includes("VaR(") && unit === "percent") return [words.var(name, cite(fact))];
  if (!metric.startsWith("beta to ") || Math.abs(value) === 1) return [];
  return [words.beta[Math.abs(value) > 1 ? "high" : "low"](name, cite(fact))];
}

/** The classes of the score: under 25, 50 and 75. */
function toClass(score: number): keyof (typeof TEXT)["en"]["classes"] {
  if (score < 25) return "conservative";
  if (score < 50) return "moderate";
  return score < 75 ? "aggressive" : "speculative";
}
