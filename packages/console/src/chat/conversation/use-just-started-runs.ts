/**
 * Use just started runs: the runs that this tab has just started.
 */
import { useEffect, useSyncExternalStore } from "react";
import { useStarted } from "../../feed/feed-context.tsx";
import type { StartedByTab } from "../../feed/started-runs.ts";

/** The runs that were just started; once the chat is left they are runs as any other. */
export function useJustStartedRuns(): readonly StartedByTab[] {
  const started = useStarted();
  useEffect(() => () => started.clear(), [started]);
  return useSyncExternalStore(started.subscribe, () => started.runs);
}
