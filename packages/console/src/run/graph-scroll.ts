/**
 * Graph scroll: keeps what has the baton in sight if a graph is larger than its column.
 *
 * Whether it is larger is measured when sizes change, so that moving the playhead does not make the browser lay the page
 * out twice.
 */
import { type RefObject, useEffect, useRef } from "react";

/** Scrolls to the box that is active when that changes; if none is, to the last that was, or else to the entry. */
export function useActiveInSight(column: RefObject<HTMLElement | null>, key: string): void {
  const isLarger = useRef(false);
  useEffect(() => {
    const box = column.current;
    if (box === null) return undefined;
    const measure = (): void => {
      const was = isLarger.current;
      isLarger.current = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      if (isLarger.current && !was) showActive(box, "instant");
    };
    const sizes = new ResizeObserver(measure);
    const observe = (): void => {
      for (const part of [box, ...box.querySelectorAll("svg")]) sizes.observe(part);
    };
    observe();
    // The crew comes later than the page.
    const parts = new MutationObserver(observe);
    parts.observe(box, { childList: true });
    return () => {
      sizes.disconnect();
      parts.disconnect();
    };
  }, []);
  useEffect(() => {
    const box = column.current;
    const isStill = window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (box !== null && isLarger.current) showActive(box, isStill ? "instant" : "smooth");
  }, [key]);
}

function showActive(box: HTMLElement, behavior: ScrollBehavior): void {
  const active = [".box.active, .box.box-waiting", ".box.last", ".box.entry"]
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
