/**
 * App context: what every part of the console may use: the client, the words, the settings, the address.
 */
import { type Client, type Me } from "@baton/client";
import { createContext, useContext } from "react";
import type { ValueFormat } from "./format/format.ts";
import type { PageName, PageRoute } from "./navigation/route.ts";
import type { ReaderSettings } from "./settings/settings.ts";
import type { SignIn } from "./settings/sign-in.ts";
import type { Words } from "./words/words.ts";

/** Changes the address: to a new page, or to another state of this one. */
export type Navigate = (route: PageRoute, how?: "push" | "replace") => void;

/** Shows a short message; with `undo` it stays longer and has a button. */
export type Notify = (text: string, undo?: () => void) => void;

/** The services of every part of the console. */
export interface App {
  readonly client: Client;
  readonly words: Words;
  readonly format: ValueFormat;
  readonly settings: ReaderSettings;
  readonly changeSettings: (change: Partial<ReaderSettings>) => void;
  readonly route: PageRoute;
  readonly navigate: Navigate;
  /** Fetches what draws a page before it is gone to. */
  readonly prefetch: (page: PageName) => void;
  /** The user and scopes of this tab; undefined until the server has answered. */
  readonly me: Me | undefined;
  readonly signIn: SignIn;
  /** Says something once to readers who cannot see the page. */
  readonly announce: (text: string) => void;
  /** Shows a short message, with a way to undo what it says if there is one. */
  readonly notify: Notify;
}

/** Where the app is given. */
export const AppContext = createContext<App | undefined>(undefined);

/** The app that a part is in. */
export function useApp(): App {
  const app = useContext(AppContext);
  if (app === undefined) throw new Error("a part of the console is used outside of it");
  return app;
}
