/**
 * Tool topics: what each tool looks up, in words.
 */
import type { Language } from "../intent/intent.ts";

type Words = readonly [english: string, vietnamese: string];

const LOOKED_UP: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["getStockPrice", ["the price", "giá"]],
  ["getStockQuote", ["the quote", "báo giá chi tiết"]],
  ["getHistoricalPrice", ["historical prices", "giá lịch sử"]],
  ["getIntradayPrices", ["intraday prices", "giá trong ngày"]],
  ["getPriceChange", ["price changes", "thay đổi giá"]],
  ["getTechnicalIndicators", ["technical indicators", "chỉ báo kỹ thuật"]],
  ["getRSI", ["RSI", "RSI"]],
  ["getMACD", ["MACD", "MACD"]],
  ["getSMA", ["SMA", "SMA"]],
  ["getEMA", ["EMA", "EMA"]],
  ["getBands", ["Bollinger bands", "dải Bollinger"]],
  ["getBalanceSheet", ["the balance sheet", "bảng cân đối kế toán"]],
  ["getIncomeStatement", ["the income statement", "báo cáo kết quả kinh doanh"]],
  ["getCashFlow", ["the cash flow statement", "báo cáo lưu chuyển tiền tệ"]],
  ["getKeyMetrics", ["key metrics", "chỉ số tài chính chính"]],
  ["getFinancialGrowth", ["growth figures", "số liệu tăng trưởng"]],
  ["getRatios", ["financial ratios", "hệ số tài chính"]],
  ["getEarnings", ["earnings reports", "báo cáo lợi nhuận"]],
  ["getDividends", ["dividends", "cổ tức"]],
  ["getStockNews", ["news", "tin tức"]],
  ["getGeneralNews", ["market news", "tin thị trường"]],
  ["webSearch", ["the web search", "tìm kiếm trên web"]],
  ["getScreener", ["the stock screener", "bộ lọc cổ phiếu"]],
  ["getGainers", ["the biggest gainers", "các mã tăng mạnh nhất"]],
  ["getLosers", ["the biggest losers", "các mã giảm mạnh nhất"]],
  ["getMostActive", ["the most active stocks", "các mã giao dịch nhiều nhất"]],
  ["getCryptoPrice", ["the price", "giá"]],
  ["getCryptoQuote", ["the quote", "báo giá chi tiết"]],
  ["getCryptoHistorical", ["past prices", "giá trong quá khứ"]],
  ["getCryptoNews", ["crypto news", "tin tiền mã hoá"]],
  ["getCryptoMarkets", ["the list of coins", "danh sách tiền mã hoá"]],
  ["getMarketOverview", ["the market overview", "tổng quan thị trường"]],
  ["getSectorPerformance", ["sector performance", "biến động các ngành"]],
  ["getIndexComponents", ["the index members", "thành phần của chỉ số"]],
  ["getEconomicCalendar", ["the economic calendar", "lịch kinh tế"]],
  ["calculateVaR", ["value at risk", "giá trị chịu rủi ro (VaR)"]],
  ["getSharpeRatio", ["the Sharpe ratio", "tỷ số Sharpe"]],
  ["getVolatilityAnalysis", ["the volatility analysis", "phân tích biến động"]],
  ["getCurrentTime", ["the time", "giờ hiện tại"]],
  ["resolveSymbol", ["the symbol", "mã chứng khoán"]],
  ["compareMetrics", ["the comparison", "so sánh"]],
  ["runBacktest", ["the backtest", "kiểm thử chiến lược"]],
  ["plan", ["the plan", "kế hoạch"]],
  ["calculate", ["the calculation", "phép tính"]],
]);

/** What a tool looks up. */
export function lookedUpBy(tool: string, language: Language): string {
  return LOOKED_UP.get(tool)?.[language === "en" ? 0 : 1] ?? tool;
}
