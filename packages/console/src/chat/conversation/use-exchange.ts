/**
 * Use exchange: one run of a conversation, open as long as it is shown.
 */
import { useEffect, useState } from "react";
import { useSource } from "../../feed/use-source.ts";
import { type RunConnection, type OpenedRun, openRun } from "../../store/open-run.ts";
import type { RunStore } from "../../store/run-store.ts";
import { onFrame } from "../../store/use-run.ts";

/** A run as a conversation shows it. */
export interface ShownExchange {
  readonly run: string;
  readonly store: RunStore | undefined;
  readonly connection: RunConnection;
  readonly tryNow: () => void;
}

const LOADING: RunConnection = { state: "loading" };

/** Opens a run. */
export function useExchange(run: string): ShownExchange {
  const client = useSource();
  const [opened, setOpened] = useState<OpenedRun>();
  const [connection, setConnection] = useState<RunConnection>(LOADING);
  useEffect(() => {
    setConnection(LOADING);
    const open = openRun({ client, run, past: "thin", schedule: onFrame, now: Date.now, onConnection: setConnection });
    setOpened(open);
    return () => open.close();
  }, [client, run]);
  const store = opened?.store.id === run ? opened.store : undefined;
  return { run, store, connection, tryNow: client.tryNow };
}
