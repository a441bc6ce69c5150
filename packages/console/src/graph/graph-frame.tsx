/**
 * Graph frame: the place of a crew's graph.
 *
 * A graph that is too large for its place opens as small as its names can be read, with names only. Where it is larger
 * than its place it is dragged with the mouse and follows who has the baton.
 */
import type { CrewDrawing } from "@baton/client";
import { ZoomIn, ZoomOut } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";
import { useDragScroll } from "./use-drag-scroll.ts";
import { leastScaleOf, MIN_SCALE, sizeOf } from "./graph-size.ts";
import "./graph-frame.css";

interface GraphFrameProps {
  readonly drawing: CrewDrawing;
  /** Changes when something else has the baton. */
  readonly watched: string;
  /** Draws the graph at a scale. */
  readonly children: (scale: number) => ReactNode;
}

/** Frames a graph. */
export function GraphFrame({ drawing, watched, children }: GraphFrameProps) {
  const { words } = useApp();
  const place = useRef<HTMLDivElement>(null);
  const scale = useScale(place, drawing);
  const [chosen, setChosen] = useState<"whole" | "readable">();
  const isLarge = scale < MIN_SCALE;
  const opened = Math.max(scale, leastScaleOf(drawing));
  const drawn = isLarge && chosen !== undefined ? { whole: scale, readable: MIN_SCALE }[chosen] : opened;
  const isDragged = drawn > scale;
  useDragScroll(place, isDragged ? "dragged" : "still");
  const shown = useRef<CrewDrawing>(undefined);
  useEffect(() => {
    if (!isDragged) shown.current = undefined;
    if (!isDragged || place.current === null) return;
    const isStill = shown.current !== drawing || matchMedia("(prefers-reduced-motion: reduce)").matches;
    shown.current = drawing;
    showActive(place.current, isStill ? "instant" : "smooth");
  }, [watched, isDragged, drawing]);
  return (
    <div className="graph-frame">
      <div className={isDragged ? "graph-place dragged" : "graph-place"} ref={place}>
        {children(drawn)}
      </div>
      {isLarge && (
        <div className="graph-zoom">
          <Button
            kind="quiet"
            label={isDragged ? words.runPage.wholeGraph : words.runPage.readableGraph}
            onPress={() => setChosen(isDragged ? "whole" : "readable")}
          >
            {isDragged ? <ZoomOut size={16} aria-hidden /> : <ZoomIn size={16} aria-hidden />}
          </Button>
        </div>
      )}
    </div>
  );
}

/** The scale at which all of a drawing is in sight. It is measured when sizes change, not when a moment does. */
function useScale(place: RefObject<HTMLElement | null>, drawing: CrewDrawing): number {
  const [room, setRoom] = useState({ width: Infinity, height: Infinity });
  useLayoutEffect(() => {
    const box = place.current;
    if (box === null) return undefined;
    const take = ({ width, height }: Readonly<Record<"width" | "height", number>>): void => {
      if (width > 0 && height > 0) setRoom({ width: Math.floor(width), height: Math.floor(height) });
    };
    const style = getComputedStyle(box);
    const inner = (size: number, ...paddings: readonly string[]): number =>
      paddings.reduce((sum, padding) => sum - Number.parseFloat(padding), size);
    take({
      width: inner(box.clientWidth, style.paddingLeft, style.paddingRight),
      height: inner(box.clientHeight, style.paddingTop, style.paddingBottom),
    });
    const sizes = new ResizeObserver(([entry]) => entry !== undefined && take(entry.contentRect));
    sizes.observe(box);
    return () => sizes.disconnect();
  }, []);
  const size = sizeOf(drawing);
  return Math.min(1, room.width / size.width, room.height / size.height);
}

/** Scrolls to what is active; if nothing is, to what was last, or else to the first. */
function showActive(box: HTMLElement, behavior: ScrollBehavior): void {
  const active = [".box.active, .box.box-waiting", ".box.last", ".box"]
    .map((wanted) => box.querySelector(wanted))
    .find((found) => found !== null);
  if (active === undefined) return;
  const [inner, outer] = [active.getBoundingClientRect(), box.getBoundingClientRect()];
  const isBeside = inner.left < outer.left || inner.right > outer.right;
  const isAbove = inner.top < outer.top || inner.bottom > outer.bottom;
  if (!isBeside && !isAbove) return;
  box.scrollBy({
    left: inner.left + inner.width / 2 - (outer.left + outer.width / 2),
    top: inner.top + inner.height / 2 - (outer.top + outer.height / 2),
    behavior,
  });
}
