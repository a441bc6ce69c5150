/**
 * Use page keys: single keys that do something on a page, unless one is writing, or has switched them off.
 */
import { useEffect, useRef } from "react";
import { useApp } from "../app-context.ts";

const LAYER = "dialog[open], :popover-open";

/** Actions by key; letters in lower case. */
export type KeyActions = Readonly<Record<string, () => void>>;

/** Listens as long as the page is shown. `Escape` works in fields, too. A layer over the page keeps its keys. */
export function usePageKeys(keys: KeyActions): void {
  const { settings } = useApp();
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (document.querySelector(LAYER) !== null) return;
      const isEscape = event.key === "Escape";
      if (!isEscape && (!settings.shortcuts || isField(event.target))) return;
      const act = now.current[isEscape ? "Escape" : event.key.toLowerCase()];
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", press);
    return () => window.removeEventListener("keydown", press);
  }, [settings.shortcuts]);
}

function isField(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement ||
    (target instanceof HTMLElement && target.isContentEditable)
  );
}
