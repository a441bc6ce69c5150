/**
 * Tooltip: one layer for the whole console. An element with `data-tip` gets it on hover and on keyboard focus; the text
 * never says more than its accessible name or description does.
 */
import { useEffect, useRef, useState } from "react";
import { placeLayer } from "./place-layer.ts";
import "./layer.css";

const WAIT_MS = 350;

/** Returns the attributes of an element with a tooltip that says more than its name. */
export function describedBy(text: string | undefined): object {
  return text === undefined || text === "" ? {} : { "data-tip": text, "aria-description": text };
}

/** Draws the tooltip of the element under the pointer or the keyboard's focus. */
export function TooltipLayer() {
  const layer = useRef<HTMLDivElement>(null);
  const anchor = useTipped();
  useEffect(() => {
    const element = layer.current;
    if (element === null || anchor === undefined) return undefined;
    element.showPopover();
    placeLayer(anchor, element, "center");
    return () => element.hidePopover();
  }, [anchor]);
  return (
    <div ref={layer} className="layer tooltip" popover="manual" role="presentation">
      {anchor?.getAttribute("data-tip")}
    </div>
  );
}

/** The element whose tooltip is shown. */
function useTipped(): Element | undefined {
  const [anchor, setAnchor] = useState<Element>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = (found: Element | null | undefined): void => {
      clearTimeout(timer);
      if (found === null || found === undefined) return setAnchor(undefined);
      timer = setTimeout(() => setAnchor(found.isConnected ? found : undefined), WAIT_MS);
    };
    const point = ({ target, pointerType }: PointerEvent): void => {
      if (pointerType === "mouse" && target instanceof Element) show(target.closest("[data-tip]"));
    };
    const focus = ({ target }: FocusEvent): void => {
      if (target instanceof Element && target.matches(":focus-visible")) show(target.closest("[data-tip]"));
    };
    const hide = (): void => show(undefined);
    const listeners = { pointerover: point, focusin: focus } as const;
    document.addEventListener("pointerover", listeners.pointerover);
    document.addEventListener("focusin", listeners.focusin);
    for (const name of HIDING) document.addEventListener(name, hide, true);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("pointerover", listeners.pointerover);
      document.removeEventListener("focusin", listeners.focusin);
      for (const name of HIDING) document.removeEventListener(name, hide, true);
    };
  }, []);
  return anchor;
}

const HIDING = ["focusout", "keydown", "pointerdown", "scroll"] as const;
