/**
 * Call counts: which tools a run has called, how often they failed, and how long they took in all.
 */
import type { EventBody } from "@baton/core/ports";

/** Counts of a tool's calls in one run. */
export type CallCount = Readonly<{ tool: string; ok: number; failed: number; ms: number }>;

/** Counts along with the facts of one run. */
export class CallCounts {
  readonly #began = new Map<string, number>();
  readonly #counts = new Map<string, CallCount>();

  add(fact: EventBody, at: number): void {
    if (fact.type === "call.started") this.#began.set(fact.call, at);
    if (fact.type !== "call.ended") return;
    const { call, tool, error } = fact;
    const { ok, failed, ms } = this.#counts.get(tool) ?? { ok: 0, failed: 0, ms: 0 };
    const took = at - (this.#began.get(call) ?? at);
    const outcome = error === undefined ? { ok: ok + 1, failed } : { ok, failed: failed + 1 };
    this.#counts.set(tool, { tool, ...outcome, ms: ms + took });
    this.#began.delete(call);
  }

  /** In the order of the first calls that ended. */
  get all(): readonly CallCount[] {
    return [...this.#counts.values()];
  }
}
