/**
 * Sheet: a part of the page that lies over it on small screens; Escape, its button and a press beside it close it.
 */
import { X } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { useApp } from "../app-context.ts";
import { Button } from "../ui/button.tsx";

interface SheetProps {
  readonly label: string;
  readonly side: "left" | "right";
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** An open sheet. */
export function Sheet({ label, side, onClose, children }: SheetProps) {
  const { words } = useApp();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={`sheet ${side}`}
      aria-label={label}
      onClose={onClose}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
    >
      <div className="sheet-body">
        <header className="sheet-head">
          <strong>{label}</strong>
          <Button kind="quiet" label={words.chat.close} onPress={onClose}>
            <X size={18} aria-hidden />
          </Button>
        </header>
        <div className="sheet-content">{children}</div>
      </div>
    </dialog>
  );
}
