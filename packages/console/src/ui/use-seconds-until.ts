/**
 * Use seconds until: counts down to a time, once a second as long as it is shown.
 */
import { useEffect, useState } from "react";

const SECOND_MS = 1_000;

/** Seconds until a time; 0 once it is there, or if there is none. */
export function useSecondsUntil(at: number | undefined): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (at === undefined) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [at]);
  return at === undefined ? 0 : Math.max(0, Math.ceil((at - now) / SECOND_MS));
}
