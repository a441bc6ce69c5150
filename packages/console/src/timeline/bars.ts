/**
 * Bars: where the bars of a row lie, as parts of the row's width, and which of them is under a pointer.
 *
 * Bars that are too close to each other are drawn as one, so a row never has more than a screen can show.
 */
import type { TimelineBar, BarKind } from "./rows.ts";
import type { Scale } from "./scale.ts";

/** A bar as parts of the width: 0 is the left end, 1 the right one. */
export interface PlacedBar {
  readonly kind: BarKind;
  readonly of: string;
  readonly start: number;
  readonly end: number;
}

/** Less than this cannot be seen. */
const MIN_PART = 1 / 900;
/** Bars closer than this are one. */
const MIN_GAP = 1 / 4_000;

/** The place of an event on a scale. */
export function barPlacement({ valueOf, length, first, last }: Scale, seq: number): number {
  if (length === 0) return last === first ? 0 : (seq - first) / (last - first);
  return Math.min(1, Math.max(0, valueOf(seq) / length));
}

/** The event at a place of a scale. */
export function seqAtPlace({ seqAt, length, first, last }: Scale, place: number): number {
  const part = Math.min(1, Math.max(0, place));
  if (length === 0) return Math.round(first + part * (last - first));
  return part === 1 ? last : seqAt(part * length);
}

/** Places bars of one kind, which are sorted by where they begin. */
export function placeBars(bars: readonly TimelineBar[], scale: Scale): readonly PlacedBar[] {
  const placed: PlacedBar[] = [];
  for (const { kind, of, from, to = scale.last } of bars) {
    const start = Math.min(1 - MIN_PART, barPlacement(scale, from));
    const end = Math.max(start + MIN_PART, barPlacement(scale, to));
    const before = placed.at(-1);
    const isSmall = end - start <= MIN_PART * 2;
    if (before !== undefined && isSmall && before.kind === kind && start - before.end < MIN_GAP) {
      placed[placed.length - 1] = { ...before, end: Math.max(before.end, end) };
    } else placed.push({ kind, of, start, end });
  }
  return placed;
}

/** The innermost bar over an event; calls lie in turns. */
export function barAt(bars: readonly TimelineBar[], seq: number): TimelineBar | undefined {
  let found: TimelineBar | undefined;
  for (const bar of bars) {
    if (bar.from > seq || (bar.to ?? Infinity) < seq) continue;
    if (found === undefined || bar.kind !== "turn" || found.kind === "turn") found = bar;
  }
  return found;
}
