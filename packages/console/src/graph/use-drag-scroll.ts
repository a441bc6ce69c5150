/**
 * Use drag scroll: a part of the page whose content is larger is moved by dragging it with the mouse.
 *
 * A press that did not move is a press on what is under it; the click at the end of a drag does nothing.
 */
import { type RefObject, useEffect } from "react";

/** So far a hand trembles. */
const TREMBLE_PX = 4;

/** Lets an element be dragged unless it is to be still; fingers scroll it anyway. */
export function useDragScroll(place: RefObject<HTMLElement | null>, when: "dragged" | "still"): void {
  useEffect(() => {
    const box = place.current;
    if (box === null || when === "still") return undefined;
    const over = new AbortController();
    const { signal } = over;
    box.addEventListener("pointerdown", (event) => event.pointerType === "mouse" && begin(box, event), { signal });
    return () => over.abort();
  }, [when]);
}

function begin(box: HTMLElement, { button, clientX, clientY, pointerId }: PointerEvent): void {
  if (button !== 0) return;
  const from = { left: box.scrollLeft, top: box.scrollTop };
  const over = new AbortController();
  const { signal } = over;
  let isMoved = false;
  const move = (event: PointerEvent): void => {
    const [x, y] = [event.clientX - clientX, event.clientY - clientY];
    if (!isMoved && Math.hypot(x, y) < TREMBLE_PX) return;
    if (!isMoved) box.setPointerCapture(pointerId);
    isMoved = true;
    box.scrollTo({ left: from.left - x, top: from.top - y, behavior: "instant" });
  };
  const end = (): void => {
    over.abort();
    if (!isMoved) return;
    const still = new AbortController();
    const swallow = (event: Event): void => {
      event.stopPropagation();
      still.abort();
    };
    box.addEventListener("click", swallow, { capture: true, signal: still.signal });
    // A drag that ends elsewhere has no click.
    setTimeout(() => still.abort());
  };
  box.addEventListener("pointermove", move, { signal });
  for (const type of ["pointerup", "pointercancel"]) box.addEventListener(type, end, { signal });
  // Released outside before it was captured.
  window.addEventListener("pointerup", end, { signal });
}
