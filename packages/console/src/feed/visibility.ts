/**
 * Visibility: whether the tab can be seen.
 */

/** True if the tab is visible now. */
export function isTabVisible(): boolean {
  return document.visibilityState === "visible";
}

/** Calls back when that changes; returns how to stop. */
export function onVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
