/**
 * Report plan: what to look up for a full report, as data that a planner could have written.
 *
 * At most fifteen tasks: fewer per company the more companies there are. Ratios and growth wait for the income statement,
 * because a company without statements has none of them.
 */
import type { Json } from "@baton/core";
import type { Intent, QuestionLanguage } from "../intent.ts";
import type { Situation } from "../situation.ts";
import { hasTool } from "./tool-names.ts";

/** A plan as a planner writes it. */
export interface ReportPlan {
  readonly title: string;
  readonly tasks: readonly ReportTask[];
}

/** One task of it. */
interface ReportTask {
  readonly id: string;
  readonly title: string;
  readonly tool: string;
  readonly args: { readonly [name: string]: Json };
  readonly depends_on: readonly string[];
  readonly priority: number;
}

/** A plan has at most so many tasks. */
const MAX_TASKS = 15;

type Locked = Intent["listings"][number];

/** One thing to look up about a company. */
interface Part {
  readonly id: string;
  readonly tool: string;
  readonly title: Readonly<Record<QuestionLanguage, string>>;
  readonly args?: { readonly [name: string]: Json };
  /** Parts of the same company that must be done before. */
  readonly after?: readonly string[];
}

const COMPANY: readonly Part[] = [
  { id: "quote", tool: "getStockQuote", title: { en: "Quote and market cap", vi: "Giá và vốn hóa" } },
  { id: "income", tool: "getIncomeStatement", title: { en: "Income statement", vi: "Kết quả kinh doanh" } },
  { id: "technical", tool: "getTechnicalIndicators", title: { en: "Technical indicators", vi: "Chỉ báo kỹ thuật" } },
  {
    id: "risk",
    tool: "getVolatilityAnalysis",
    title: { en: "Volatility and drawdown", vi: "Biến động và mức sụt giảm" },
  },
  { id: "ratios", tool: "getRatios", title: { en: "Ratios", vi: "Hệ số tài chính" }, after: ["income"] },
  { id: "news", tool: "getStockNews", title: { en: "News", vi: "Tin tức" }, args: { limit: 5 } },
  { id: "change", tool: "getPriceChange", title: { en: "Performance", vi: "Hiệu suất giá" } },
  { id: "balance", tool: "getBalanceSheet", title: { en: "Balance sheet", vi: "Bảng cân đối kế toán" } },
  { id: "cash", tool: "getCashFlow", title: { en: "Cash flow", vi: "Lưu chuyển tiền tệ" } },
  { id: "growth", tool: "getFinancialGrowth", title: { en: "Growth", vi: "Tăng trưởng" }, after: ["income"] },
  { id: "earnings", tool: "getEarnings", title: { en: "Earnings", vi: "Lợi nhuận công bố" } },
  { id: "dividends", tool: "getDividends", title: { en: "Dividends", vi: "Cổ tức" } },
  { id: "sharpe", tool: "getSharpeRatio", title: { en: "Return for risk", vi: "Lợi nhuận trên rủi ro" } },
];

const FUND: readonly Part[] = COMPANY.filter(({ id }) =>
  ["quote", "technical", "risk", "change", "sharpe", "news"].includes(id),
);

const COIN: readonly Part[] = [
  { id: "quote", tool: "getCryptoQuote", title: { en: "Last 24 hours", vi: "24 giờ qua" } },
  { id: "technical", tool: "getTechnicalIndicators", title: { en: "Technical indicators", vi: "Chỉ báo kỹ thuật" } },
  {
    id: "risk",
    tool: "getVolatilityAnalysis",
    title: { en: "Volatility and drawdown", vi: "Biến động và mức sụt giảm" },
  },
  { id: "news", tool: "getCryptoNews", title: { en: "News", vi: "Tin tức" }, args: { limit: 5 } },
  {
    id: "history",
    tool: "getCryptoHistorical",
    title: { en: "Price history", vi: "Lịch sử giá" },
    args: { interval: "1d" },
  },
  { id: "sharpe", tool: "getSharpeRatio", title: { en: "Return for risk", vi: "Lợi nhuận trên rủi ro" } },
];

const MARKET: readonly Part[] = [
  { id: "overview", tool: "getMarketOverview", title: { en: "Indices", vi: "Các chỉ số" } },
  { id: "sectors", tool: "getSectorPerformance", title: { en: "Sectors", vi: "Các ngành" } },
  { id: "gainers", tool: "getGainers", title: { en: "Top gainers", vi: "Cổ phiếu tăng mạnh" }, args: { limit: 10 } },
  { id: "losers", tool: "getLosers", title: { en: "Top losers", vi: "Cổ phiếu giảm mạnh" }, args: { limit: 10 } },
  {
    id: "active",
    tool: "getMostActive",
    title: { en: "Most active", vi: "Giao dịch nhiều nhất" },
    args: { limit: 10 },
  },
  { id: "news", tool: "getGeneralNews", title: { en: "News", vi: "Tin tức" }, args: { limit: 5 } },
  { id: "calendar", tool: "getEconomicCalendar", title: { en: "Economic calendar", vi: "Lịch kinh tế" } },
];

/** A report covers at most so many listings. */
const MAX_COMPANIES = 3;
const METRICS = ["growth", "margins", "pe", "market_cap", "drawdown", "correlation"] as const;

/** Plans the report that an intent asks for. */
export function planReport(intent: Intent, situation: Situation): ReportPlan {
  const language = intent.response_language;
  const listings = intent.listings.slice(0, MAX_COMPANIES);
  if (listings.length === 0)
    return { title: TITLES.market[language], tasks: toTasks({ parts: MARKET, language, situation, most: MAX_TASKS }) };
  const isCompared = listings.length > 1;
  const most = Math.floor((MAX_TASKS - Number(isCompared)) / listings.length);
  const tasks = listings.flatMap((listing) => toTasks({ parts: partsOf(listing), language, situation, most, listing }));
  const names = listings.map(({ symbol }) => symbol).join(", ");
  return {
    title: `${TITLES.report[language]} ${names}`,
    tasks: isCompared ? [...tasks, compareTask(listings, language)] : tasks,
  };
}

const TITLES = {
  report: { en: "Full report on", vi: "Báo cáo đầy đủ về" },
  market: { en: "Report on the market", vi: "Báo cáo thị trường" },
  compare: { en: "Comparison", vi: "So sánh" },
} as const;

function partsOf({ type }: Locked): readonly Part[] {
  if (type === "crypto") return COIN;
  return type === "stock" ? COMPANY : FUND;
}

interface Planned {
  readonly parts: readonly Part[];
  readonly language: QuestionLanguage;
  readonly situation: Situation;
  readonly most: number;
  readonly listing?: Locked;
}

function toTasks({ parts, language, situation, most, listing }: Planned): readonly ReportTask[] {
  const chosen = parts.filter(({ tool }) => hasTool(situation, tool)).slice(0, most);
  const toId = (id: string) => (listing === undefined ? id : `${toPlainId(listing.symbol)}_${id}`);
  const ids = new Set(chosen.map(({ id }) => id));
  return chosen.map(({ id, tool, title, args = {}, after = [] }, at) => ({
    id: toId(id),
    title: listing === undefined ? title[language] : `${title[language]}: ${listing.symbol}`,
    tool,
    args: listing === undefined ? { ...args } : { symbol: listing.symbol, ...args },
    depends_on: after.filter((other) => ids.has(other)).map(toId),
    priority: at,
  }));
}

/** A symbol as an id may have it. */
function toPlainId(symbol: string): string {
  return symbol
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "-")
    .slice(0, 20);
}

function compareTask(listings: readonly Locked[], language: QuestionLanguage): ReportTask {
  const symbols = listings.map(({ symbol }) => symbol);
  const title = `${TITLES.compare[language]}: ${symbols.join(", ")}`;
  return {
    id: "compare",
    title,
    tool: "compareMetrics",
    args: { symbols, metrics: [...METRICS] },
    depends_on: [],
    priority: 50,
  };
}
