/**
 * Numbered: the frames that one event makes, each with its id.
 *
 * Reads: dialect. Read by: every dialect.
 */
import type { Frame } from "./dialect.ts";

/** Gives frames their ids: the event's `seq`, or `<seq>.<n>` where there are several. */
export function toNumbered(seq: number, frames: readonly Omit<Frame, "id">[]): readonly Frame[] {
  const [only] = frames;
  if (only === undefined) return [];
  if (frames.length === 1) return [{ id: `${seq}`, ...only }];
  return frames.map((frame, index) => ({ id: `${seq}.${index + 1}`, ...frame }));
}

/** Frames that hold these values as JSON. */
export function toJsonFrames(seq: number, values: readonly object[]): readonly Frame[] {
  return toNumbered(
    seq,
    values.map((value) => ({ data: JSON.stringify(value) })),
  );
}
