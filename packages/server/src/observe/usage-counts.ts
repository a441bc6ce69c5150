/**
 * Usage counts: how often each run, agent, tool or route was used, with what status, and how long it took.
 *
 * Holds what Prometheus cannot say of a histogram, the least and the most, beside the same counts.
 */
import type { Failure } from "@baton/core";

/** The status of a turn, call or model call. */
export type WorkStatus = "success" | "error" | "timeout" | "cancelled";

/** All of one name. Times are of those whose beginning was seen. */
export interface UsageCount extends Readonly<Record<WorkStatus, number>> {
  readonly count: number;
  /** The share of `count` that succeeded, 0 to 1. */
  readonly success_rate: number;
  readonly total_seconds: number;
  readonly average_seconds: number;
  readonly min_seconds: number;
  readonly max_seconds: number;
}

/** Returns the status that an error stands for. */
export function workStatusOf(error: Failure | undefined): WorkStatus {
  if (error === undefined) return "success";
  if (error.code === "cancelled" || error.kind === "cancelled") return "cancelled";
  return error.kind === "timeout" || error.code === "timeout" ? "timeout" : "error";
}

interface Sums extends Record<WorkStatus, number> {
  timed: number;
  total: number;
  min: number;
  max: number;
}

/** Counts by name; the names are bounded by the caller. */
export class UsageCounts {
  readonly #sums = new Map<string, Sums>();
  readonly #all = toEmpty();

  add(name: string, status: WorkStatus, seconds: number | undefined): void {
    const sums = this.#sums.get(name) ?? toEmpty();
    this.#sums.set(name, sums);
    count(sums, status, seconds);
    count(this.#all, status, seconds);
  }

  /** All names together. */
  get all(): UsageCount {
    return toEntry(this.#all);
  }

  toJson(): Readonly<Record<string, UsageCount>> {
    return Object.fromEntries(Array.from(this.#sums, ([name, sums]) => [name, toEntry(sums)]));
  }
}

function count(sums: Sums, status: WorkStatus, seconds: number | undefined): void {
  sums[status] += 1;
  if (seconds === undefined) return;
  sums.timed += 1;
  sums.total += seconds;
  sums.min = Math.min(sums.min, seconds);
  sums.max = Math.max(sums.max, seconds);
}

function toEmpty(): Sums {
  return { success: 0, error: 0, timeout: 0, cancelled: 0, timed: 0, total: 0, min: Infinity, max: 0 };
}

function toEntry({ success, error, timeout, cancelled, timed, total, min, max }: Sums): UsageCount {
  const all = success + error + timeout + cancelled;
  return {
    count: all,
    success,
    error,
    timeout,
    cancelled,
    success_rate: all === 0 ? 0 : success / all,
    total_seconds: total,
    average_seconds: timed === 0 ? 0 : total / timed,
    min_seconds: timed === 0 ? 0 : min,
    max_seconds: max,
  };
}

/** Of a name that nothing was counted for. */
export const EMPTY_ENTRY: UsageCount = toEntry(toEmpty());
