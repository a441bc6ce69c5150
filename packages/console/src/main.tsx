/**
 * Main: puts the console into its page, once the files of the page that the address asks for and of its
 * language are there.
 */
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Console } from "./app.tsx";
import { loadPage } from "./routed-page.tsx";
import { parseRoute } from "./navigation/route.ts";
import { wait } from "./feed/wait.ts";
import { readReaderSettings } from "./settings/settings.ts";
import { SignIn, type TabChannel } from "./settings/sign-in.ts";
import { loadWords } from "./words/words.ts";
import "./styles/index.css";

const root = document.getElementById("root");
if (root !== null) {
  const { pathname, search } = window.location;
  const { language } = readReaderSettings(localStorage, navigator.languages);
  const [first, words] = await Promise.all([loadPage(parseRoute(pathname, search).page), loadWords(language)]);
  const tabs = new BroadcastChannel("baton");
  const channel: TabChannel = {
    say: (text) => tabs.postMessage(text),
    listen: (hear) => tabs.addEventListener("message", ({ data }) => hear(data)),
  };
  const signIn = new SignIn({ tab: sessionStorage, machine: localStorage, channel, wait });
  createRoot(root).render(
    <StrictMode>
      <Console first={first} firstWords={words} signIn={signIn} />
    </StrictMode>,
  );
}
