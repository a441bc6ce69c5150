/**
 * Lost: the connection is gone; what is shown stays, and the run continues.
 */
import { useEffect, useState } from "react";
import { useApp } from "../app-context.ts";

const SECOND_MS = 1_000;

/** Says when the next try is. */
export function Lost({ nextAt, isStopping }: { readonly nextAt: number; readonly isStopping: boolean }) {
  const { words } = useApp();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((nextAt - now) / SECOND_MS));
  return (
    <p className="run-lost" role="status">
      {isStopping ? words.states.stopping : words.states.offline(seconds)}
    </p>
  );
}
