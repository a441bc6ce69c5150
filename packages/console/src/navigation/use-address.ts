/**
 * Use address: the route that the address stands for, and how it is changed.
 */
import { useCallback, useSyncExternalStore } from "react";
import type { Navigate } from "../app-context.ts";
import { LEAVING } from "./use-scroll-memory.ts";
import { parseRoute, type PageRoute, toAddress } from "./route.ts";

const CHANGED = "baton:address";

function subscribe(listener: () => void): () => void {
  window.addEventListener("popstate", listener);
  window.addEventListener(CHANGED, listener);
  return () => {
    window.removeEventListener("popstate", listener);
    window.removeEventListener(CHANGED, listener);
  };
}

const addressNow = (): string => `${window.location.pathname}${window.location.search}`;

/** The current route, and how to go to another. */
export function useAddress(): readonly [PageRoute, Navigate] {
  const address = useSyncExternalStore(subscribe, addressNow);
  const at = address.indexOf("?");
  const route = at === -1 ? parseRoute(address, "") : parseRoute(address.slice(0, at), address.slice(at));
  const navigate: Navigate = useCallback((next, how = "push") => {
    const wanted = toAddress(next);
    if (wanted === addressNow()) return;
    if (how === "push") {
      window.dispatchEvent(new Event(LEAVING));
      window.history.pushState(null, "", wanted);
    } else window.history.replaceState(window.history.state, "", wanted);
    window.dispatchEvent(new Event(CHANGED));
  }, []);
  return [route, navigate];
}
