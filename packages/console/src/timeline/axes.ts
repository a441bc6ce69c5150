/**
 * Axes: the three scales of a run: by the clock with long waits cut short, one slot an event, and as a person reads.
 */
import type { RunEvent } from "@baton/client";
import { type Scale, toScale } from "./scale.ts";

/** Which axis the timeline has. */
export type AxisKind = "clock" | "even";

/** A wait that is drawn shorter than it was. */
export interface Cut {
  /** The event before it. */
  readonly seq: number;
  readonly ms: number;
}

/** A scale in milliseconds, and the waits that it leaves out. */
export interface ClockScale extends Scale {
  readonly cuts: readonly Cut[];
}

/** What an axis is made of: events without deltas, and where the run is now. */
export interface AxisSource {
  readonly events: readonly RunEvent[];
  /** The newest event, deltas included. */
  readonly last: number;
  /** The time now, of a run that has not ended. */
  readonly now?: number;
  /** What came after this event belongs to another time: a fork continues later. */
  readonly forkedAt?: number;
}

/** Waits over this are cut. */
const MAX_WAIT_MS = 5_000;
/** What a cut wait takes when it is played. */
const CUT_MS = 400;
/** What it takes at least of an axis. */
const CUT_SHARE = 0.04;
const WORD_MS = 18;
const HANDOFF_MS = 350;
const CALL_MS = 250;
const EVENT_MS = 24;
/** A run that took less has the even axis. */
const SHORT_MS = 1_000;

/** One slot for each event that is not a delta. */
export function toEvenScale({ events, last }: AxisSource): Scale {
  const seqs = events.map(({ seq }) => seq);
  if (last > (seqs.at(-1) ?? last)) seqs.push(last);
  return toScale(
    seqs,
    seqs.map((_, index) => index),
  );
}

/** By the clock; a cut wait takes a small part of the whole. */
export function toClockScale(source: AxisSource): ClockScale {
  const gaps = toGaps(source);
  const active = gaps.reduce((sum, { ms, isCut }) => (isCut ? sum : sum + ms), 0);
  const cutMs = Math.max(CUT_MS, active * CUT_SHARE);
  return { ...add(source, gaps, ({ ms, isCut }) => (isCut ? cutMs : ms)), cuts: gaps.filter(({ isCut }) => isCut) };
}

/** The time a run was active: without waits that were cut. */
export function activeMs(source: AxisSource): number {
  return toGaps(source).reduce((sum, { ms, isCut }) => (isCut ? sum : sum + ms), 0);
}

/** How a run is played in its own time: a cut wait takes 400 ms. */
export function toPlayScale(source: AxisSource): Scale {
  return add(source, toGaps(source), ({ ms, isCut }) => (isCut ? CUT_MS : ms));
}

/** How a run is played for reading: by words, handoffs and calls. */
export function toReadingScale(source: AxisSource): Scale {
  return add(source, toGaps(source), ({ type, deltas }) => {
    if (deltas > 0) return deltas * WORD_MS;
    if (type === "handoff.made") return HANDOFF_MS;
    if (type === "call.started") return CALL_MS;
    return EVENT_MS;
  });
}

/** The axis that shows most of a run: a very short one is hard to see by the clock. */
export function chooseAxis(source: AxisSource): AxisKind {
  return activeMs(source) < SHORT_MS ? "even" : "clock";
}

/** What lies between an event and the next. */
interface Gap extends Cut {
  readonly type: string;
  readonly to: number;
  readonly deltas: number;
  readonly isCut: boolean;
}

function toGaps({ events, last, now, forkedAt }: AxisSource): readonly Gap[] {
  const gaps: Gap[] = [];
  let isPaused = false;
  for (const [index, event] of events.entries()) {
    const next = events[index + 1];
    if (event.type === "run.paused") isPaused = true;
    if (event.type === "run.resumed" || event.type === "run.ended") isPaused = false;
    const to = next?.seq ?? last;
    if (to <= event.seq && now === undefined) break;
    const ms = Math.max(0, (next?.at ?? now ?? event.at) - event.at);
    const isWait = isPaused || next?.type === "run.resumed" || event.seq === forkedAt;
    const isCut = isWait && (ms > MAX_WAIT_MS || event.seq === forkedAt);
    gaps.push({ type: event.type, seq: event.seq, to, ms, deltas: Math.max(0, to - event.seq - 1), isCut });
  }
  return gaps;
}

function add({ events, last }: AxisSource, gaps: readonly Gap[], lengthOf: (gap: Gap) => number): Scale {
  const seqs = [events[0]?.seq ?? last];
  const values = [0];
  let sum = 0;
  for (const gap of gaps) {
    sum += lengthOf(gap);
    // The newest event of a run that has not ended may be the one before the gap: the value grows, the event stays.
    seqs.push(gap.to);
    values.push(sum);
  }
  return toScale(seqs, values);
}
