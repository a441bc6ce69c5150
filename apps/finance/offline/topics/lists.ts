/**
 * Lists: what a screener found, what moved most, the members of an index; a row for each listing.
 */
import type { Fact } from "@baton/assistant";
import { z } from "zod";
import type { QuestionLanguage } from "../../intent/intent.ts";
import { toPlainText, toTable } from "../words/markdown.ts";
import { metricName, toTitle } from "../words/metric-names.ts";
import { toQuoted } from "../words/quoted.ts";
import { cite, dayOf, type Section, toCell, toName, type Topic } from "../section.ts";
import type { SeenCall, View } from "../view.ts";
import { wordsOf } from "../words/words.ts";

type Kind = "getScreener" | "getGainers" | "getLosers" | "getMostActive" | "getCryptoMarkets";

const TEXT: Readonly<Record<QuestionLanguage, Readonly<Record<Kind, readonly [title: string, lead: string]>>>> = {
  en: {
    getScreener: ["Stocks that match", "stocks that match on"],
    getGainers: ["Biggest gainers", "biggest gainers on"],
    getLosers: ["Biggest losers", "biggest losers on"],
    getMostActive: ["Most active", "most active stocks on"],
    getCryptoMarkets: ["Coins", "coins on"],
  },
  vi: {
    getScreener: ["Cổ phiếu phù hợp", "các cổ phiếu phù hợp tiêu chí ngày"],
    getGainers: ["Tăng mạnh nhất", "các mã tăng mạnh nhất ngày"],
    getLosers: ["Giảm mạnh nhất", "các mã giảm mạnh nhất ngày"],
    getMostActive: ["Giao dịch nhiều nhất", "các mã giao dịch nhiều nhất ngày"],
    getCryptoMarkets: ["Tiền mã hoá", "các đồng tiền mã hoá ngày"],
  },
};

const FIRST = { en: "first", vi: "đứng đầu" } as const;
const MEMBERS = {
  en: ["Index members", "the members of the index"],
  vi: ["Thành phần chỉ số", "các thành phần của chỉ số"],
} as const;

const MAX_ROWS = 20;
const COLUMNS = ["price", "change", "24 h change", "market cap", "volume", "24 h volume", "dividend yield", "beta"];
const MAX_COLUMNS = 5;

/** Makes the topic of one list. */
export const listOf =
  (kind: Kind): Topic =>
  (view, calls): Section | undefined => {
    const facts = calls.flatMap((call) => call.facts);
    const symbols = [...new Set(facts.map(({ symbol }) => symbol))].slice(0, MAX_ROWS);
    const metrics = COLUMNS.filter((name) => facts.some(({ metric }) => metric === name)).slice(0, MAX_COLUMNS);
    const shown = facts.filter(({ symbol, metric }) => symbols.includes(symbol) && metrics.includes(metric));
    const [first] = shown;
    if (first === undefined) return undefined;
    const [title, lead] = TEXT[view.language][kind];
    const said = toFirst(view, shown, first.symbol);
    const body = [toRows(view, shown, metrics), ...toYieldNote(view, calls)];
    return { title, lead: `${lead} ${dayOf(first)}, ${said}.`, body, facts: shown };
  };

const YIELD_NOTE = {
  en: "The screener only asks whether a stock pays a dividend; it cannot bound the yield, so look at the yields in the table.",
  vi: "Bộ lọc chỉ xét cổ phiếu có trả cổ tức hay không, chưa lọc được theo mức lợi suất; hãy xem lợi suất trong bảng.",
} as const;
const PAYING = z.looseObject({ dividend_more_than: z.literal(0) });

/** A bound on the yield that was asked for, and that the tool does not have. */
function toYieldNote({ question, language }: View, calls: readonly SeenCall[]): readonly string[] {
  const isAsked = /\d\s*(?:%|percent|phần trăm|phan tram)/i.test(question);
  return isAsked && calls.some(({ args }) => PAYING.safeParse(args).success) ? [YIELD_NOTE[language]] : [];
}

/** The first row in words. */
function toFirst(view: View, facts: readonly Fact[], symbol: string): string {
  const own = facts.filter((fact) => fact.symbol === symbol);
  const change = own.find(({ metric, unit }) => unit === "percent" && metric.endsWith("change")) ?? own[0];
  if (change === undefined) return "";
  const { language } = view;
  return `${FIRST[language]} ${toName(view, symbol)}: ${metricName(change.metric, language)} ${cite(change)}`;
}

function toRows(view: View, facts: readonly Fact[], metrics: readonly string[]): string {
  const words = wordsOf(view.language);
  const symbols = [...new Set(facts.map(({ symbol }) => symbol))];
  const rows = symbols.map((symbol) => [
    symbol,
    toPlainText(view.names.get(symbol)?.name ?? "–"),
    ...metrics.map((metric) => toCell(facts, { metric, symbol })),
  ]);
  return toTable([words.symbol, words.name, ...metrics.map((one) => toTitle(metricName(one, view.language)))], rows);
}

/** Who is in an index, with weights if they are known. */
export const components: Topic = (view, calls) => {
  const [title, lead] = MEMBERS[view.language];
  const facts = calls.flatMap((call) => call.facts);
  const members = calls.flatMap(toMembers).slice(0, MAX_ROWS);
  if (members.length === 0) return undefined;
  const words = wordsOf(view.language);
  const [weight] = facts;
  const head = [
    words.symbol,
    words.name,
    ...(weight === undefined ? [] : [toTitle(metricName(weight.metric, view.language))]),
  ];
  const rows = members.map(({ symbol, name }) => {
    const cell = weight === undefined ? [] : [toCell(facts, { metric: weight.metric, symbol })];
    return [symbol, name, ...cell];
  });
  return { title, lead: `${lead}:`, body: [toTable(head, rows)], facts };
};

type Member = Readonly<{ symbol: string; name: string }>;

/** `AAPL, Apple Inc., Technology`: a name may have commas, a sector has none. */
function toMembers({ quoted, symbols }: SeenCall): readonly Member[] {
  const known = new Set(symbols);
  return quoted.flatMap((line) => {
    const [symbol = "", ...parts] = line.split(", ");
    const name = parts.length > 1 ? parts.slice(0, -1) : parts;
    return known.has(symbol) ? [{ symbol, name: toQuoted(name.join(", ")).text }] : [];
  });
}
