/**
 * Findings: what went wrong in a simulated conversation, by its log.
 */
import type { RunEvent } from "@baton/core";
import { isMember } from "@baton/core/engine";
import { toScoredRun } from "../scored-run.ts";

/** Kinds of findings. */
export type FindingKind = "loop" | "dead_end" | "limit" | "failed" | "unanswered" | "denied";

/** Something that went wrong, and the agent that had the baton. */
export type LogFinding = Readonly<{ kind: FindingKind; agent: string; text: string }>;

const TIMES = 3;
const MAX_TEXT = 300;

/** Everything wrong with a conversation; one that waits is a dead end, unless the persona ended it. */
export function findProblems(events: readonly RunEvent[], end: "stopped" | "open"): readonly LogFinding[] {
  const [replies, handoffs] = [new Map<string, number>(), new Map<string, number>()];
  const found: LogFinding[] = [];
  const add = (kind: FindingKind, agent: string, text: string) =>
    found.push({ kind, agent, text: text.slice(0, MAX_TEXT) });
  const count = (counts: Map<string, number>, key: string): boolean => {
    const times = (counts.get(key) ?? 0) + 1;
    counts.set(key, times);
    return times === TIMES;
  };
  for (const event of events) {
    if (event.type === "run.started" || event.type === "run.resumed") handoffs.clear();
    if (event.type === "turn.ended" && event.text !== "" && count(replies, `${event.agent} ${event.text}`))
      add("loop", event.agent, event.text);
    if (event.type === "handoff.made" && count(handoffs, `${event.from} → ${event.to}`))
      add("loop", event.from, `${event.from} → ${event.to}, ${TIMES} times`);
    if (event.type === "call.ended" && event.attempts === 0 && event.error?.kind === "permission")
      add("denied", event.agent, `${event.tool}: ${event.error.message}`);
    if (event.type === "run.ended" && (event.outcome === "limit" || event.outcome === "failed"))
      add(event.outcome, event.agent, event.error?.message ?? "");
    if (isTurnEnd(event) && !hasText(events, event))
      add("unanswered", event.agent, "the turn ended without text for the user");
  }
  const last = events.at(-1);
  if (end === "open" && last?.type === "run.paused") add("dead_end", last.agent, toScoredRun(events).text);
  return found;
}

type TurnEnd = Extract<RunEvent, { type: "run.paused" | "run.ended" }>;

const isTurnEnd = (event: RunEvent): event is TurnEnd =>
  (event.type === "run.paused" && event.by === "signal") || (event.type === "run.ended" && event.outcome === "done");

/** Whether the crew has said something to the user since their last message. */
function hasText(events: readonly RunEvent[], end: TurnEnd): boolean {
  const own = events.filter(({ run, seq }) => run === end.run && seq <= end.seq);
  const from = own.findLastIndex(({ type }) => type === "run.started" || type === "run.resumed");
  const silent = new Set(
    own.flatMap((event) => (event.type === "turn.started" && event.audience === "crew" ? event.turn : [])),
  );
  return own
    .slice(from)
    .some(
      (event) =>
        event.type === "turn.ended" &&
        !silent.has(event.turn) &&
        !isMember(event.lane) &&
        (event.content ?? event.text).trim() !== "",
    );
}
