/**
 * Use just started runs: the runs that this tab has just started. They are shown at reading speed, unless the address says
 * `pace=off`.
 */
import { useEffect, useState, useSyncExternalStore } from "react";
import { useStarted } from "../../feed/feed-context.tsx";
import type { StartedByTab } from "../../feed/started-runs.ts";

/** Runs that were just started, and how they are shown. */
export interface JustStartedRuns {
  readonly justStarted: readonly StartedByTab[];
  /** True if they may be shown at reading speed. */
  readonly pacing: "on" | "off";
}

/** The runs that were just started; once the chat is left they are runs as any other. */
export function useJustStartedRuns(): JustStartedRuns {
  const started = useStarted();
  // The address loses it with the first navigation; the page stays.
  const [isOff] = useState(() => new URLSearchParams(window.location.search).get("pace") === "off");
  useEffect(() => () => started.clear(), [started]);
  const justStarted = useSyncExternalStore(started.subscribe, () => started.runs);
  return { justStarted, pacing: isOff ? "off" : "on" };
}
