/**
 * App: the console around its pages: navigation, the page of the address, and what is said to screen readers.
 */
import { createClient } from "@baton/client";
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { type App, AppContext } from "./app-context.ts";
import { FeedProvider } from "./feed/feed-context.tsx";
import { formatOf } from "./format/format.ts";
import { KeyboardLayer } from "./keyboard/keyboard-layer.tsx";
import { Nav } from "./navigation/nav.tsx";
import { type LoadedPage, loadPage, RoutedPage } from "./routed-page.tsx";
import type { PageName } from "./navigation/route.ts";
import { readReaderSettings, type ReaderSettings, writeReaderSettings } from "./settings/settings.ts";
import type { SignIn } from "./settings/sign-in.ts";
import { Unreachable } from "./loading/load-failure.tsx";
import { loadFailureKind } from "./loading/load-failure-kind.ts";
import { useAddress } from "./navigation/use-address.ts";
import { useRequest } from "./loading/use-request.ts";
import { usePageFocus } from "./navigation/use-page-focus.ts";
import { useScrollMemory } from "./navigation/use-scroll-memory.ts";
import { Toasts, useToasts } from "./ui/layers/toasts.tsx";
import { TooltipLayer } from "./ui/layers/tooltip.tsx";
import { type Language, loadWords, type Words } from "./words/words.ts";
import "./app.css";

const UNAUTHORIZED = 401;

/** Fetched if the server needs a key. */
const KeyDialog = lazy(async () => {
  const { KeyDialog: dialog } = await import("./settings/key-dialog.tsx");
  return { default: dialog };
});

interface ConsoleProps {
  /** The page that the address asks for when it is opened. */
  readonly first: LoadedPage | undefined;
  /** The texts of the language that is chosen then. */
  readonly firstWords: Words;
  readonly signIn: SignIn;
}

/** The whole console. */
export function Console({ first, firstWords, signIn }: ConsoleProps) {
  const [settings, changeSettings] = useSettings();
  const words = useWords(settings.language, firstWords);
  const token = useSyncExternalStore(signIn.subscribe, () => signIn.token);
  const [route, navigate] = useAddress();
  const [status, announce] = useState("");
  const [toasts, notify, closeToast] = useToasts();
  const [round, setRound] = useState(0);
  const main = useRef<HTMLElement>(null);
  const client = useMemo(() => createClient({ url: "", ...(token === undefined ? {} : { key: token }) }), [token]);
  const me = useRequest(`${token ?? ""} ${round}`, () => client.me());
  const needsKey = me.state === "failed" && me.error.status === UNAUTHORIZED;
  const isDead = me.state === "failed" && loadFailureKind(me.error) === "unreachable";
  usePageFocus(main, route);
  useScrollMemory();
  const app: App = {
    client,
    words,
    format: formatOf(settings.language),
    settings,
    changeSettings,
    route,
    navigate,
    prefetch,
    me: me.state === "ready" ? me.value : undefined,
    signIn,
    announce,
    notify,
  };
  return (
    <AppContext value={app}>
      <FeedProvider>
        <div className="app">
          <Nav />
          <main className="page" ref={main} data-scroll="page">
            {needsKey && (
              <Suspense fallback={null}>
                <KeyDialog key={token} />
              </Suspense>
            )}
            {isDead && <Unreachable onTry={() => setRound((now) => now + 1)} />}
            {!needsKey && !isDead && <RoutedPage first={first} />}
          </main>
          <p className="visually-hidden" role="status">
            {status}
          </p>
        </div>
        {!needsKey && <KeyboardLayer />}
        <Toasts toasts={toasts} onClose={closeToast} />
        <TooltipLayer />
      </FeedProvider>
    </AppContext>
  );
}

/** The browser keeps the file, so that the page is there when it is gone to. */
function prefetch(page: PageName): void {
  loadPage(page).catch(() => undefined);
}

function useSettings(): readonly [ReaderSettings, App["changeSettings"]] {
  const [settings, setSettings] = useState(() => readReaderSettings(localStorage, navigator.languages));
  useEffect(() => {
    const { theme, language, density } = settings;
    const root = document.documentElement;
    root.lang = language;
    root.dataset["theme"] = theme;
    root.dataset["density"] = density;
    writeReaderSettings(localStorage, settings);
  }, [settings]);
  const change = useCallback((more: Partial<ReaderSettings>) => setSettings((now) => ({ ...now, ...more })), []);
  return [settings, change];
}

/** The texts of a language; those from before until they are fetched, or if they cannot be. */
function useWords(language: Language, first: Words): Words {
  const [words, setWords] = useState(first);
  useEffect(() => {
    let isLeft = false;
    loadWords(language).then(
      (loaded) => !isLeft && setWords(loaded),
      () => {},
    );
    return () => {
      isLeft = true;
    };
  }, [language]);
  return words;
}
