/**
 * Metric names: what each metric of a fact is called in an answer, in both languages.
 *
 * Statement lines, ratios and growth have their names in `market/metrics/metrics.ts`; here are those of prices, risk, events and
 * lists. Names of indicators stay as they are; only the words after them are translated.
 */
import { METRICS } from "../../market/metrics/metrics.ts";
import type { QuestionLanguage } from "../../intent/intent.ts";

const PLAIN: readonly (readonly [metric: string, vietnamese: string])[] = [
  ["price", "giá"],
  ["close", "giá đóng cửa"],
  ["open", "giá mở cửa"],
  ["high", "giá cao nhất"],
  ["low", "giá thấp nhất"],
  ["previous close", "giá đóng cửa phiên trước"],
  ["change", "thay đổi trong phiên"],
  ["price change", "thay đổi giá"],
  ["highest price", "giá cao nhất kỳ"],
  ["lowest price", "giá thấp nhất kỳ"],
  ["day low", "giá thấp nhất ngày"],
  ["day high", "giá cao nhất ngày"],
  ["52-week low", "đáy 52 tuần"],
  ["52-week high", "đỉnh 52 tuần"],
  ["50-day average", "trung bình 50 ngày"],
  ["200-day average", "trung bình 200 ngày"],
  ["volume", "khối lượng giao dịch"],
  ["average volume", "khối lượng bình quân"],
  ["market cap", "vốn hoá thị trường"],
  ["dividend yield", "lợi suất cổ tức"],
  ["beta", "hệ số beta"],
  ["24 h change", "thay đổi 24 giờ"],
  ["24 h high", "giá cao nhất 24 giờ"],
  ["24 h low", "giá thấp nhất 24 giờ"],
  ["price 24 h ago", "giá 24 giờ trước"],
  ["24 h volume", "khối lượng 24 giờ"],
  ["stocks that rose", "số mã tăng"],
  ["stocks that fell", "số mã giảm"],
  ["stocks unchanged", "số mã đứng giá"],
  ["sector change", "thay đổi của ngành"],
  ["sector market cap", "vốn hoá của ngành"],
  ["stocks in the sector", "số cổ phiếu của ngành"],
  ["reported EPS", "EPS công bố"],
  ["estimated EPS", "EPS dự báo"],
  ["EPS surprise", "chênh lệch EPS"],
  ["reported revenue", "doanh thu công bố"],
  ["estimated revenue", "doanh thu dự báo"],
  ["revenue surprise", "chênh lệch doanh thu"],
  ["dividends per share, total", "tổng cổ tức mỗi cổ phiếu"],
  ["dividend per share", "cổ tức từng đợt"],
  ["mean daily return", "lợi suất bình quân ngày"],
  ["daily volatility", "độ biến động ngày"],
  ["annual volatility", "độ biến động năm"],
  ["maximum drawdown", "mức sụt giảm tối đa"],
  ["risk score", "điểm rủi ro"],
  ["risk-free rate", "lãi suất phi rủi ro"],
  ["Sharpe ratio", "tỷ số Sharpe"],
  ["Sortino ratio", "tỷ số Sortino"],
  ["revenue CAGR", "CAGR doanh thu"],
  ["net income CAGR", "CAGR lợi nhuận ròng"],
  ["free cash flow margin", "biên dòng tiền tự do"],
  ["FCF yield", "tỷ suất dòng tiền tự do"],
  ["Piotroski F score", "điểm Piotroski F"],
  ["Altman Z", "chỉ số Altman Z"],
  ["correlation of daily returns", "hệ số tương quan lợi suất ngày"],
  ["value", "giá trị"],
  ["cost", "giá vốn"],
  ["quantity", "số lượng"],
  ["profit or loss", "lãi hoặc lỗ"],
  ["change of the day", "thay đổi trong ngày"],
  ["quantity held", "số lượng nắm giữ"],
  ["quantity before", "số lượng trước đó"],
  ["quantity of a lot", "số lượng của lô"],
  ["cost of a lot", "giá vốn của lô"],
  ["average cost", "giá vốn bình quân"],
  ["value of the holding", "giá trị nắm giữ"],
  ["cost of the holding", "vốn của khoản nắm giữ"],
  ["weight", "tỷ trọng"],
  ["weight of the three largest", "tỷ trọng ba khoản lớn nhất"],
  ["effective number of holdings", "số khoản hiệu dụng"],
  ["Herfindahl index (HHI)", "chỉ số Herfindahl (HHI)"],
  ["weight of the sector", "tỷ trọng của ngành"],
  ["value of the sector", "giá trị của ngành"],
  ["contribution to the risk", "đóng góp vào rủi ro"],
  ["share of the value that the risk is of", "phần giá trị được tính rủi ro"],
  ["effect of all moves together", "ảnh hưởng của tất cả"],
  ["value after effect of all moves together", "giá trị sau tất cả"],
  ["alert level", "mức cảnh báo"],
  ["alert move", "biến động cảnh báo"],
  ["alert level of RSI(14)", "mức cảnh báo của RSI(14)"],
  ["days before the report", "số ngày trước báo cáo"],
  ["insiders' open-market purchases", "cổ phiếu nội bộ mua trên sàn"],
  ["insiders' open-market sales", "cổ phiếu nội bộ bán trên sàn"],
  ["value of all 13F holdings", "giá trị mọi khoản 13F"],
  ["effective federal funds rate", "lãi suất quỹ liên bang hiệu dụng"],
  ["inflation", "lạm phát"],
  ["consumer price index", "chỉ số giá tiêu dùng"],
  ["unemployment rate", "tỷ lệ thất nghiệp"],
  ["buy price", "giá mua"],
  ["sell price", "giá bán"],
];

/** Words after the name of an indicator. */
const LINES: readonly (readonly [english: string, vietnamese: string])[] = [
  [" line", " đường MACD"],
  [" signal", " đường tín hiệu"],
  [" histogram", " cột MACD"],
  [" upper band", " dải trên"],
  [" middle band", " dải giữa"],
  [" lower band", " dải dưới"],
  [" bandwidth", " độ rộng dải"],
  [" of the close", " so với giá đóng cửa"],
];

const RESULTS: ReadonlyMap<string, string> = new Map([
  ["total return", "tổng lợi nhuận"],
  ["CAGR", "CAGR"],
  ["maximum drawdown", "mức sụt giảm tối đa"],
  ["Sharpe ratio", "tỷ số Sharpe"],
  ["win rate", "tỷ lệ lệnh thắng"],
  ["final value", "giá trị cuối kỳ"],
  ["time in the market", "thời gian nắm giữ"],
  ["trades", "số lệnh"],
  ["costs", "chi phí giao dịch"],
]);

const SPANS: ReadonlyMap<string, readonly [english: string, vietnamese: string]> = new Map([
  ["1D", ["1 day", "1 ngày"]],
  ["5D", ["5 days", "5 ngày"]],
  ["1M", ["1 month", "1 tháng"]],
  ["3M", ["3 months", "3 tháng"]],
  ["6M", ["6 months", "6 tháng"]],
  ["YTD", ["year to date", "từ đầu năm"]],
  ["1Y", ["1 year", "1 năm"]],
  ["3Y", ["3 years", "3 năm"]],
  ["5Y", ["5 years", "5 năm"]],
  ["10Y", ["10 years", "10 năm"]],
]);

const KNOWN: ReadonlyMap<string, string> = new Map([
  ...Object.values(METRICS).flatMap((set) =>
    Array.from(set.values(), ({ label, vietnamese }) => [label, vietnamese] as const),
  ),
  ...PLAIN,
]);

const CHANGE = "price change ";
const WEIGHT = "weight in the ";

/** A metric as an answer calls it. */
export function metricName(metric: string, language: QuestionLanguage): string {
  if (metric.startsWith(CHANGE)) {
    const span = SPANS.get(metric.slice(CHANGE.length));
    if (span !== undefined) return span[language === "en" ? 0 : 1];
  }
  return language === "en" ? metric : (KNOWN.get(metric) ?? toVietnamese(metric));
}

/** Everything that a metric is called in answers, beside its own name. */
export function metricWords(metric: string): readonly string[] {
  const lines = metric.endsWith(" signal") ? ["signal line", "đường tín hiệu"] : [];
  const results = Array.from(RESULTS).flatMap((words) => (metric.endsWith(` ${words[0]}`) ? words : []));
  const names = [metricName(metric, "en"), metricName(metric, "vi"), ...lines, ...results];
  return [...new Set(names)].filter((name) => name !== metric);
}

function toVietnamese(metric: string): string {
  if (metric.startsWith(WEIGHT)) return `tỷ trọng trong ${metric.slice(WEIGHT.length)}`;
  if (metric.startsWith("beta to ")) return `beta so với ${metric.slice("beta to ".length)}`;
  const varName = /^(\d+)-day (historical|parametric) VaR(\(.*\))$/.exec(metric);
  if (varName !== null) {
    const [, days = "", method = "", level = ""] = varName;
    return `VaR${level} ${method === "historical" ? "lịch sử" : "tham số"} ${days} ngày`;
  }
  for (const [words, vietnamese] of RESULTS) {
    if (metric.endsWith(` ${words}`)) return `${vietnamese} (${toStrategy(metric.slice(0, -words.length - 1))})`;
  }
  const patterned = PATTERNS.flatMap(([pattern, write]) => {
    const found = pattern.exec(metric);
    return found === null ? [] : [write(found.slice(1).map((part) => part ?? ""))];
  })[0];
  if (patterned !== undefined) return patterned;
  const line = LINES.find(([words]) => metric.endsWith(words));
  return line === undefined ? metric : metric.slice(0, -line[0].length) + line[1];
}

type Pattern = readonly [pattern: RegExp, write: (parts: readonly string[]) => string];

const UNITS: ReadonlyMap<string, string> = new Map([
  ["month", "tháng"],
  ["year", "năm"],
]);

/** Names that have a name or a number inside. */
const PATTERNS: readonly Pattern[] = [
  [
    /^effect of (\S+) (\S+) %( by beta)?$/,
    ([of, move, beta]) => `ảnh hưởng khi ${of} ${move} %${beta === "" ? "" : " theo beta"}`,
  ],
  [
    /^value after effect of (\S+) (\S+) %( by beta)?$/,
    ([of, move, beta]) => `giá trị sau khi ${of} ${move} %${beta === "" ? "" : " theo beta"}`,
  ],
  [
    /^([\d.]+)-(month|year) Treasury (real )?yield$/,
    ([count, unit = "", real]) => `lợi suất ${real === "" ? "" : "thực "}${count} ${UNITS.get(unit) ?? unit}`,
  ],
  [/^(.+) Treasury spread in percentage points$/, ([terms]) => `chênh lệch ${terms}`],
  [
    /^change of (.+) on the year before(?: in percentage points)?$/,
    ([of = ""]) => `thay đổi của ${KNOWN.get(of) ?? of} so với năm trước`,
  ],
  [/^amount in (\S+)$/, ([currency]) => `số tiền bằng ${currency}`],
  [/^1 (\S+) in (\S+)$/, ([from, to]) => `1 ${from} bằng ${to}`],
  [/^(.+) by (\S+)$/, ([what = "", source]) => `${KNOWN.get(what) ?? what} theo ${source}`],
];

const toStrategy = (name: string): string => (name === "buy and hold" ? "mua và giữ" : name);

/** The words of a backtest's result without its strategy; undefined if it is not a backtest. */
export function resultName(words: string, language: QuestionLanguage): string | undefined {
  const vietnamese = RESULTS.get(words);
  return language === "en" ? vietnamese && words : vietnamese;
}

/** The first letter in upper case; nothing else changes. */
export function toTitle(text: string): string {
  const [first = ""] = text;
  return first.toLocaleUpperCase() + text.slice(first.length);
}
