/**
 * Graph scroll: keeps what has the baton in sight if a graph is wider than its column.
 */
import { type RefObject, useEffect } from "react";

/** Scrolls to the box that is active when that changes; if none is, to the last that was, or else to the entry. */
export function useActiveInSight(column: RefObject<HTMLElement | null>, key: string): void {
  useEffect(() => {
    const box = column.current;
    if (box === null || (box.scrollWidth <= box.clientWidth && box.scrollHeight <= box.clientHeight)) return;
    const active = [".box.active, .box.box-waiting", ".box.last", ".box.entry"]
      .map((wanted) => box.querySelector(wanted))
      .find((found) => found !== null);
    if (active === undefined) return;
    const [inner, outer] = [active.getBoundingClientRect(), box.getBoundingClientRect()];
    const isInSight = inner.left >= outer.left && inner.right <= outer.right;
    const isAbove = inner.top >= outer.top && inner.bottom <= outer.bottom;
    if (isInSight && isAbove) return;
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    box.scrollBy({
      left: inner.left + inner.width / 2 - (outer.left + outer.width / 2),
      top: inner.top + inner.height / 2 - (outer.top + outer.height / 2),
      behavior: isStill ? "instant" : "smooth",
    });
  }, [key]);
}
