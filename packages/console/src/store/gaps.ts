/**
 * Gaps: the time between the events of a run, and which of it was a wait for a person or another process.
 */
import type { RunEvent } from "@baton/client";
import type { Story } from "./story.ts";

/** The source of gaps: events without deltas, and the run's present state. */
export interface GapSource {
  readonly events: readonly RunEvent[];
  /** The newest event, deltas included. */
  readonly last: number;
  /** The time now, of a run that has not ended. */
  readonly now?: number;
  /** The events after this one are of a later time: a fork continues later. */
  readonly forkedAt?: number;
}

/** The time between an event and the next. */
export interface Gap {
  readonly type: string;
  readonly seq: number;
  readonly to: number;
  readonly ms: number;
  readonly deltas: number;
  /** True if the run was paused, or its process was gone. */
  readonly isWait: boolean;
  /** True if it is the time before a fork continued. */
  readonly isFork: boolean;
}

/** The gaps of a run, in order. */
export function toGaps({ events, last, now, forkedAt }: GapSource): readonly Gap[] {
  const gaps: Gap[] = [];
  const forkSeq = forkOf(events, forkedAt);
  let isPaused = false;
  for (const [index, event] of events.entries()) {
    const next = events[index + 1];
    if (event.type === "run.paused") isPaused = true;
    if (event.type === "run.resumed" || event.type === "run.ended") isPaused = false;
    const to = next?.seq ?? last;
    if (to <= event.seq && now === undefined) break;
    const ms = Math.max(0, (next?.at ?? now ?? event.at) - event.at);
    const isWait = isPaused || next?.type === "run.resumed";
    const deltas = Math.max(0, to - event.seq - 1);
    gaps.push({ type: event.type, seq: event.seq, to, ms, deltas, isWait, isFork: event.seq === forkSeq });
  }
  return gaps;
}

/** The last event that a fork has from its parent: it continues from the last finished step before where it was made. */
function forkOf(events: readonly RunEvent[], forkedAt: number | undefined): number | undefined {
  if (forkedAt === undefined) return undefined;
  const last = events.findLast(({ seq }, index) => seq <= forkedAt && events[index + 1]?.type === "run.resumed");
  return last?.seq ?? forkedAt;
}

/** Returns the time a run worked, and the time it waited for a person or another process; the time before a fork is neither. */
export function runTimes(source: GapSource): Readonly<Record<"activeMs" | "waitedMs", number>> {
  const times = { activeMs: 0, waitedMs: 0 };
  for (const { ms, isWait, isFork } of toGaps(source)) {
    if (isFork) continue;
    if (isWait) times.waitedMs += ms;
    else times.activeMs += ms;
  }
  return times;
}

/** Returns the part of the time between two moments in which no work was done: the run waited, or was continued later. */
export function waitedBetween({ waits, breaks }: Pick<Story, "waits" | "breaks">, from: number, to: number): number {
  return [...waits, ...breaks].reduce((sum, wait) => {
    const [begin, end] = [Math.max(from, wait.from.at), Math.min(to, wait.to?.at ?? to)];
    return sum + Math.max(0, end - begin);
  }, 0);
}
