/**
 * Use title: what the tab is called, `multi-team · Crews · Baton`.
 */
import { useEffect } from "react";

/** Names the tab, the most particular part first. */
export function useTitle(parts: readonly string[]): void {
  const title = [...parts, "Baton"].join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
