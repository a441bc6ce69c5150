/**
 * Place layer: where a floating layer stands: below its anchor, above it if there is no room, never outside the window.
 */
const GAP = 6;
const EDGE = 8;

/** Moves a layer that is shown to its anchor; `end` makes their right edges meet. */
export function placeLayer(anchor: Element, layer: HTMLElement, align: "start" | "center" | "end"): void {
  const near = anchor.getBoundingClientRect();
  const { width, height } = layer.getBoundingClientRect();
  const below = near.bottom + GAP;
  const above = near.top - GAP - height;
  const fitsBelow = below + height <= window.innerHeight - EDGE;
  const top = fitsBelow || above < EDGE ? Math.min(below, window.innerHeight - EDGE - height) : above;
  const starts = { start: near.left, center: near.left + (near.width - width) / 2, end: near.right - width };
  const left = Math.min(starts[align], window.innerWidth - EDGE - width);
  layer.style.left = `${Math.max(EDGE, left)}px`;
  layer.style.top = `${Math.max(EDGE, top)}px`;
}
