/**
 * Arrow path: points that an arrow goes through, as a smooth line of SVG.
 */
import type { DrawnPoint } from "@baton/client";

/** The `d` of a path through the points: vertical at both ends, round between. */
export function arrowPath(points: readonly DrawnPoint[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let path = `M ${first.x} ${first.y}`;
  let before = first;
  for (const point of rest) {
    const middle = (before.y + point.y) / 2;
    path += ` C ${before.x} ${middle}, ${point.x} ${middle}, ${point.x} ${point.y}`;
    before = point;
  }
  return path;
}
