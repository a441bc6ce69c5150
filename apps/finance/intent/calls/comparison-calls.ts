/**
 * Comparison calls: what is compared by its own tool for each, or by compareMetrics in one call.
 *
 * Coins have no statements: without a topic they are compared by their last 24 hours.
 */
import { type Ask, call, type ChosenCall } from "../ask.ts";
import type { Topic } from "../lexicon/topics.ts";
import { toSearched } from "../reading.ts";
import { type Lexicon, toPhraseIndex } from "../topics/phrase-index.ts";
import { each } from "./price-calls.ts";

const METRICS: Lexicon<string> = [
  ["growth", "growth, growth rate, growth rates, growing, grow, tăng trưởng, tốc độ tăng trưởng"],
  ["revenue_growth", "revenue growth, sales growth, tăng trưởng doanh thu"],
  ["net_income_growth", "profit growth, earnings growth, net income growth, tăng trưởng lợi nhuận"],
  ["eps_growth", "eps growth, tăng trưởng eps"],
  ["cagr", "cagr"],
  [
    "margins",
    "margin, margins, profit margin, profit margins, profitability, biên lợi nhuận, biên lãi, more profitable, hiệu quả hơn",
  ],
  ["gross_margin", "gross margin, gross margins, biên lợi nhuận gộp, biên gộp, biên lãi gộp"],
  ["operating_margin", "operating margin, operating margins, biên lợi nhuận hoạt động"],
  ["net_margin", "net margin, net margins, net profit margin, biên lợi nhuận ròng, biên lãi ròng"],
  ["ebitda_margin", "ebitda margin"],
  ["fcf_margin", "fcf margin, free cash flow margin"],
  ["ev_to_ebitda", "ev/ebitda, ev to ebitda, ev ebitda"],
  ["fcf_yield", "fcf yield, free cash flow yield"],
  ["piotroski", "piotroski, f score, piotroski score, piotroski f score, điểm piotroski"],
  ["altman_z", "altman, altman z, altman z score, z score, bankruptcy risk, nguy cơ phá sản"],
  ["correlation", "correlation, correlated, correlate, tương quan, hệ số tương quan"],
  ["drawdown", "drawdown, drawdowns, max drawdown, maximum drawdown, mức sụt giảm, sụt giảm tối đa, sụt giảm"],
  [
    "pe",
    "p/e, pe, p/e ratio, pe ratio, price to earnings, valuation, valuations, cheaper, overvalued, undervalued, định giá, rẻ hơn, đắt hơn",
  ],
  [
    "market_cap",
    "market cap, market caps, market capitalization, market capitalisation, market value, bigger, larger, vốn hóa, lớn hơn, quy mô",
  ],
  ["dividend_yield", "dividend yield, dividend yields, yield, tỷ suất cổ tức, lợi suất cổ tức"],
];
const METRIC_INDEX = toPhraseIndex(METRICS);

/** What companies are compared by if nothing is named. */
const STANDARD = ["growth", "margins", "pe", "market_cap"] as const;
/** Topics whose figures compareMetrics has. */
const COVERED: ReadonlySet<Topic> = new Set([
  "growth",
  "ratios",
  "valuation",
  "quote",
  "metrics",
  "score",
  "correlation",
  "dividends",
  "volatility",
]);
/** Topics that say nothing about what is compared. */
const OPEN: ReadonlySet<Topic> = new Set(["compare", "analysis", "advice", "doing", "report", "fundamentals"]);

/** The calls that compare. */
export function comparisonCalls(
  ask: Ask,
  topicCalls: (ask: Ask, topic: Topic) => readonly ChosenCall[],
): readonly ChosenCall[] {
  const metrics = [...new Set(METRIC_INDEX.find(toSearched(ask.base.tokens, ask.base.text)).map(({ name }) => name))];
  const named = [...ask.topics].filter((topic) => !OPEN.has(topic));
  const isCoins = ask.listings.every(({ type }) => type === "crypto");
  const rest = named.filter((topic) => !(metrics.length > 0 && COVERED.has(topic)));
  const own = rest.flatMap((topic) => topicCalls(ask, topic));
  const symbols = ask.listings.map(({ symbol }) => symbol).slice(0, 10);
  const usable = isCoins ? metrics.filter((metric) => metric === "correlation" || metric === "drawdown") : metrics;
  const compared = usable.length > 0 ? [call("compareMetrics", { symbols, metrics: usable })] : [];
  const calls = [...compared, ...own];
  if (calls.length > 0) return calls;
  if (isCoins) return each(ask, ({ symbol }) => [call("getCryptoQuote", { symbol })]);
  return [call("compareMetrics", { symbols, metrics: [...STANDARD] })];
}
