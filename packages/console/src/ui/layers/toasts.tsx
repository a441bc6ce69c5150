/**
 * Toasts: short messages about something that was just done, each with a way to undo it for some seconds.
 */
import { useCallback, useRef, useState } from "react";
import { type Notify, useApp } from "../../app-context.ts";
import "./toasts.css";

/** A message on the page. */
export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly undo?: () => void;
}

const SHOWN_MS = 3_000;
const UNDO_MS = 10_000;
const MAX_TOASTS = 3;

/** The messages on the page, and how to add one. */
export function useToasts(): readonly [readonly Toast[], Notify, (id: number) => void] {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const next = useRef(1);
  const close = useCallback((id: number) => setToasts((now) => now.filter((toast) => toast.id !== id)), []);
  const notify: Notify = useCallback(
    (text, undo) => {
      const id = next.current++;
      setToasts((now) => [...now.slice(1 - MAX_TOASTS), { id, text, ...(undo === undefined ? {} : { undo }) }]);
      setTimeout(() => close(id), undo === undefined ? SHOWN_MS : UNDO_MS);
    },
    [close],
  );
  return [toasts, notify, close];
}

interface ToastsProps {
  readonly toasts: readonly Toast[];
  readonly onClose: (id: number) => void;
}

/** The layer at the bottom of the page. */
export function Toasts({ toasts, onClose }: ToastsProps) {
  const { words } = useApp();
  return (
    <div className="toasts" role="status">
      {toasts.map(({ id, text, undo }) => (
        <div key={id} className="toast">
          {text}
          {undo !== undefined && (
            <button
              type="button"
              onClick={() => {
                undo();
                onClose(id);
              }}
            >
              {words.chat.undo}
            </button>
          )}
        </div>
      ))}
    </div>
  );
}
