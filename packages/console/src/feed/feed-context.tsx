/**
 * Feed context: one feed for the whole tab, connected as long as the tab can be seen, and what the tab has started.
 *
 * A browser opens six connections to a server for all its tabs together: a hidden tab must not keep one.
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import { useApp } from "../app-context.ts";
import { FeedStore } from "./feed-store.ts";
import { onNetwork } from "./network.ts";
import { StartedRuns } from "./started-runs.ts";
import { isTabVisible, onVisibility } from "./visibility.ts";

interface Feed {
  readonly store: FeedStore;
  readonly started: StartedRuns;
  /** Connects anew at once. */
  readonly tryNow: () => void;
}

const FeedContext = createContext<Feed | undefined>(undefined);

/** Connects the feed for what is inside it. */
export function FeedProvider({ children }: { readonly children: ReactNode }) {
  const { client, me } = useApp();
  const store = useMemo(() => new FeedStore(), [client]);
  const isVisible = useVisibility();
  const [round, setRound] = useState(0);
  const mayRead = me?.scopes.includes("read") === true;
  useEffect(() => {
    if (!mayRead || !isVisible) return undefined;
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      const changes = client.feed({
        abort: abort.signal,
        onReconnect: ({ failures, delayMs, error }) => {
          // A connection that ends is opened anew at once: only if that fails is it lost.
          if (failures === 0) return;
          store.lose({ nextAt: Date.now() + delayMs, isStopping: error?.code === "stopping" });
        },
      });
      for await (const change of changes) store.take(change);
    };
    // If the key is refused the pages say so; they read their lists themselves.
    follow().catch(() => undefined);
    return () => abort.abort();
  }, [client, store, mayRead, isVisible, round]);
  const feed = useMemo(
    () => ({ store, started: new StartedRuns(), tryNow: () => setRound((now) => now + 1) }),
    [store],
  );
  useEffect(() => onNetwork(feed.tryNow), [feed]);
  return <FeedContext value={feed}>{children}</FeedContext>;
}

function useContextFeed(): Feed {
  const feed = useContext(FeedContext);
  if (feed === undefined) throw new Error("the feed is used outside of its provider");
  return feed;
}

/** The feed of this tab. */
export function useFeed(): FeedStore {
  return useContextFeed().store;
}

/** The runs that this tab has just started. */
export function useStarted(): StartedRuns {
  return useContextFeed().started;
}

/** The runs that wait for a person. */
export function useWaiting(): FeedStore["waiting"] {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.waiting);
}

/** Returns the number of connections of the feed. */
export function useConnections(): number {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.connections);
}

/** Grows when crews may have changed. */
export function useCrewChanges(): number {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.crewChanges);
}

/** Returns the lost connection, if there is one, and a function that tries at once. */
export function useLostFeed(): Readonly<{ lost: FeedStore["lost"]; tryNow: () => void }> {
  const { store, tryNow } = useContextFeed();
  return { lost: useSyncExternalStore(store.subscribe, () => store.lost), tryNow };
}

function useVisibility(): boolean {
  return useSyncExternalStore(onVisibility, isTabVisible);
}
