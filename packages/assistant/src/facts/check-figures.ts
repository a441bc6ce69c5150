/**
 * Figures: what must hold for a number that a tool declares, so that a wrong one never becomes a fact and a test can
 * name every one that is wrong.
 */
import type { Json } from "@baton/core";
import type { Figure, Period, Unit } from "./fact.ts";
import { valueAt } from "./figure-path.ts";

/** Whether a figure says what its output says; one that does not is dropped. */
export function isSound(output: Json, figure: Figure): boolean {
  return Number.isFinite(figure.value) && valueAt(output, figure.path) === figure.value;
}

/** Every problem of a tool's figures, each with its path; empty if there is none. */
export function checkFigures(output: Json, figures: readonly Figure[]): readonly string[] {
  const seen = new Set<string>();
  return figures.flatMap((figure) => {
    const problems = problemsOf(output, figure);
    const all = seen.has(figure.path) ? [...problems, "is declared twice"] : problems;
    seen.add(figure.path);
    return all.map((problem) => `${figure.path}: ${problem}`);
  });
}

/** Whether amounts of a unit are in a currency. */
export function hasMoney(unit: Unit): boolean {
  return unit === "money" || unit === "money/share" || unit === "money/coin";
}

const UNITS: ReadonlySet<string> = new Set<Unit>([
  "money",
  "money/share",
  "money/coin",
  "percent",
  "ratio",
  "shares",
  "coins",
  "points",
  "count",
  "days",
]);

/** Whether a value names a unit. */
export function isUnit(value: Json | undefined): value is Unit {
  return typeof value === "string" && UNITS.has(value);
}

function problemsOf(output: Json, figure: Figure): readonly string[] {
  const { value, unit, currency, metric, period, asOf } = figure;
  const there = valueAt(output, figure.path);
  const rules: readonly (readonly [holds: boolean, problem: string])[] = [
    [there !== undefined, "leads nowhere in the output"],
    [there === undefined || there === value, `the output has ${JSON.stringify(there)}, the figure ${value}`],
    [Number.isFinite(value), `${value} is not a finite number`],
    [isUnit(unit), `"${unit}" is not a unit`],
    [!hasMoney(unit) || currency !== undefined, `${unit} needs a currency`],
    [hasMoney(unit) || currency === undefined, `${unit} has no currency`],
    [currency === undefined || /^[A-Z]{3,5}$/.test(currency), `"${currency}" is not the code of a currency`],
    [metric.trim() !== "", "has no metric"],
    [period === undefined || isPeriod(period), `the period is not valid: ${JSON.stringify(period)}`],
    [asOf === undefined || isMoment(asOf), `"${asOf}" is not RFC 3339 with an offset`],
  ];
  return rules.filter(([holds]) => !holds).map(([, problem]) => problem);
}

function isPeriod({ start, end, label }: Period): boolean {
  const isInOrder = start === undefined || (isDay(start) && start <= end);
  return isDay(end) && isInOrder && label?.trim() !== "";
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && toDay(text) === text;
}

function toDay(text: string): string | undefined {
  const time = Date.parse(`${text}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : new Date(time).toISOString().slice(0, 10);
}

function isMoment(text: string): boolean {
  const fits = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  return fits && !Number.isNaN(Date.parse(text));
}
