/**
 * Metric words: what a fact's metric is called in answers, in English and Vietnamese, beside its own name.
 */
import { readTable, toNames } from "../../market/tables.ts";
import { METRICS } from "../../market/metrics/metrics.ts";

/** Metrics that are not in the statements' tables, and what people call them. */
const SPOKEN: ReadonlyMap<string, readonly string[]> = new Map(
  readTable("metric-words").map(([metric = "", names]) => [metric, toNames(names)]),
);

const LABELS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.values(METRICS).flatMap((set) =>
    [...set.values()].map(({ label, vietnamese }) => [label, [label, vietnamese]] as const),
  ),
);

/** Returns the words for a metric. */
export function wordsOf(metric: string): readonly string[] {
  return [...(LABELS.get(metric) ?? []), ...(SPOKEN.get(metric) ?? [])];
}

/** The name of a metric in a table. */
export function metricLabel(metric: string, language: "en" | "vi"): string {
  if (language === "en") return metric;
  return LABELS.get(metric)?.[1] ?? SPOKEN.get(metric)?.[0] ?? metric;
}
