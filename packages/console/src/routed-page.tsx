/**
 * Routed page: draws the page of an address. Chat is there from the beginning; each other page comes in a file of its
 * own, once it is needed.
 */
import { type ReactNode, useEffect, useState } from "react";
import { useApp } from "./app-context.ts";
import { ChatPage } from "./chat/chat-page.tsx";
import { LostFeedBar } from "./feed/lost-feed-bar.tsx";
import { type PageName, type PageRoute, type RouteOf, toAddress } from "./navigation/route.ts";
import { Boundary } from "./ui/boundary.tsx";
import { Unreachable } from "./loading/load-failure.tsx";
import { NotFound } from "./ui/not-found.tsx";
import { Skeleton } from "./loading/skeleton.tsx";

/** Draws a page; undefined for a route of another page. */
type Draw = (route: PageRoute) => ReactNode;

/** Registers a page; `load` fetches its files and returns how it is drawn. */
function lazyPage<Name extends PageName>(
  name: Name,
  load: () => Promise<(route: RouteOf<Name>) => ReactNode>,
): () => Promise<Draw> {
  const isOwn = (route: PageRoute): route is RouteOf<Name> => route.page === name;
  return async () => {
    const draw = await load();
    return (route) => (isOwn(route) ? draw(route) : undefined);
  };
}

/** The pages that are built; an address of another one leads nowhere. */
const PAGES: Readonly<Partial<Record<PageName, () => Promise<Draw>>>> = {
  chat: lazyPage("chat", async () => (route) => <ChatPage {...route} />),
  runs: lazyPage("runs", async () => {
    const { RunsPage } = await import("./runs/runs-page.tsx");
    return (route) => {
      const { page: _, ...filter } = route;
      return <RunsPage filter={filter} />;
    };
  }),
  run: lazyPage("run", async () => {
    const { RunDetailPage } = await import("./run/run-detail-page.tsx");
    return (route) => <RunDetailPage route={route} />;
  }),
  crews: lazyPage("crews", async () => {
    const { CrewsPage } = await import("./crews/crews-page.tsx");
    return () => <CrewsPage />;
  }),
  crew: lazyPage("crew", async () => {
    const { CrewPage } = await import("./crews/crew-page.tsx");
    return (route) => <CrewPage {...route} />;
  }),
  overview: lazyPage("overview", async () => {
    const { OverviewPage } = await import("./overview/overview-page.tsx");
    return () => <OverviewPage />;
  }),
};

const drawNotFound: Draw = () => <NotFound />;

/** A page that can be drawn. */
export interface LoadedPage {
  readonly page: PageName;
  readonly draw: Draw;
}

/** Fetches what draws a page; undefined if the server does not give it. */
export async function loadPage(page: PageName): Promise<LoadedPage | undefined> {
  try {
    return { page, draw: (await PAGES[page]?.()) ?? drawNotFound };
  } catch {
    return undefined;
  }
}

/** Pages that say themselves when their connection is lost. */
const CONNECTED: readonly PageName[] = ["chat", "run"];

/** The page of the address. `first` is drawn at once. */
export function RoutedPage({ first }: { readonly first: LoadedPage | undefined }) {
  const { route } = useApp();
  const [loaded, setLoaded] = useState(first);
  const [failed, setFailed] = useState(first === undefined ? route.page : undefined);
  const { page } = route;
  const isThere = loaded?.page === page;
  useEffect(() => {
    if (isThere) return undefined;
    let isWanted = true;
    const take = (next: LoadedPage | undefined): void => {
      if (!isWanted) return;
      if (next !== undefined) setLoaded(next);
      setFailed(next === undefined ? page : undefined);
    };
    loadPage(page).then(take, () => take(undefined));
    return () => {
      isWanted = false;
    };
  }, [page, isThere]);
  // A file that could not be loaded is requested again only by a reload: browsers remember that an import has failed.
  if (failed === page) return <Unreachable onTry={() => window.location.reload()} />;
  if (!isThere) return <Skeleton />;
  return (
    <>
      {!CONNECTED.includes(page) && <LostFeedBar />}
      <Boundary of={toAddress(route).split("?", 1)[0] ?? page}>{loaded.draw(route)}</Boundary>
    </>
  );
}
