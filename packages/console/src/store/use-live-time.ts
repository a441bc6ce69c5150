/**
 * Use live time: the time of a run that is running, by the clock of its events, so that it does not matter whether the
 * clock of this machine is right.
 */
import { useEffect, useRef, useState } from "react";
import type { RunStore } from "./run-store.ts";

const TICK_MS = 250;

/** The time now; undefined if the run waits or has ended. */
export function useLiveTime(store: RunStore): number | undefined {
  const seen = useRef({ last: -1, at: 0 });
  const [, setTick] = useState(0);
  if (seen.current.last !== store.last) seen.current = { last: store.last, at: performance.now() };
  const isRunning = store.story.ended === undefined && store.viewAt("live").status === "running";
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setTick((count) => count + 1), TICK_MS);
    return () => clearInterval(timer);
  }, [isRunning]);
  return isRunning && store.lastAt > 0 ? store.lastAt + (performance.now() - seen.current.at) : undefined;
}
