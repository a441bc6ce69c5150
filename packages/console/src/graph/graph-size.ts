/**
 * Graph size: how large a crew's graph is with its margins, and how small it may be drawn.
 */
import type { CrewDrawing } from "@baton/client";

/** Around the drawing. */
export const MARGIN = 24;
/** Above it, where a run starts. */
export const HEAD = 40;
/** Smaller than this its labels cannot be read: no text is less than 11 px on the screen. */
export const MIN_SCALE = 1;
/** The least that a text has on the screen. */
export const READ_SIZE = 11;
/** The largest text of a group's members. */
export const LARGEST_MEMBER = 18;
/** The largest name that a box has room for. */
export const LARGEST_NAME = 28;

/** The smallest scale at which every name of a drawing can be read. */
export function leastScaleOf({ boxes }: CrewDrawing): number {
  return READ_SIZE / (boxes.some(({ members }) => members.length > 0) ? LARGEST_MEMBER : LARGEST_NAME);
}

/** The drawing with its margins. */
export function sizeOf({ width, height }: CrewDrawing): Readonly<Record<"width" | "height", number>> {
  return { width: width + 2 * MARGIN, height: height + HEAD + MARGIN };
}
