/**
 * Feed context: one feed for the whole tab, connected as long as the console is open.
 */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import { useApp } from "../app-context.ts";
import { FeedStore } from "./feed-store.ts";

const FeedContext = createContext<FeedStore | undefined>(undefined);

/** Connects the feed for what is inside it. */
export function FeedProvider({ children }: { readonly children: ReactNode }) {
  const { client, me } = useApp();
  const store = useMemo(() => new FeedStore(), [client]);
  const mayRead = me?.scopes.includes("read") === true;
  useEffect(() => {
    if (!mayRead) return undefined;
    const abort = new AbortController();
    const follow = async (): Promise<void> => {
      for await (const change of client.feed({ abort: abort.signal })) store.take(change);
    };
    // If the key is refused the pages say so; they read their lists themselves.
    follow().catch(() => undefined);
    return () => abort.abort();
  }, [client, store, mayRead]);
  return <FeedContext value={store}>{children}</FeedContext>;
}

/** The feed of this tab. */
export function useFeed(): FeedStore {
  const store = useContext(FeedContext);
  if (store === undefined) throw new Error("the feed is used outside of its provider");
  return store;
}

/** The runs that wait for somebody. */
export function useWaiting(): FeedStore["waiting"] {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.waiting);
}

/** How often the feed was connected. */
export function useConnections(): number {
  const feed = useFeed();
  return useSyncExternalStore(feed.subscribe, () => feed.connections);
}
