/**
 * Overview: recent activity of runs by minute, with their tools and agents; computed from their records alone.
 */
import { activeMsOf } from "@baton/durable";
import type { RunRecord } from "@baton/store";

/** The runs that began in some time. */
export interface Figures {
  readonly runs: number;
  /** Of those that have ended: how many, and how many of them are done. */
  readonly ended: number;
  readonly done: number;
  /** Without waits; absent if none has ended. */
  readonly p50_ms?: number;
  readonly p95_ms?: number;
  readonly first_text_p95_ms?: number;
  readonly tokens: number;
  readonly cost_usd: number;
}

/** Figures of one minute. */
export interface Minute extends Figures {
  /** When it began. */
  readonly at: string;
}

/** Figures of one tool over all runs. */
export interface ToolFigures {
  readonly name: string;
  readonly calls: number;
  readonly errors: number;
  readonly average_ms: number;
}

/** Figures of one agent over all runs. */
export interface AgentFigures {
  readonly name: string;
  readonly crew: string;
  readonly turns: number;
  readonly errors: number;
  readonly tokens: number;
  readonly cost_usd: number;
}

const MINUTE_MS = 60_000;
/** Number of tools and agents that are listed: those with the most errors first, then the most used. */
const MAX_LISTED = 50;

/** The minutes up to `now`, oldest first; each run counts in the minute in which it was created. */
export function toMinutes(records: readonly RunRecord[], now: number, minutes: number): readonly Minute[] {
  const first = minuteStart(now, minutes);
  const groups = Map.groupBy(records, ({ createdAt }) => Math.floor((createdAt - first) / MINUTE_MS));
  return Array.from({ length: minutes }, (_, index) => ({
    at: new Date(first + index * MINUTE_MS).toISOString(),
    ...toFigures(groups.get(index) ?? []),
  }));
}

/** When the first of the minutes up to `now` began. */
export function minuteStart(now: number, minutes: number): number {
  return (Math.floor(now / MINUTE_MS) - minutes + 1) * MINUTE_MS;
}

/** Sums the figures of some runs. */
export function toFigures(records: readonly RunRecord[]): Figures {
  const ended = records.filter(({ status }) => status === "ended");
  const times = ended.map((record) => activeMsOf(record) ?? Math.max(0, record.updatedAt - record.createdAt));
  const firstTexts = records.flatMap(({ firstTextMs }) => firstTextMs ?? []);
  return {
    runs: records.length,
    ended: ended.length,
    done: ended.filter(({ outcome }) => outcome === "done").length,
    ...named("p50_ms", quantile(times, 0.5)),
    ...named("p95_ms", quantile(times, 0.95)),
    ...named("first_text_p95_ms", quantile(firstTexts, 0.95)),
    tokens: sum(records, ({ inputTokens, outputTokens }) => inputTokens + outputTokens),
    cost_usd: sum(records, ({ costUsd }) => costUsd),
  };
}

/** The tools of some runs, those with the most errors first. */
export function toToolFigures(records: readonly RunRecord[]): readonly ToolFigures[] {
  const groups = Map.groupBy(
    records.flatMap(({ tools = [] }) => tools),
    ({ name }) => name,
  );
  const all = Array.from(groups, ([name, counts]) => {
    const calls = sum(counts, (count) => count.calls);
    const average = calls === 0 ? 0 : sum(counts, ({ ms }) => ms) / calls;
    return { name, calls, errors: sum(counts, ({ errors }) => errors), average_ms: Math.round(average) };
  });
  return all.toSorted((one, other) => other.errors - one.errors || other.calls - one.calls).slice(0, MAX_LISTED);
}

/** The agents of some runs, those with the most errors first; `idOf` is what a crew is called in routes. */
export function toAgentFigures(
  records: readonly RunRecord[],
  idOf: (record: RunRecord) => string,
): readonly AgentFigures[] {
  const counted = records.flatMap((record) => (record.agents ?? []).map((agent) => ({ ...agent, crew: idOf(record) })));
  const groups = Map.groupBy(counted, ({ crew, name }) => JSON.stringify([crew, name]));
  const all = Array.from(groups.values(), (counts) => ({
    name: counts[0]?.name ?? "",
    crew: counts[0]?.crew ?? "",
    turns: sum(counts, ({ turns }) => turns),
    errors: sum(counts, ({ errors }) => errors),
    tokens: sum(counts, ({ tokens }) => tokens),
    cost_usd: sum(counts, ({ costUsd }) => costUsd),
  }));
  return all.toSorted((one, other) => other.errors - one.errors || other.turns - one.turns).slice(0, MAX_LISTED);
}

/** The smallest value that so large a part of them does not exceed. */
function quantile(values: readonly number[], part: number): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)];
}

function named<Name extends string>(name: Name, value: number | undefined): Partial<Record<Name, number>> {
  const pairs: Partial<Record<Name, number>> = {};
  if (value !== undefined) pairs[name] = Math.round(value);
  return pairs;
}

function sum<Item>(items: readonly Item[], valueOf: (item: Item) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
