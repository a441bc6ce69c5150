/**
 * Graph size: how large a crew's graph is with its margins, and how small it may be drawn.
 */
import type { CrewDrawing } from "@baton/client";

/** Around the drawing. */
export const MARGIN = 24;
/** Above it, where a run starts. */
export const HEAD = 40;
/** Smaller than this its labels cannot be read. */
export const MIN_SCALE = 0.7;

/** The drawing with its margins. */
export function sizeOf({ width, height }: CrewDrawing): Readonly<Record<"width" | "height", number>> {
  return { width: width + 2 * MARGIN, height: height + HEAD + MARGIN };
}
