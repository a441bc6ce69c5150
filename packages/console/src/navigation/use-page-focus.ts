/**
 * Use page focus: after a navigation the new page begins at its top, and a screen reader at its heading.
 */
import { type RefObject, useEffect, useRef } from "react";
import type { PageRoute } from "./route.ts";

/** A heading that has not come after this time is not waited for: by then the reader does something else. */
const WAIT_MS = 10_000;

/** Watches the address; the first page is left alone, and so is a page that puts the focus somewhere itself. */
export function usePageFocus(main: RefObject<HTMLElement | null>, route: PageRoute): void {
  const place = placeOf(route);
  const last = useRef(place);
  useEffect(() => {
    const page = main.current;
    if (page === null || last.current === place) return undefined;
    last.current = place;
    page.scrollTop = 0;
    return focusHeading(page);
  }, [main, place]);
}

/** Returns the part of a route that makes another page: not a filter, a selection or a moment. */
function placeOf(route: PageRoute): string {
  if (route.page === "chat") return `chat ${route.session ?? ""}`;
  return "id" in route ? `${route.page} ${route.id}` : route.page;
}

/** Focuses the heading once it is there; returns how to stop waiting. */
function focusHeading(page: HTMLElement): () => void {
  const before = document.activeElement;
  if (before?.matches("textarea, input") === true && page.contains(before)) return () => {};
  const observer = new MutationObserver(look);
  const stop = (): void => observer.disconnect();
  function look(): void {
    const hasMoved = document.activeElement !== before && document.activeElement !== document.body;
    const heading = page.querySelector("h1");
    if (hasMoved || heading !== null) stop();
    if (hasMoved || heading === null) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }
  observer.observe(page, { childList: true, subtree: true });
  look();
  const timer = setTimeout(stop, WAIT_MS);
  return () => {
    clearTimeout(timer);
    stop();
  };
}
