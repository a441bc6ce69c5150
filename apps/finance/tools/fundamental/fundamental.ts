/**
 * Fundamental tools: statements of companies, and the metrics, ratios and growth that follow from them.
 */
import { z } from "zod";
import type { PeriodKind, StatementKind } from "../../market/port/market-data.ts";
import { limitOf, Symbol } from "../frame/arguments.ts";
import { defineMarketTool, type ToolCard } from "../frame/market-tool.ts";
import { loadPeriods, type ShownPeriods, toPeriodFigures } from "./periods.ts";
import { requireListing, SECURITIES } from "../frame/require-listing.ts";

const TTL_MS = 24 * 60 * 60_000;
const MAX_PERIODS = 40;

type MetricsInput = Readonly<{ symbol: string; period: PeriodKind; limit: number }>;

/** Periods of a balance sheet: a state at one day has no sum of twelve months. */
const BalancePeriod: z.ZodType<PeriodKind> = z
  .enum(["annual", "quarter"])
  .default("annual")
  .describe("annual: fiscal years; quarter: fiscal quarters; default annual");
const AnyPeriod: z.ZodType<PeriodKind> = z
  .enum(["annual", "quarter", "ttm"])
  .default("annual")
  .describe("annual: fiscal years; quarter: fiscal quarters; ttm: the last twelve months; default annual");
const periodsOf = (standard: number) =>
  limitOf(standard, MAX_PERIODS).describe(`How many of the newest periods, 1 to ${MAX_PERIODS}; default ${standard}`);

/** In what the three statements differ. */
interface StatementWords extends Omit<ToolCard, "category"> {
  readonly statement: StatementKind;
  readonly description: string;
}

const defineStatement = ({ statement, ...card }: StatementWords) =>
  defineMarketTool<MetricsInput, ShownPeriods>({
    ...card,
    category: "fundamental",
    input: z.strictObject({
      symbol: Symbol,
      period: statement === "balance" ? BalancePeriod : AnyPeriod,
      limit: periodsOf(8),
    }),
    ttlMs: TTL_MS,
    run: ({ symbol, period, limit }, { market, context: { scope } }) => {
      const listing = requireListing(market, symbol, SECURITIES);
      const ask = (kind: PeriodKind, most: number) =>
        market.statements({ listing, statement, period: kind, limit: most }, scope);
      return loadPeriods({ listing, set: statement, period, limit, ask });
    },
    figures: (data) => toPeriodFigures(data, statement),
  });

/** Shows a company's assets and liabilities. */
export const getBalanceSheet = defineStatement({
  name: "getBalanceSheet",
  statement: "balance",
  description:
    "Balance sheets of one company by fiscal year or quarter: assets, liabilities, equity, cash, debt, inventory, " +
    "receivables. Use it for what a company owns and owes; getIncomeStatement has revenue and profit, getRatios has " +
    "debt and liquidity ratios.",
  says: `balance sheet; total assets and liabilities; how much debt and cash does the company have;
    shareholders' equity; inventory and receivables; bảng cân đối kế toán; tổng tài sản và nợ phải trả;
    nợ vay và tiền mặt của công ty; vốn chủ sở hữu; hàng tồn kho; what does the company own and owe;
    shareholders equity inventory receivables; cash pile and borrowings; tài sản nợ vốn chủ; tiền mặt và nợ vay`,
  chart: { type: "showStockFinancials", about: "symbol" },
});

/** Shows a company's revenue, expenses and profit. */
export const getIncomeStatement = defineStatement({
  name: "getIncomeStatement",
  statement: "income",
  description:
    "Income statements of one company by fiscal year or quarter: revenue, gross profit, operating income, net income, " +
    "EPS, EBITDA and expenses. Use it for sales, profit and costs; getFinancialGrowth has growth rates, getEarnings " +
    "has estimates.",
  says: `income statement; revenue and net income; profit and loss; annual sales; how much does the company earn;
    R&D expenses; báo cáo kết quả kinh doanh; doanh thu và lợi nhuận; lợi nhuận ròng; lãi lỗ của công ty;
    chi phí hoạt động; sales and earnings per year; is the company profitable; profit and loss account;
    lãi lỗ các năm; doanh số và lợi nhuận`,
  isCommon: true,
  chart: { type: "showStockFinancials", about: "symbol" },
});

/** Shows a company's cash flows. */
export const getCashFlow = defineStatement({
  name: "getCashFlow",
  statement: "cash_flow",
  description:
    "Cash flow statements of one company by fiscal year or quarter: operating, investing and financing cash flow, " +
    "capital expenditure, free cash flow, dividends paid and stock repurchased. Use it for cash that came in and " +
    "went out.",
  says: `cash flow statement; free cash flow; operating cash flow; capital expenditure capex;
    share buybacks and dividends paid; báo cáo lưu chuyển tiền tệ; dòng tiền tự do;
    dòng tiền hoạt động kinh doanh; chi đầu tư; mua lại cổ phiếu quỹ; cash burn; how much cash does it generate;
    capital spending and buybacks; tiền vào tiền ra`,
  chart: { type: "showStockFinancials", about: "symbol" },
});

/** Words in which the three sets of metrics differ. */
interface MetricsWords extends Omit<ToolCard, "category"> {
  readonly set: "key_metrics" | "ratios";
  readonly limit: number;
  readonly description: string;
}

const defineMetrics = ({ set, limit: standard, ...card }: MetricsWords) =>
  defineMarketTool<MetricsInput, ShownPeriods>({
    ...card,
    category: "fundamental",
    input: z.strictObject({ symbol: Symbol, period: AnyPeriod, limit: periodsOf(standard) }),
    ttlMs: TTL_MS,
    run: ({ symbol, period, limit }, { market, context: { scope } }) => {
      const listing = requireListing(market, symbol, SECURITIES);
      const ask = (kind: PeriodKind, most: number) =>
        market.metrics({ listing, set, period: kind, limit: most }, scope);
      return loadPeriods({ listing, set, period, limit, ask });
    },
    figures: (data) => toPeriodFigures(data, set),
  });

/** Valuation and returns. */
export const getKeyMetrics = defineMetrics({
  name: "getKeyMetrics",
  set: "key_metrics",
  limit: 5,
  description:
    "Key metrics of one company by fiscal year, quarter or the last twelve months: market cap, enterprise value, " +
    "EV/EBITDA, EV/sales, ROE, ROA, ROIC, free cash flow yield, working capital, days of sales and inventory. Use it " +
    "for valuation and returns on capital; getRatios has margins, P/E and liquidity.",
  says: `key metrics; enterprise value EV/EBITDA; return on equity ROE ROIC; free cash flow yield;
    valuation of the company; cash conversion cycle; chỉ số tài chính chính; định giá doanh nghiệp;
    hiệu quả sử dụng vốn ROE ROA; vốn lưu động; ROE ROA ROIC; enterprise value EV multiples;
    quality of the business in numbers; giá trị doanh nghiệp; hiệu quả sử dụng vốn`,
  chart: { type: "showStockFinancials", about: "symbol" },
});

/** Margins, liquidity, leverage and price ratios. */
export const getRatios = defineMetrics({
  name: "getRatios",
  set: "ratios",
  limit: 8,
  description:
    "Financial ratios of one company by fiscal year, quarter or the last twelve months: P/E, P/B, P/S, gross, " +
    "operating and net margin, current and quick ratio, debt to equity, interest coverage, payout, values per share. " +
    "Use it for margins, liquidity, leverage and price ratios.",
  says: `financial ratios; P/E ratio and P/B ratio; gross margin net margin; debt to equity; current ratio liquidity;
    payout ratio; book value per share; các hệ số tài chính; chỉ số P/E P/B; biên lợi nhuận;
    hệ số nợ trên vốn chủ; khả năng thanh toán; is it cheap or expensive by valuation ratios;
    PE PB PS margin leverage; định giá P/E P/B; hệ số nợ biên lợi nhuận`,
  chart: { type: "showStockFinancials", about: "symbol" },
});

/** Growth on the year before. */
export const getFinancialGrowth = defineMarketTool<Readonly<{ symbol: string; lookback_years: number }>, ShownPeriods>({
  name: "getFinancialGrowth",
  category: "fundamental",
  description:
    "Growth rates of one company in percent by fiscal year: revenue, net income, EPS, free cash flow, assets, debt " +
    "and per-share growth over 3, 5 and 10 years. Use it for how fast a company grows; getIncomeStatement has the " +
    "amounts.",
  says: `revenue growth rate; earnings growth year over year; how fast is the company growing; EPS growth;
    tăng trưởng doanh thu; tốc độ tăng trưởng lợi nhuận; tăng trưởng so với năm trước;
    công ty tăng trưởng nhanh không; growth rates year over year; is the business growing;
    tăng trưởng qua từng năm; tốc độ phát triển`,
  chart: { type: "showStockFinancials", about: "symbol" },
  input: z.strictObject({
    symbol: Symbol,
    lookback_years: z
      .int()
      .min(1)
      .max(30)
      .default(5)
      .describe("How many of the newest fiscal years, 1 to 30; default 5"),
  }),
  ttlMs: TTL_MS,
  run: ({ symbol, lookback_years: limit }, { market, context: { scope } }) => {
    const listing = requireListing(market, symbol, SECURITIES);
    const ask = (period: PeriodKind, most: number) =>
      market.metrics({ listing, set: "growth", period, limit: most }, scope);
    return loadPeriods({ listing, set: "growth", period: "annual", limit, ask });
  },
  figures: (data) => toPeriodFigures(data, "growth"),
});
