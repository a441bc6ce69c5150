/**
 * Fundamentals: statements, ratios and growth as tables by period; several companies side by side in their newest one.
 */
import type { Fact } from "@baton/assistant";
import type { QuestionLanguage } from "../../intent/intent.ts";
import { toTable } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import { cite, type Section, symbolsOf, toCell, toLead, toName, type Topic } from "../section.ts";
import type { SeenCall, View } from "../view.ts";
import { wordsOf } from "../words/words.ts";

const TITLES: Readonly<Record<QuestionLanguage, Readonly<Record<string, string>>>> = {
  en: {
    getIncomeStatement: "Income statement",
    getBalanceSheet: "Balance sheet",
    getCashFlow: "Cash flow",
    getKeyMetrics: "Key metrics",
    getRatios: "Financial ratios",
    getFinancialGrowth: "Growth",
  },
  vi: {
    getIncomeStatement: "Kết quả kinh doanh",
    getBalanceSheet: "Bảng cân đối kế toán",
    getCashFlow: "Lưu chuyển tiền tệ",
    getKeyMetrics: "Chỉ số tài chính chính",
    getRatios: "Hệ số tài chính",
    getFinancialGrowth: "Tăng trưởng",
  },
};

const MAX_LINES = 10;
const MAX_PERIODS = 5;

/** One kind of statement, of one or more companies. */
export const fundamental: Topic = (view, calls): Section | undefined => {
  const facts = calls.flatMap((call) => toShown(call));
  const symbols = symbolsOf(view, facts);
  const [tool = ""] = calls.map((call) => call.tool);
  if (symbols.length === 0) return undefined;
  const body = symbols.length === 1 ? toByPeriod(view, facts) : toBySymbol(view, facts, symbols);
  const lead = toLead(symbols.flatMap((symbol) => toSentence(view, facts, symbol)));
  const marks = facts.some(isDerived) ? [MARK_WORDS[view.language]] : [];
  return { title: TITLES[view.language][tool] ?? tool, lead, body: [body, ...marks], facts };
};

/** The most telling lines of the newest periods. */
function toShown({ facts }: SeenCall): readonly Fact[] {
  const labels = new Set(labelsOf(facts));
  const lines = new Set([...new Set(facts.map(({ metric }) => metric))].slice(0, MAX_LINES));
  return facts.filter((fact) => lines.has(fact.metric) && labels.has(labelOf(fact)));
}

/** How the period of a figure ends that follows from other periods, as the fourth quarter from the year. */
const DERIVED = " (derived)";
const MARK = "†";
const MARK_WORDS: Readonly<Record<QuestionLanguage, string>> = {
  en: `${MARK} computed from other periods that were reported`,
  vi: `${MARK} tính từ các kỳ khác đã được công bố`,
};

/** The period, whether reported or computed. */
function labelOf({ period, as_of }: Fact): string {
  const label = period?.label ?? (period?.end ?? as_of).slice(0, 10);
  return label.endsWith(DERIVED) ? label.slice(0, -DERIVED.length) : label;
}

const isDerived = ({ period }: Fact): boolean => period?.label?.endsWith(DERIVED) === true;
const markOf = (fact: Fact | undefined): string => (fact !== undefined && isDerived(fact) ? MARK : "");

/** The periods of facts, the newest first. */
function labelsOf(facts: readonly Fact[]): readonly string[] {
  const ends = new Map(facts.map((fact) => [labelOf(fact), fact.period?.end ?? fact.as_of]));
  const newest = [...ends].toSorted(([, one], [, other]) => (one < other ? 1 : -1));
  return newest.slice(0, MAX_PERIODS).map(([label]) => label);
}

function toSentence(view: View, facts: readonly Fact[], symbol: string): readonly string[] {
  const own = facts.filter((fact) => fact.symbol === symbol);
  const [label = ""] = labelsOf(own);
  const newest = own.filter((fact) => labelOf(fact) === label).slice(0, 2);
  const said = newest.map((fact) => `${metricName(fact.metric, view.language)} ${cite(fact)}${markOf(fact)}`);
  return newest.length === 0 ? [] : [`${toName(view, symbol)}, ${label}: ${said.join(", ")}`];
}

function toByPeriod({ language }: View, facts: readonly Fact[]): string {
  const labels = labelsOf(facts);
  const [{ symbol } = { symbol: "" }] = facts;
  const rows = linesOf(facts).map((metric) => [
    toTitle(metricName(metric, language)),
    ...labels.map((label) => {
      const own = facts.filter((fact) => labelOf(fact) === label);
      return `${toCell(own, { metric, symbol })}${markOf(own.find((fact) => fact.metric === metric))}`;
    }),
  ]);
  return toTable([symbol, ...labels], rows);
}

function toBySymbol({ language }: View, facts: readonly Fact[], symbols: readonly string[]): string {
  const newest = new Map(
    symbols.map((symbol) => [symbol, labelsOf(facts.filter((fact) => fact.symbol === symbol))[0]]),
  );
  const shown = facts.filter((fact) => labelOf(fact) === newest.get(fact.symbol));
  const head = symbols.map((symbol) => `${symbol} ${newest.get(symbol) ?? ""}`.trim());
  const rows = linesOf(shown).map((metric) => [
    toTitle(metricName(metric, language)),
    ...symbols.map((symbol) => toCell(shown, { metric, symbol })),
  ]);
  return toTable([wordsOf(language).metric, ...head], rows);
}

const linesOf = (facts: readonly Fact[]): readonly string[] => [...new Set(facts.map(({ metric }) => metric))];
