/**
 * Axes: the three scales of a run: by the clock with long waits cut short, one slot an event, and as a person reads.
 */
import { type Gap, type GapSource, runTimes, toGaps } from "../store/gaps.ts";
import { type Scale, toScale } from "./scale.ts";

/** The kinds of axes of the timeline. */
export type AxisKind = "clock" | "even";

/** A wait that is drawn shorter than it was. */
export interface AxisCut {
  /** The event before it. */
  readonly seq: number;
  readonly ms: number;
}

/** A scale in milliseconds, and the waits that it leaves out. */
export interface ClockScale extends Scale {
  readonly cuts: readonly AxisCut[];
  /** The same without what was cut: what a person calls the time of an event. */
  readonly worked: Scale;
  /** Where a time without cuts lies. */
  readonly placeOf: (workedMs: number) => number;
}

/** The source of an axis. */
export type AxisSource = GapSource;

/** Waits over this are cut. */
const MAX_WAIT_MS = 5_000;
/** The time that a cut wait takes when it is played. */
const CUT_MS = 400;
/** The smallest part of an axis that it takes. */
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
  const gaps = toCutGaps(source);
  const active = gaps.reduce((sum, { ms, isCut }) => (isCut ? sum : sum + ms), 0);
  const cutMs = Math.max(CUT_MS, active * CUT_SHARE);
  const cuts = gaps.filter(({ isCut }) => isCut);
  const worked = add(source, gaps, ({ ms, isCut }) => (isCut ? 0 : ms));
  const begins = cuts.map(({ seq }) => worked.valueOf(seq));
  return {
    ...add(source, gaps, ({ ms, isCut }) => (isCut ? cutMs : ms)),
    cuts,
    worked,
    placeOf: (ms) => ms + cutMs * begins.filter((begin) => begin < ms).length,
  };
}

/** Returns the scale that plays a run in its own time: a cut wait takes 400 ms. */
export function toPlayScale(source: AxisSource): Scale {
  return add(source, toCutGaps(source), ({ ms, isCut }) => (isCut ? CUT_MS : ms));
}

/** Returns the scale that plays a run for reading: by words, handoffs and calls. */
export function toReadingScale(source: AxisSource): Scale {
  return add(source, toCutGaps(source), ({ type, deltas }) => {
    if (deltas > 0) return deltas * WORD_MS;
    if (type === "handoff.made") return HANDOFF_MS;
    if (type === "call.started") return CALL_MS;
    return EVENT_MS;
  });
}

/** The axis that shows most of a run: a very short one is hard to see by the clock. */
export function chooseAxis(source: AxisSource): AxisKind {
  return runTimes(source).activeMs < SHORT_MS ? "even" : "clock";
}

interface CutGap extends Gap {
  readonly isCut: boolean;
}

/** A long wait is cut, and however short it was, what a fork waited. */
function toCutGaps(source: AxisSource): readonly CutGap[] {
  return toGaps(source).map((gap) => ({ ...gap, isCut: gap.isFork || (gap.isWait && gap.ms > MAX_WAIT_MS) }));
}

function add({ events, last }: AxisSource, gaps: readonly CutGap[], lengthOf: (gap: CutGap) => number): Scale {
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
