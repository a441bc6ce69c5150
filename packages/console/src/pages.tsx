/**
 * Pages: what draws the page of an address. Chat is there from the beginning; each other page comes in a file of its
 * own, once it is asked for.
 */
import { type ReactNode, useEffect, useState } from "react";
import { useApp } from "./app-context.ts";
import { ChatPage } from "./chat/chat-page.tsx";
import { LostBar } from "./feed/lost-bar.tsx";
import { type Route, toAddress } from "./route.ts";
import { Boundary } from "./ui/boundary.tsx";
import { Unreachable } from "./ui/failed.tsx";
import { NotFound } from "./ui/not-found.tsx";
import { Skeleton } from "./ui/skeleton.tsx";

/** Draws a page; undefined for a route of another page. */
type Draw = (route: Route) => ReactNode;

const PAGES: Readonly<Record<Route["page"], () => Promise<Draw>>> = {
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
    const { RunPage } = await import("./run/run-page.tsx");
    return (route) => (route.page === "run" ? <RunPage route={route} /> : undefined);
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

function drawChat(route: Route): ReactNode {
  if (route.page !== "chat") return undefined;
  const { page: _, ...chat } = route;
  return <ChatPage {...chat} />;
}

/** A page that can be drawn. */
export interface LoadedPage {
  readonly page: Route["page"];
  readonly draw: Draw;
}

/** Fetches what draws a page; undefined if the server does not give it. */
export async function loadPage(page: Route["page"]): Promise<LoadedPage | undefined> {
  try {
    return { page, draw: await PAGES[page]() };
  } catch {
    return undefined;
  }
}

/** Pages that say themselves when their connection is lost. */
const CONNECTED: readonly Route["page"][] = ["chat", "run"];

/** The page of the address. `first` is drawn at once. */
export function Page({ first }: { readonly first: LoadedPage | undefined }) {
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
      {!CONNECTED.includes(page) && <LostBar />}
      <Boundary of={toAddress(route).split("?", 1)[0] ?? page}>{loaded.draw(route)}</Boundary>
    </>
  );
}
