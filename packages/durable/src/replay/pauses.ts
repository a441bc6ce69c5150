/**
 * Pauses: whether a run's log says of each pause what it must, by what was open then.
 */
import type { RunEvent } from "@baton/core";
import { type FactOf, isMember, toPaused } from "@baton/core/ports";
import { type Difference, isSame, toDifference } from "./difference.ts";

/** What a log's pauses show. */
export interface Pauses {
  readonly differences: readonly Difference[];
  /** The run was stopped in the middle of something, and waits for a word about changed tools. */
  readonly isHeld: boolean;
}

/** Looks at every pause of a run. */
export function checkPauses(events: readonly RunEvent[]): Pauses {
  const differences: Difference[] = [];
  const open = new Map<string, FactOf<"question.opened">>();
  let agent = "";
  let wasHeld = false;
  for (const event of events) {
    if (event.type === "question.opened") open.set(event.question, event);
    if (event.type === "question.opened" && event.kind === "change") wasHeld = true;
    if (event.type === "question.answered" || event.type === "question.closed") open.delete(event.question);
    if (!isMember(event.lane) && event.type === "turn.started") ({ agent } = event);
    if (!isMember(event.lane) && event.type === "group.started") agent = event.from || event.group;
    // A question about changed tools pauses the run from outside of the engine.
    if (event.type !== "run.paused" || wasHeld) continue;
    const now = toPaused({ agent, by: open.size === 0 ? event.by : "question" }, open);
    if (!isSame(now, event)) differences.push(toDifference(event, now));
  }
  return { differences, isHeld: open.values().some(({ kind }) => kind === "change") };
}
