/**
 * Pauses: whether a run's log says of each pause what it must, by what was open then.
 */
import type { RunEvent } from "@baton/core";
import { type FactOf, isMember, toPaused } from "@baton/core/ports";
import { type Difference, isSame, toDifference } from "./difference.ts";

/** The pauses of a run that are not what they must be. */
export function checkPauses(events: readonly RunEvent[]): readonly Difference[] {
  const differences: Difference[] = [];
  const open = new Map<string, FactOf<"question.opened">>();
  let agent = "";
  for (const event of events) {
    if (event.type === "question.opened") open.set(event.question, event);
    if (event.type === "question.answered" || event.type === "question.closed") open.delete(event.question);
    if (!isMember(event.lane) && event.type === "turn.started") ({ agent } = event);
    if (!isMember(event.lane) && event.type === "group.started") agent = event.from || event.group;
    if (event.type !== "run.paused") continue;
    const now = toPaused({ agent, by: open.size === 0 ? event.by : "question" }, open);
    if (!isSame(now, event)) differences.push(toDifference(event, now));
  }
  return differences;
}
