/**
 * Metrics: what every named value of a statement, of key metrics, ratios and growth measures, in which unit, and what
 * people call it. Names are FMP's, misspellings included. A percentage is percent here, never a fraction.
 */
import type { Unit } from "@baton/assistant";
import { z } from "zod";
import type { MetricsQuery, StatementKind } from "../port/market-data.ts";
import { readTable } from "../tables.ts";

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

const UNITS = z.enum(["money", "money/share", "percent", "ratio", "shares", "days"]);

const ROWS = readTable("metrics");
const toMap = (set: MetricSet): ReadonlyMap<string, MetricDefinition> =>
  new Map(
    ROWS.filter(([of]) => of === set).map(([, name = "", unit, label = "", vietnamese = ""]) => [
      name,
      { unit: UNITS.parse(unit), label, vietnamese },
    ]),
  );

/** Every known name by set, the most telling first. */
export const METRICS: Readonly<Record<MetricSet, ReadonlyMap<string, MetricDefinition>>> = {
  income: toMap("income"),
  balance: toMap("balance"),
  cash_flow: toMap("cash_flow"),
  key_metrics: toMap("key_metrics"),
  ratios: toMap("ratios"),
  growth: toMap("growth"),
};

/** FMP's value in Baton's unit: its fractions become percent; its one percentage and all else stay as they are. */
export function fromFmp(set: MetricSet, name: string, value: number): number {
  const isFraction = METRICS[set].get(name)?.unit === "percent" && name !== "dividendYieldPercentage";
  // 0.07 * 100 is 7.000000000000001
  return isFraction ? Number((value * 100).toPrecision(15)) : value;
}
