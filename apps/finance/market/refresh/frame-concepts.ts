/**
 * Frame concepts: which frames of the SEC a pack is made of, and which line of a statement each value is.
 */
import type { StatementKind } from "../port/market-data.ts";

/** A concept of US GAAP and the line it stands for. */
export interface FrameConcept {
  readonly concept: string;
  readonly unit: "USD" | "USD/shares" | "shares";
  /** `income.revenue`, as the pack's columns are named. */
  readonly line: `${StatementKind}.${string}`;
  /** Of a whole year, or of the day on which a quarter ends. */
  readonly span: "year" | "day";
  readonly sign: 1 | -1;
  /** Of several concepts of one line, those of the lowest rank that a period has; the largest of them counts. */
  readonly rank: number;
}

type Rest = Partial<Pick<FrameConcept, "unit" | "sign" | "rank">>;

const year = (line: FrameConcept["line"], concept: string, rest: Rest = {}): FrameConcept => {
  return { concept: `us-gaap:${concept}`, line, span: "year", unit: "USD", sign: 1, rank: 0, ...rest };
};
const day = (line: FrameConcept["line"], concept: string): FrameConcept => {
  return { concept: `us-gaap:${concept}`, line, span: "day", unit: "USD", sign: 1, rank: 0 };
};

/** All of them. Banks' revenue is net of what they pay for deposits. */
const FRAME_CONCEPTS: readonly FrameConcept[] = [
  year("income.revenue", "RevenuesNetOfInterestExpense"),
  year("income.revenue", "RevenueFromContractWithCustomerExcludingAssessedTax", { rank: 1 }),
  year("income.revenue", "Revenues", { rank: 1 }),
  year("income.grossProfit", "GrossProfit"),
  year("income.operatingIncome", "OperatingIncomeLoss"),
  year("income.netIncome", "NetIncomeLoss"),
  year("income.epsDiluted", "EarningsPerShareDiluted", { unit: "USD/shares" }),
  year("income.weightedAverageShsOutDil", "WeightedAverageNumberOfDilutedSharesOutstanding", { unit: "shares" }),
  year("cash_flow.netCashProvidedByOperatingActivities", "NetCashProvidedByUsedInOperatingActivities"),
  year("cash_flow.capitalExpenditure", "PaymentsToAcquirePropertyPlantAndEquipment", { sign: -1 }),
  day("balance.totalAssets", "Assets"),
  day("balance.totalLiabilities", "Liabilities"),
  day("balance.totalStockholdersEquity", "StockholdersEquity"),
  day("balance.cashAndCashEquivalents", "CashAndCashEquivalentsAtCarryingValue"),
  day("balance.totalCurrentAssets", "AssetsCurrent"),
  day("balance.totalCurrentLiabilities", "LiabilitiesCurrent"),
];

/** The lines, each once. */
export const FRAME_LINES: readonly string[] = [...new Set(FRAME_CONCEPTS.map(({ line }) => line))];

/** One frame to fetch. */
export type WantedFrame = Readonly<{ concept: FrameConcept; frame: string }>;

/** The frames of some calendar years. */
export function toFrames(years: readonly number[]): readonly WantedFrame[] {
  const quarters = years.flatMap((each) => [1, 2, 3, 4].map((quarter) => `CY${each}Q${quarter}I`));
  return FRAME_CONCEPTS.flatMap((concept) =>
    (concept.span === "year" ? years.map((each) => `CY${each}`) : quarters).map((frame) => ({ concept, frame })),
  );
}
