/**
 * Offline bar: says that the connection is lost and when it is tried again; what is on the page stays.
 */
import { CloudOff } from "lucide-react";
import { useApp } from "../app-context.ts";
import { useSecondsUntil } from "./use-seconds-until.ts";
import "./offline-bar.css";

interface OfflineBarProps {
  readonly nextAt: number;
  readonly isStopping: boolean;
  readonly onTry: () => void;
}

/** The bar. */
export function OfflineBar({ nextAt, isStopping, onTry }: OfflineBarProps) {
  const { words } = useApp();
  const seconds = useSecondsUntil(nextAt);
  return (
    <div className="offline-bar" role="status">
      <CloudOff size={14} aria-hidden />
      <span>{isStopping ? words.states.stopping : words.states.offline(seconds)}</span>
      <button type="button" onClick={onTry}>
        {words.states.tryNow}
      </button>
    </div>
  );
}
