/**
 * Place layer: where a floating layer stands: below its anchor, above it if there is no room, never outside the window.
 * One that fits on neither side is made as low as the larger side.
 */
const GAP = 6;
const EDGE = 8;
/** A layer is not made lower than this; in a very low window it covers its anchor instead. */
const LEAST_HEIGHT = 160;

/** Moves a layer that is shown to its anchor; `end` makes their right edges meet. */
export function placeLayer(anchor: Element, layer: HTMLElement, align: "start" | "center" | "end"): void {
  const near = anchor.getBoundingClientRect();
  const rooms = [near.top, window.innerHeight - near.bottom].map((room) => room - GAP - EDGE);
  layer.style.maxHeight = "";
  if (layer.offsetHeight > Math.max(...rooms)) layer.style.maxHeight = `${Math.max(LEAST_HEIGHT, ...rooms)}px`;
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
