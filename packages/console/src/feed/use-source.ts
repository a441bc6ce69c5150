/**
 * Use source: where the parts of a page get a run's events from.
 */
import { useMemo } from "react";
import { useApp } from "../app-context.ts";
import { onNetwork } from "./network.ts";
import { type VisibleTabSource, openVisibleTabSource } from "./visible-tab-source.ts";
import { isTabVisible, onVisibility } from "./visibility.ts";
import { wait } from "./wait.ts";

/** The events of runs, without an open connection while the tab cannot be seen. */
export function useSource(): VisibleTabSource {
  const { client } = useApp();
  return useMemo(() => openVisibleTabSource({ client, isTabVisible, onChange, wait }), [client]);
}

function onChange(listener: () => void): () => void {
  const stops = [onVisibility(listener), onNetwork(listener)];
  return () => {
    for (const stop of stops) stop();
  };
}
