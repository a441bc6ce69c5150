/**
 * Use run: a run that is open as long as a part of the page shows it, and parts that are drawn again when it changes.
 */
import { useCallback, useEffect, useState, useSyncExternalStore } from "react";
import { useSource } from "../feed/use-source.ts";
import { type RunConnection, type OpenedRun, openRun, type OpenRunOptions } from "./open-run.ts";
import type { RunStore } from "./run-store.ts";
import type { StoryChange } from "./story-index.ts";

/** A run with its connection. */
export interface ShownRun {
  readonly store: RunStore | undefined;
  readonly connection: RunConnection;
  readonly tryNow: () => void;
}

const LOADING: RunConnection = { state: "loading" };
const HIDDEN_MS = 250;

/** Opens a run, and closes it when it is no longer shown. */
export function useRun(run: string, past: OpenRunOptions["past"]): ShownRun {
  const client = useSource();
  const [opened, setOpened] = useState<OpenedRun>();
  const [connection, setConnection] = useState<RunConnection>(LOADING);
  useEffect(() => {
    setConnection(LOADING);
    const made = openRun({ client, run, past, schedule: onFrame, now: Date.now, onConnection: setConnection });
    setOpened(made);
    return () => made.close();
  }, [client, run, past]);
  return { store: opened?.store.id === run ? opened.store : undefined, connection, tryNow: client.tryNow };
}

/** Draws a part again when that part of the run changes, if there is a run. */
export function useChanges(store: RunStore | undefined, key: StoryChange = "run"): number {
  const subscribe = useCallback((listener: () => void) => store?.subscribe(key, listener) ?? (() => {}), [store, key]);
  return useSyncExternalStore(subscribe, () => store?.version(key) ?? 0);
}

/** With the next frame; a hidden tab has none. */
export function onFrame(work: () => void): void {
  if (document.hidden) setTimeout(work, HIDDEN_MS);
  else requestAnimationFrame(work);
}
