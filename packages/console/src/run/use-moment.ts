/**
 * Use moment: the event that a run page shows, and what is selected there. Both are in the address, so that a link names
 * a moment; the address follows when the playhead rests, because browsers allow only so many changes a second.
 */
import { useCallback, useEffect, useRef, useState } from "react";
import { useApp } from "../app-context.ts";
import type { PageRoute, Tab } from "../navigation/route.ts";
import type { Playhead, RunStore } from "../store/run-store.ts";

type RunRoute = Extract<PageRoute, { page: "run" }>;

/** The moment of a run that is shown, and the actions that change it. */
export interface Moment {
  readonly playhead: Playhead;
  readonly seq: number;
  readonly seek: (playhead: Playhead) => void;
  readonly selected: string | undefined;
  readonly select: (position: string | undefined) => void;
  readonly tab: Tab;
  readonly setTab: (tab: Tab) => void;
  readonly route: RunRoute;
}

interface Shown {
  readonly at: number | undefined;
  readonly sel: string | undefined;
  readonly tab: Tab | undefined;
}

/** The address is written when nothing has changed for so long. */
const REST_MS = 150;

/** The moment of a run page. */
export function useMoment(route: RunRoute, store: RunStore): Moment {
  const { navigate } = useApp();
  const [shown, setShown] = useState<Shown>(() => toShown(route));
  const now = useRef({ shown, route });
  now.current = { shown, route };
  // An address that was changed elsewhere (back, a link) counts.
  useEffect(() => setShown(toShown(route)), [route.id, route.at, route.sel, route.tab]);
  useEffect(() => {
    const { route: was } = now.current;
    if (isSame(shown, toShown(was))) return undefined;
    const write = (): void => {
      const { route: is } = now.current;
      // An address that was changed elsewhere meanwhile counts, even before it is shown.
      if (was.id === is.id && isSame(toShown(was), toShown(is))) navigate(toRoute(is, shown), "replace");
    };
    const timer = setTimeout(write, REST_MS);
    return () => clearTimeout(timer);
  }, [shown, navigate]);
  const seek = useCallback(
    (playhead: Playhead) => {
      const isNewest = playhead === "live" || (playhead >= store.last && store.story.ended !== undefined);
      setShown((was) => ({ ...was, at: isNewest ? undefined : playhead }));
    },
    [store],
  );
  const select = useCallback((sel: string | undefined) => setShown((was) => ({ ...was, sel })), []);
  const setTab = useCallback((tab: Tab) => setShown((was) => ({ ...was, tab })), []);
  const playhead = shown.at ?? "live";
  const { sel: selected, tab = "xray" } = shown;
  return { playhead, seq: store.seqAt(playhead), seek, selected, select, tab, setTab, route: toRoute(route, shown) };
}

function toShown({ at, sel, tab }: RunRoute): Shown {
  return { at, sel, tab };
}

function toRoute({ id, vs }: RunRoute, { at, sel, tab }: Shown): RunRoute {
  return {
    page: "run",
    id,
    ...(at === undefined ? {} : { at }),
    ...(sel === undefined ? {} : { sel }),
    ...(tab === undefined ? {} : { tab }),
    ...(vs === undefined ? {} : { vs }),
  };
}

function isSame(a: Shown, b: Shown): boolean {
  return a.at === b.at && a.sel === b.sel && a.tab === b.tab;
}
