/**
 * Popover: a button and the layer that it opens. Escape or a press outside closes it, and the focus returns.
 */
import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { placeLayer } from "./place-layer.ts";
import "./layer.css";

/** The parts that popovers, menus and pickers share. */
export interface PopoverProps {
  /** The name of the layer, and of a button that shows only an icon. */
  readonly label: string;
  readonly button: ReactNode;
  /** Classes of the button. */
  readonly className?: string;
  readonly align?: "start" | "center" | "end";
  readonly disabled?: boolean;
  /** False if the words of the button say what it opens. */
  readonly isIcon?: boolean;
}

interface LayerProps extends PopoverProps {
  readonly role: "dialog" | "menu" | "listbox";
  readonly layerClass: string;
  readonly layer: RefObject<HTMLDivElement | null>;
  /** Called once the layer is shown and has its place. */
  readonly onOpen?: () => void;
  readonly children: ReactNode;
}

/** A button with a layer; what is in the layer is drawn only while it is open. */
export function PopoverLayer(props: LayerProps) {
  const { label, button, className = "button plain", align = "start", disabled, isIcon = false } = props;
  const { role, layerClass, layer, onOpen, children } = props;
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (!isOpen || anchor.current === null || layer.current === null) return;
    placeLayer(anchor.current, layer.current, align);
    onOpen?.();
  }, [isOpen]);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        className={className}
        popoverTarget={id}
        disabled={disabled}
        aria-haspopup={role}
        aria-expanded={isOpen}
        aria-label={isIcon ? label : undefined}
        {...(isIcon ? { "data-tip": label } : {})}
      >
        {button}
      </button>
      <div
        ref={layer}
        id={id}
        popover="auto"
        className={`layer ${layerClass}`}
        role={role}
        aria-label={label}
        onToggle={(event) => setOpen(event.newState === "open")}
      >
        {isOpen && children}
      </div>
    </>
  );
}

/** A layer with something to read or to fill in; `children` gets how to close it. */
export function Popover({
  children,
  layerClass = "",
  ...props
}: PopoverProps & { readonly layerClass?: string; readonly children: (close: () => void) => ReactNode }) {
  const layer = useRef<HTMLDivElement>(null);
  return (
    <PopoverLayer {...props} role="dialog" layer={layer} layerClass={layerClass}>
      {children(() => layer.current?.hidePopover())}
    </PopoverLayer>
  );
}
