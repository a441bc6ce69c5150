/**
 * Use exchange: one run of a conversation, open as long as it is shown, at reading speed if this tab has just started it.
 */
import { useEffect, useState } from "react";
import { useSource } from "../../feed/use-source.ts";
import { wait } from "../../feed/wait.ts";
import { type RunConnection, type OpenedRun, openRun } from "../../store/open-run.ts";
import type { RunStore } from "../../store/run-store.ts";
import { onFrame } from "../../store/use-run.ts";
import { IN_TIME, openFeed, type Pace, type PacedFeed } from "./paced-feed.ts";

/** A run as a conversation shows it. */
export interface ShownExchange {
  readonly run: string;
  readonly store: RunStore | undefined;
  readonly connection: RunConnection;
  readonly pace: Pace;
  readonly skip: () => void;
  readonly tryNow: () => void;
}

const LOADING: RunConnection = { state: "loading" };
const nothing = (): void => {};

interface Opened {
  readonly open: OpenedRun;
  readonly feed: PacedFeed;
}

/** Opens a run. */
export function useExchange(run: string, pace: "reading" | "off"): ShownExchange {
  const client = useSource();
  const [opened, setOpened] = useState<Opened>();
  const [connection, setConnection] = useState<RunConnection>(LOADING);
  const [shownPace, setPace] = useState<Pace>(IN_TIME);
  useEffect(() => {
    setConnection(LOADING);
    setPace(IN_TIME);
    const feed = openFeed({
      client,
      pace,
      wait,
      now: () => performance.now(),
      onPace: (next) => setPace((was) => (isSame(was, next) ? was : next)),
    });
    const open = openRun({
      client: feed.source,
      run,
      past: "thin",
      schedule: onFrame,
      now: Date.now,
      onConnection: setConnection,
    });
    setOpened({ open, feed });
    return () => open.close();
  }, [client, run, pace]);
  const isThis = opened?.open.store.id === run;
  return {
    run,
    store: isThis ? opened.open.store : undefined,
    connection,
    pace: shownPace,
    skip: opened?.feed.skip ?? nothing,
    tryNow: client.tryNow,
  };
}

function isSame(one: Pace, other: Pace): boolean {
  return one.tookMs === other.tookMs && one.ahead.length === other.ahead.length;
}
