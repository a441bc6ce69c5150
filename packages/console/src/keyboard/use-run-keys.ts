/**
 * Use run keys: single keys of the run page. They do nothing in a field, in a dialog, or if they are switched
 * off.
 */
import { useEffect, useRef } from "react";
import { useApp } from "../app-context.ts";

const TYPED = "input, textarea, select, [contenteditable], dialog";
/** Elements that handle the space key themselves. */
const PRESSED = "button, a, summary, [role=button]";

/** Calls what belongs to a key; with shift it is named `Shift ArrowRight`. */
export function useRunKeys(keys: Readonly<Record<string, () => void>>): void {
  const { settings } = useApp();
  const now = useRef(keys);
  now.current = keys;
  useEffect(() => {
    if (!settings.shortcuts) return undefined;
    const listen = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const { target, key } = event;
      if (target instanceof Element && target.closest(TYPED) !== null) return;
      const isPressed = target instanceof Element && target.closest(PRESSED) !== null;
      if (key === " " && isPressed) return;
      const name = event.shiftKey && key.length > 1 ? `Shift ${key}` : key.length === 1 ? key.toLowerCase() : key;
      const act = new Map(Object.entries(now.current)).get(name);
      if (act === undefined) return;
      event.preventDefault();
      act();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [settings.shortcuts]);
}
