/**
 * Metrics: what every named value of a statement, of key metrics, ratios and growth measures, in which unit, and what
 * people call it. Names are FMP's, misspellings included. A percentage is percent here, never a fraction.
 */
import type { Unit } from "@baton/assistant";
import { METRIC_ROWS, RATIO_ROWS } from "./metric-rows.ts";
import type { MetricsQuery, StatementKind } from "../port/market-data.ts";
import { STATEMENT_ROWS, type MetricRow } from "./statement-rows.ts";

/** Where a name belongs: the same name can mean two things, such as `inventory` and its change in the cash flow. */
export type MetricSet = StatementKind | MetricsQuery["set"];

/** The unit and the labels of a named value. */
export interface MetricDefinition {
  readonly unit: Unit;
  /** As people say it in English. */
  readonly label: string;
  /** As people say it in Vietnamese. */
  readonly vietnamese: string;
}

const toMap = (rows: readonly MetricRow[]): ReadonlyMap<string, MetricDefinition> =>
  new Map(rows.map(([name, unit, label, vietnamese]) => [name, { unit, label, vietnamese }]));

/** Every known name by set, the most telling first. */
export const METRICS: Readonly<Record<MetricSet, ReadonlyMap<string, MetricDefinition>>> = {
  income: toMap(STATEMENT_ROWS.income),
  balance: toMap(STATEMENT_ROWS.balance),
  cash_flow: toMap(STATEMENT_ROWS.cash_flow),
  key_metrics: toMap(METRIC_ROWS),
  ratios: toMap(RATIO_ROWS),
  growth: toMap(growthRows()),
};

const SETS: readonly MetricSet[] = ["income", "balance", "cash_flow", "key_metrics", "ratios", "growth"];

/** Finds a name in its set; without a set, in the first set that has it. */
export function metricOf(name: string, set?: MetricSet): MetricDefinition | undefined {
  if (set !== undefined) return METRICS[set].get(name);
  for (const candidate of SETS) {
    const metric = METRICS[candidate].get(name);
    if (metric !== undefined) return metric;
  }
  return undefined;
}

/** FMP's value in Baton's unit: its fractions become percent; its one percentage and all else stay as they are. */
export function fromFmp(set: MetricSet, name: string, value: number): number {
  const isFraction = METRICS[set].get(name)?.unit === "percent" && name !== "dividendYieldPercentage";
  // 0.07 * 100 is 7.000000000000001
  return isFraction ? Number((value * 100).toPrecision(15)) : value;
}

function growthRows(): readonly MetricRow[] {
  const yearly: readonly (readonly [name: string, label: string, vietnamese: string])[] = [
    ["revenueGrowth", "revenue", "doanh thu"],
    ["netIncomeGrowth", "net income", "lợi nhuận ròng"],
    ["epsgrowth", "EPS", "EPS"],
    ["epsdilutedGrowth", "diluted EPS", "EPS pha loãng"],
    ["grossProfitGrowth", "gross profit", "lợi nhuận gộp"],
    ["operatingIncomeGrowth", "operating income", "lợi nhuận hoạt động"],
    ["ebitgrowth", "EBIT", "EBIT"],
    ["ebitdaGrowth", "EBITDA", "EBITDA"],
    ["operatingCashFlowGrowth", "operating cash flow", "dòng tiền hoạt động"],
    ["freeCashFlowGrowth", "free cash flow", "dòng tiền tự do"],
    ["dividendsPerShareGrowth", "dividends per share", "cổ tức mỗi cổ phiếu"],
    ["assetGrowth", "total assets", "tổng tài sản"],
    ["debtGrowth", "total debt", "tổng nợ vay"],
    ["bookValueperShareGrowth", "book value per share", "giá trị sổ sách mỗi cổ phiếu"],
    ["weightedAverageSharesGrowth", "weighted average shares", "số cổ phiếu bình quân"],
    ["weightedAverageSharesDilutedGrowth", "diluted weighted average shares", "số cổ phiếu bình quân pha loãng"],
    ["receivablesGrowth", "receivables", "khoản phải thu"],
    ["inventoryGrowth", "inventory", "hàng tồn kho"],
    ["rdexpenseGrowth", "R&D expenses", "chi phí R&D"],
    ["sgaexpensesGrowth", "SG&A expenses", "chi phí bán hàng và quản lý"],
  ];
  const spans = [
    ["three", "3-year", "3 năm"],
    ["five", "5-year", "5 năm"],
    ["ten", "10-year", "10 năm"],
  ] as const;
  const perShare = [
    ["Revenue", "revenue", "doanh thu"],
    ["NetIncome", "net income", "lợi nhuận ròng"],
    ["OperatingCF", "operating cash flow", "dòng tiền hoạt động"],
    ["ShareholdersEquity", "shareholders' equity", "vốn chủ sở hữu"],
    ["DividendperShare", "dividends", "cổ tức"],
  ] as const;
  return [
    ...yearly.map(([name, label, vietnamese]): MetricRow => [
      name,
      "percent",
      `${label} growth`,
      `tăng trưởng ${vietnamese}`,
    ]),
    ...spans.flatMap(([span, years, inVietnamese]) =>
      perShare.map(([name, label, vietnamese]): MetricRow => [
        `${span}Y${name}GrowthPerShare`,
        "percent",
        `${years} growth of ${label} per share`,
        `tăng trưởng ${inVietnamese} của ${vietnamese} mỗi cổ phiếu`,
      ]),
    ),
  ];
}
