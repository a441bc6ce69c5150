/**
 * Routed page: draws the page of an address. Chat is there from the beginning; each other page comes in a file of its
 * own, once it is needed.
 */
import { type ReactNode, useEffect, useState } from "react";
import { useApp } from "./app-context.ts";
import { ChatPage } from "./chat/chat-page.tsx";
import { LostFeedBar } from "./feed/lost-feed-bar.tsx";
import { type PageRoute, toAddress } from "./navigation/route.ts";
import { Boundary } from "./ui/boundary.tsx";
import { Unreachable } from "./loading/load-failure.tsx";
import { NotFound } from "./ui/not-found.tsx";
import { Skeleton } from "./loading/skeleton.tsx";

/** Draws a page; undefined for a route of another page. */
type Draw = (route: PageRoute) => ReactNode;

const PAGES: Readonly<Record<PageRoute["page"], () => Promise<Draw>>> = {
  chat: async () => drawChat,
  unknown: async () => () => <NotFound />,
  async runs() {
    const { RunsPage } = await import("./runs/runs-page.tsx");
    return (route) => {
      if (route.page !== "runs") return undefined;
      const { page: _, ...filter } = route;
      return <RunsPage filter={filter} />;
    };
  },
  async run() {
    const { RunDetailPage } = await import("./run/run-detail-page.tsx");
    return (route) => (route.page === "run" ? <RunDetailPage route={route} /> : undefined);
  },
  async crews() {
    const { CrewsPage } = await import("./crews/crews-page.tsx");
    return () => <CrewsPage />;
  },
  async crew() {
    const { CrewPage } = await import("./crews/crew-page.tsx");
    return (route) => {
      if (route.page !== "crew") return undefined;
      const { page: _, ...crew } = route;
      return <CrewPage {...crew} />;
    };
  },
  async overview() {
    const { OverviewPage } = await import("./overview/overview-page.tsx");
    return () => <OverviewPage />;
  },
};

function drawChat(route: PageRoute): ReactNode {
  if (route.page !== "chat") return undefined;
  const { page: _, ...chat } = route;
  return <ChatPage {...chat} />;
}

/** A page that can be drawn. */
export interface LoadedPage {
  readonly page: PageRoute["page"];
  readonly draw: Draw;
}

/** Fetches what draws a page; undefined if the server does not give it. */
export async function loadPage(page: PageRoute["page"]): Promise<LoadedPage | undefined> {
  try {
    return { page, draw: await PAGES[page]() };
  } catch {
    return undefined;
  }
}

/** Pages that say themselves when their connection is lost. */
const CONNECTED: readonly PageRoute["page"][] = ["chat", "run"];

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
