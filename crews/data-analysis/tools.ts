/**
 * The analysts' tools: real statistics on a CSV file.
 *
 * All of them only read. Numbers are rounded to four digits on their way out, and every test says what its p means,
 * so that a reader need not know.
 */
import { defineTool } from "@baton/core";
import { z } from "zod";
import { DATASETS, readDataset } from "./datasets.ts";
import {
  compare,
  correlate,
  deviation,
  fitLine,
  mean,
  outliersByFences,
  outliersByZScore,
  predict,
  quantile,
} from "./statistics.ts";
import { distinct, filterRows, isNumeric, numbers, series, type Table } from "./table.ts";

const Dataset = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .default(DATASETS[0] ?? "")
  .describe(`A dataset: ${DATASETS.join(", ")}`);
const Column = z.string().trim().min(1).max(100);
const NumberColumn = Column.describe("A column of numbers");
const WhereRows = z
  .object({ column: Column, value: z.string().trim().max(200) })
  .optional()
  .describe("Only rows in which this column has this value");

const SIGNIFICANT = 0.05;

const round = (value: number): number => Number(value.toPrecision(4));

const describeP = (p: number): string =>
  p < SIGNIFICANT ? "unlikely to be chance (p < 0.05)" : "may well be chance (p ≥ 0.05)";

const analyzeDataset = defineTool({
  name: "AnalyzeDataset",
  description: "What a dataset holds: rows, columns, and for each column of numbers its spread and center.",
  effect: "read",
  input: z.object({ dataset: Dataset, where: WhereRows }),
  run: async ({ dataset, where }) => {
    const table = await readDataset(dataset);
    const rows = filterRows(table, where);
    return {
      dataset,
      rows: rows.length,
      columns: table.columns.map((column) => describeColumn({ ...table, rows }, column)),
    };
  },
});

function describeColumn(table: Table, column: string) {
  if (!isNumeric(table, column)) {
    const values = distinct(table, column);
    return { column, kind: "text", distinct: values.length, examples: values.slice(0, 3) };
  }
  const values = numbers(table, column);
  return {
    column,
    kind: "number",
    mean: round(mean(values)),
    deviation: values.length > 1 ? round(deviation(values)) : 0,
    min: round(Math.min(...values)),
    quartiles: [0.25, 0.5, 0.75].map((share) => round(quantile(values, share))),
    max: round(Math.max(...values)),
  };
}

const identifyTrends = defineTool({
  name: "IdentifyTrends",
  description:
    "Whether a column rises or falls over time: the straight line through its values by step (mean per month).",
  effect: "read",
  input: z.object({ dataset: Dataset, column: NumberColumn, where: WhereRows }),
  run: async ({ dataset, column, where }) => {
    const points = series(await readDataset(dataset), column, where);
    const line = fitLine(points.map(({ value }) => value));
    return {
      column,
      steps: points.length,
      from: points[0]?.label,
      to: points.at(-1)?.label,
      direction: line.p >= SIGNIFICANT ? "no clear trend" : line.slope > 0 ? "rising" : "falling",
      change_per_step: round(line.slope),
      start: round(line.intercept),
      r_squared: round(line.rSquared),
      p: round(line.p),
      meaning: describeP(line.p),
    };
  },
});

const compareSets = defineTool({
  name: "CompareSets",
  description: "Compares a column between two groups of rows: means, difference, Welch's t-test and effect size.",
  effect: "read",
  input: z.object({
    dataset: Dataset,
    column: NumberColumn,
    group_by: Column.describe("The column that tells the groups apart"),
    first: z.string().trim().max(200).describe("Its value in the first group"),
    second: z.string().trim().max(200).describe("Its value in the second group"),
  }),
  run: async ({ dataset, column, group_by, first, second }) => {
    const table = await readDataset(dataset);
    const [a, b] = [
      numbers(table, column, { column: group_by, value: first }),
      numbers(table, column, { column: group_by, value: second }),
    ];
    const { difference, t, degrees, p, cohensD } = compare(a, b);
    return {
      column,
      first: { group: first, count: a.length, mean: round(mean(a)), deviation: round(deviation(a)) },
      second: { group: second, count: b.length, mean: round(mean(b)), deviation: round(deviation(b)) },
      difference: round(difference),
      t: round(t),
      degrees_of_freedom: round(degrees),
      p: round(p),
      effect_size_d: round(cohensD),
      meaning: describeP(p),
    };
  },
});

const calculateCorrelation = defineTool({
  name: "CalculateCorrelation",
  description: "Pearson's correlation of two columns. Correlation is not cause.",
  effect: "read",
  input: z.object({ dataset: Dataset, first: NumberColumn, second: NumberColumn, where: WhereRows }),
  run: async ({ dataset, first, second, where }) => {
    const table = await readDataset(dataset);
    const { r, p, count } = correlate(numbers(table, first, where), numbers(table, second, where));
    const strength = Math.abs(r) >= 0.7 ? "strong" : Math.abs(r) >= 0.4 ? "moderate" : "weak";
    return { first, second, count, r: round(r), r_squared: round(r * r), p: round(p), strength, meaning: describeP(p) };
  },
});

const detectAnomalies = defineTool({
  name: "DetectAnomalies",
  description:
    "Rows with an unusual value in a column, by distance from the mean (zscore) or from the quartiles (iqr).",
  effect: "read",
  input: z.object({
    dataset: Dataset,
    column: NumberColumn,
    method: z.enum(["zscore", "iqr"]).default("zscore"),
    threshold: z.number().min(0.5).max(10).optional().describe("Deviations (default 3) or interquartile ranges (1.5)"),
    where: WhereRows,
  }),
  run: async ({ dataset, column, method, threshold, where }) => {
    const table = await readDataset(dataset);
    const rows = filterRows(table, where);
    const values = numbers(table, column, where);
    const limit = threshold ?? (method === "zscore" ? 3 : 1.5);
    const found = method === "zscore" ? outliersByZScore(values, limit) : outliersByFences(values, limit);
    return {
      column,
      method,
      threshold: limit,
      checked: values.length,
      anomalies: found.slice(0, 10).map(({ index, value, zScore }) => ({
        row: Object.fromEntries([...(rows[index] ?? [])].filter(([name]) => !isNumeric(table, name))),
        value,
        z_score: round(zScore),
      })),
      found: found.length,
    };
  },
});

const projectTrend = defineTool({
  name: "ProjectTrend",
  description: "Carries the straight-line trend of a column forward, with the range for each step (95 %).",
  effect: "read",
  input: z.object({
    dataset: Dataset,
    column: NumberColumn,
    steps: z.int().min(1).max(12).default(3).describe("How many steps (months) ahead"),
    where: WhereRows,
  }),
  run: async ({ dataset, column, steps, where }) => {
    const points = series(await readDataset(dataset), column, where);
    const line = fitLine(points.map(({ value }) => value));
    const ahead = Array.from({ length: steps }, (_, index) => predict(line, points.length + index));
    return {
      column,
      last_known: points.at(-1),
      projection: ahead.map(({ value, low, high }, index) => ({
        steps_ahead: index + 1,
        value: round(value),
        range: [round(low), round(high)],
      })),
      r_squared: round(line.rSquared),
      caution: "A straight line knows nothing of seasons or of what has never happened before.",
    };
  },
});

export default [analyzeDataset, identifyTrends, compareSets, calculateCorrelation, detectAnomalies, projectTrend];
