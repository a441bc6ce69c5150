/**
 * Metric words: what a fact's metric is called in answers, in English and Vietnamese, beside its own name.
 */
import { METRICS } from "../../market/metrics/metrics.ts";

/** Metrics that are not in the statements' tables, and what people call them. */
const SPOKEN: Readonly<Record<string, readonly string[]>> = {
  price: ["giá", "giá cổ phiếu", "trades at", "share price"],
  "change of the day": ["thay đổi trong ngày"],
  "average volume": ["khối lượng trung bình"],
  value: ["giá trị"],
  cost: ["giá vốn"],
  "profit or loss": ["lãi/lỗ"],
  "value of the holding": ["giá trị nắm giữ"],
  "cost of the holding": ["giá vốn nắm giữ"],
  weight: ["tỷ trọng"],
  "quantity held": ["số lượng"],
  "average cost": ["giá vốn trung bình"],
  "stocks that rose": ["số cổ phiếu tăng"],
  "stocks that fell": ["số cổ phiếu giảm"],
  "stocks unchanged": ["số cổ phiếu đứng giá"],
  "sector change": ["thay đổi của ngành"],
  "sector market cap": ["vốn hóa ngành"],
  "stocks in the sector": ["số cổ phiếu trong ngành"],
  close: ["giá đóng cửa", "closing price", "đóng cửa"],
  "market cap": ["vốn hoá", "vốn hóa", "vốn hoá thị trường", "market capitalisation", "market capitalization"],
  volume: ["khối lượng", "khối lượng giao dịch"],
  "annual volatility": ["biến động", "độ biến động", "volatility", "biến động năm"],
  "maximum drawdown": ["drawdown", "mức sụt giảm tối đa", "sụt giảm tối đa"],
  "Sharpe ratio": ["Sharpe", "tỷ lệ Sharpe", "hệ số Sharpe"],
  "Sortino ratio": ["Sortino", "tỷ lệ Sortino"],
  "dividend yield": ["lợi suất cổ tức", "tỷ suất cổ tức"],
  "dividend per share": ["cổ tức", "cổ tức mỗi cổ phiếu"],
  "previous close": ["giá đóng cửa trước", "đóng cửa phiên trước"],
  "risk score": ["điểm rủi ro"],
  "risk-free rate": ["lãi suất phi rủi ro"],
};

const LABELS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(METRICS).flatMap((set) =>
    [...set.values()].map(({ label, vietnamese }) => [label, [label, vietnamese]] as const),
  ),
);

/** Returns the words for a metric. */
export function wordsOf(metric: string): readonly string[] {
  return [...(LABELS.get(metric) ?? []), ...(SPOKEN[metric] ?? [])];
}

/** The name of a metric in a table. */
export function metricLabel(metric: string, language: "en" | "vi"): string {
  if (language === "en") return metric;
  return LABELS.get(metric)?.[1] ?? SPOKEN[metric]?.[0] ?? metric;
}
