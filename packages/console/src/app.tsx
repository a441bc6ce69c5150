/**
 * App: the console around its pages: navigation, the page of the address, and what is said to screen readers.
 */
import { createClient } from "@baton/client";
import { useCallback, useEffect, useMemo, useState } from "react";
import { type App, AppContext, useApp } from "./app-context.ts";
import { ChatPage } from "./chat/chat-page.tsx";
import { CrewPage } from "./crews/crew-page.tsx";
import { CrewsPage } from "./crews/crews-page.tsx";
import { FeedProvider } from "./feed/feed-context.tsx";
import { Keyboard } from "./keyboard/keyboard.tsx";
import { Nav } from "./nav.tsx";
import { OverviewPage } from "./overview/overview-page.tsx";
import { RunPage } from "./run/run-page.tsx";
import { RunsPage } from "./runs/runs-page.tsx";
import { readKey, readSettings, type Settings, writeKey, writeSettings } from "./settings.ts";
import { KeyDialog } from "./ui/key-dialog.tsx";
import { NotFound } from "./ui/not-found.tsx";
import { useAddress } from "./use-address.ts";
import { useLoaded } from "./use-loaded.ts";
import { wordsOf } from "./words/words.ts";
import "./app.css";

const UNAUTHORIZED = 401;

/** The whole console. */
export function Console() {
  const [settings, changeSettings] = useSettings();
  const [key, setKey] = useKey();
  const [route, navigate] = useAddress();
  const [status, announce] = useState("");
  const client = useMemo(() => createClient({ url: "", ...(key === undefined ? {} : { key }) }), [key]);
  const me = useLoaded(key ?? "", () => client.me());
  const needsKey = me.state === "failed" && me.error.status === UNAUTHORIZED;
  const words = wordsOf(settings.language);
  const app: App = {
    client,
    words,
    settings,
    changeSettings,
    route,
    navigate,
    me: me.state === "ready" ? me.value : undefined,
    setKey,
    announce,
  };
  return (
    <AppContext value={app}>
      <FeedProvider>
        <div className="app">
          <Nav />
          <main className="page">{needsKey ? <KeyDialog isRefused={key !== undefined} /> : <Page />}</main>
          <p className="visually-hidden" role="status">
            {status}
          </p>
        </div>
        {!needsKey && <Keyboard />}
      </FeedProvider>
    </AppContext>
  );
}

function Page() {
  const { route } = useApp();
  switch (route.page) {
    case "chat": {
      const { page: _, ...chat } = route;
      return <ChatPage {...chat} />;
    }
    case "runs": {
      const { page: _, ...filter } = route;
      return <RunsPage filter={filter} />;
    }
    case "overview":
      return <OverviewPage />;
    case "run":
      return <RunPage route={route} />;
    case "crews":
      return <CrewsPage />;
    case "crew":
      return <CrewPage id={route.id} {...(route.agent === undefined ? {} : { agent: route.agent })} />;
    default:
      return <NotFound />;
  }
}

function useSettings(): readonly [Settings, App["changeSettings"]] {
  const [settings, setSettings] = useState(() => readSettings(localStorage, navigator.languages));
  useEffect(() => {
    const { theme, language, density } = settings;
    const root = document.documentElement;
    root.lang = language;
    root.dataset["theme"] = theme;
    root.dataset["density"] = density;
    writeSettings(localStorage, settings);
  }, [settings]);
  const change = useCallback((more: Partial<Settings>) => setSettings((now) => ({ ...now, ...more })), []);
  return [settings, change];
}

function useKey(): readonly [string | undefined, App["setKey"]] {
  const [key, setKey] = useState(() => readKey(sessionStorage));
  const change = useCallback((next: string | undefined) => {
    writeKey(sessionStorage, next);
    setKey(next);
  }, []);
  return [key, change];
}
