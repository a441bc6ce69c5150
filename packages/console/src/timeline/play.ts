/**
 * Play: how the playhead moves by itself, in the run's own time or as a person reads.
 */
import type { Scale } from "./scale.ts";

/** The speeds of playing. */
export const SPEEDS = ["1", "reading", "4", "16"] as const;

/** One of them. */
export type Speed = (typeof SPEEDS)[number];

/** Where a play stands: a value of its scale. */
export interface Playing {
  readonly scale: Scale;
  readonly factor: number;
  readonly value: number;
}

/** Begins to play at an event; at the end it begins anew. */
export function startPlay(scale: Scale, speed: Speed, seq: number): Playing {
  const from = seq >= scale.last ? scale.first : seq;
  return { scale, factor: speed === "reading" ? 1 : Number(speed), value: scale.valueOf(from) };
}

/** Advances by some time. */
export function advancePlay(playing: Playing, ms: number): Playing {
  const { scale, factor, value } = playing;
  return { ...playing, value: Math.min(scale.length, value + Math.max(0, ms) * factor) };
}

/** The event that a play stands at. */
export function seqOf({ scale, value }: Playing): number {
  return value >= scale.length ? scale.last : scale.seqAt(value);
}

/** True if the playing is over. */
export function isOver({ scale, value }: Playing): boolean {
  return value >= scale.length;
}

/** The next slower or faster speed. */
export function nextSpeed(speed: Speed, by: -1 | 1): Speed {
  const order: readonly Speed[] = ["reading", "1", "4", "16"];
  return order[Math.min(order.length - 1, Math.max(0, order.indexOf(speed) + by))] ?? speed;
}
