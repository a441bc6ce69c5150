import assert from "node:assert/strict";
import { before, test } from "node:test";
import { inSlice } from "@baton/core/testing";
import * as fc from "fast-check";
import { answer, type Asked, assertSound, openTools } from "./testing/answer.ts";

const SEEDS = Array.from({ length: 10 }, (_, index) => index + 1);
const MADE_UP = "FICTEA";
const LANGUAGES = ["en", "vi"] as const;
const FIRST_SENTENCE = { en: /^On (partly )?simulated data, /, vi: /^Theo dữ liệu (có một phần )?mô phỏng, / } as const;

/** Every tool, and whether what it shows is simulated. */
const CASES: readonly (readonly [kind: "real" | "simulated" | "none", ...Asked])[] = [
  ["real", "getStockPrice", { symbol: "NVDA" }],
  ["real", "getStockQuote", { symbol: "NVDA" }],
  ["simulated", "getHistoricalPrice", { symbol: "NVDA", limit: 5 }],
  ["real", "getHistoricalPrice", { symbol: "AAPL", from: "2010-01-04", to: "2010-02-26" }],
  ["simulated", "getIntradayPrices", { symbol: "NVDA" }],
  ["simulated", "getPriceChange", { symbol: "NVDA" }],
  ["simulated", "getTechnicalIndicators", { symbol: "NVDA", indicators: ["RSI", "MACD", "SMA", "EMA", "BB"] }],
  ["simulated", "getTechnicalIndicators", { symbol: "FICDRGN", indicators: ["ATR", "STOCH", "ADX", "VWAP", "OBV"] }],
  ["simulated", "getRSI", { symbol: "NVDA" }],
  ["simulated", "getMACD", { symbol: "AAPL" }],
  ["simulated", "getSMA", { symbol: "NVDA", period: 50 }],
  ["simulated", "getEMA", { symbol: "MSFT" }],
  ["simulated", "getBands", { symbol: "NVDA", period: 30, stdDev: 2.5 }],
  ["real", "getBalanceSheet", { symbol: "AAPL" }],
  ["real", "getIncomeStatement", { symbol: "AAPL" }],
  ["simulated", "getIncomeStatement", { symbol: MADE_UP, period: "quarter" }],
  ["real", "getCashFlow", { symbol: "AAPL" }],
  ["real", "getKeyMetrics", { symbol: "AAPL" }],
  ["real", "getFinancialGrowth", { symbol: "AAPL" }],
  ["real", "getRatios", { symbol: "AAPL" }],
  ["simulated", "getEarnings", { symbol: MADE_UP }],
  ["simulated", "getDividends", { symbol: MADE_UP }],
  ["simulated", "getStockNews", { symbol: MADE_UP }],
  ["simulated", "getGeneralNews", {}],
  ["none", "webSearch", { query: "rates" }],
  ["real", "getScreener", { sector: "technology", limit: 20 }],
  ["real", "getGainers", {}],
  ["real", "getLosers", {}],
  ["real", "getMostActive", {}],
  ["real", "getCryptoPrice", { symbol: "BTC" }],
  ["real", "getCryptoQuote", { symbol: "BTC" }],
  ["real", "getCryptoHistorical", { symbol: "BTC" }],
  ["none", "getCryptoNews", {}],
  ["simulated", "getCryptoMarkets", {}],
  ["real", "getMarketOverview", {}],
  ["real", "getSectorPerformance", {}],
  ["none", "getIndexComponents", {}],
  ["simulated", "getEconomicCalendar", { from: "2024-10-25", to: "2024-11-20" }],
  ["simulated", "calculateVaR", { symbol: "NVDA" }],
  ["simulated", "calculateVaR", { symbol: "NVDA", portfolio_value: 5000, confidence: 0.99, method: "parametric" }],
  ["simulated", "getSharpeRatio", { symbol: "NVDA" }],
  ["simulated", "getVolatilityAnalysis", { symbol: "NVDA" }],
  ["real", "getCurrentTime", { timezone: "Asia/Ho_Chi_Minh" }],
  ["none", "tool_search", { query: "rsi" }],
  ["real", "resolveSymbol", { query: "vinamilk" }],
  ["none", "calculate", { expression: "f1.1.1.1 * 2" }],
  [
    "simulated",
    "compareMetrics",
    { symbols: ["AAPL", "MSFT"], metrics: ["growth", "margins", "drawdown", "correlation"] },
  ],
  ["none", "getFilings", { symbol: "AAPL" }],
  ["none", "readFilingSection", { accession: "0000320193-24-000123", section: "1A" }],
  ["none", "searchFilings", { query: "data center power" }],
  ["none", "getInsiderTrades", { symbol: "AAPL" }],
  ["none", "getInstitutionalHoldings", { manager: "Berkshire" }],
  ["none", "getRates", {}],
  ["none", "getEconomicSeries", { series: "CPI" }],
  ["none", "convertCurrency", { amount: 100, from: "USD", to: "VND" }],
  ["real", "compareSources", { symbol: "AAPL" }],
  ["real", "runBacktest", { symbol: "AAPL", strategy: "sma_cross", from: "2000-01-01", to: "2010-12-31" }],
];

/** Tools of what is kept for a user, which are called one after the other, and those that only programs call. */
const KEPT = /^(?:load|save|recall|searchMemory|check|set|remove|import|list|getPortfolio|analyzePortfolio)/;

let market: Awaited<ReturnType<typeof openTools>>;
before(async () => {
  market = await openTools();
});

test("every tool is answered in both languages: all figures are backed, simulated data is said first", async () => {
  const tried = new Set(CASES.map(([, tool]) => tool));
  const others = market.tools.map(({ name }) => name).filter((name) => !tried.has(name) && !KEPT.test(name));
  assert.deepEqual(others, []);
  for (const [kind, ...asked] of inSlice(CASES)) {
    for (const language of LANGUAGES) {
      const situation = { language, calls: [asked] };
      const answered = await answer(market, situation);
      assertSound(answered, situation);
      assert.equal(FIRST_SENTENCE[language].test(answered.text), kind === "simulated", answered.text);
      assert.ok(kind === "none" || answered.text.length > 80, answered.text);
    }
  }
});

/** Calls that go together in any order and number. */
const POOL: readonly Asked[] = [
  ...["AAPL", "MSFT", "NVDA", "A", "ALL", "BA", "MA", "V", "MMM", "BRK-B", MADE_UP, "^GSPC"].flatMap(
    (symbol): readonly Asked[] => [
      ["getStockQuote", { symbol }],
      ["getTechnicalIndicators", { symbol }],
      ["getVolatilityAnalysis", { symbol }],
      ["getPriceChange", { symbol }],
    ],
  ),
  ...["AAPL", "MSFT", "KO", MADE_UP, "ZZZZQ"].flatMap((symbol): readonly Asked[] => [
    ["getIncomeStatement", { symbol }],
    ["getRatios", { symbol }],
    ["getStockNews", { symbol }],
    ["getDividends", { symbol }],
  ]),
  ...CASES.map(([, ...asked]): Asked => asked),
];

test("any calls together keep every figure with its own company, metric and period", async () => {
  const chosen = fc.record({
    calls: fc.uniqueArray(fc.constantFrom(...POOL), { minLength: 1, maxLength: 7 }),
    language: fc.constantFrom(...LANGUAGES),
    type: fc.constantFrom("stock_price", "technical", "fundamental", "comparison", "news", "market" as const),
    isReport: fc.boolean(),
    symbols: fc.subarray(["AAPL", "MSFT", "MA", "V", MADE_UP]),
  });
  const property = fc.asyncProperty(chosen, async ({ calls, language, type, isReport, symbols }) => {
    const complexity = isReport ? ("plan" as const) : ("tool_required" as const);
    const situation = { language, calls, intent: { query_type: type, complexity, validated_symbols: symbols } };
    const answered = await answer(market, situation);
    assertSound(answered, situation);
  });
  for (const seed of inSlice(SEEDS)) await fc.assert(property, { seed, numRuns: 20 });
});
