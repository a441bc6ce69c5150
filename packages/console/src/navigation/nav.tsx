/**
 * Navigation: the places of the console.
 */
import { ChartNoAxesColumn, MessageCircle, Network, Rows3 } from "lucide-react";
import { useApp } from "../app-context.ts";
import type { PageName } from "./route.ts";
import { useWaiting } from "../feed/feed-context.tsx";
import { PageLink } from "./page-link.tsx";
import { SettingsMenu } from "../settings/settings-menu.tsx";
import "./nav.css";

/** The places, each with the pages that belong to it. */
export const PLACES = [
  { name: "chat", icon: MessageCircle, pages: ["chat"] },
  { name: "runs", icon: Rows3, pages: ["runs", "run", "playground", "compare"] },
  { name: "crews", icon: Network, pages: ["crews", "crew"] },
  { name: "overview", icon: ChartNoAxesColumn, pages: ["overview"] },
] as const satisfies readonly { name: PageName; pages: readonly PageName[]; icon: unknown }[];

/** The rail with the places; at the bottom of small screens. */
export function Nav() {
  const { words, route } = useApp();
  return (
    <nav className="nav" aria-label={words.nav.label}>
      <img className="logo" src="/icon.svg" alt="Baton" width="26" height="26" />
      {PLACES.map(({ name, icon: Icon, pages }) => (
        <PageLink
          key={name}
          to={{ page: name }}
          className="place"
          isCurrent={pages.some((page) => page === route.page)}
        >
          <Icon size={18} strokeWidth={1.75} aria-hidden />
          <span className="place-name">{words.pages[name]}</span>
          {name === "runs" && <Badge />}
        </PageLink>
      ))}
      <SettingsMenu />
    </nav>
  );
}

/** The number of runs that wait for a person. */
function Badge() {
  const { words } = useApp();
  const { length } = useWaiting();
  if (length === 0) return null;
  return (
    <span className="place-badge">
      <span aria-hidden>{length > MAX_SHOWN ? `${MAX_SHOWN}+` : length}</span>
      <span className="visually-hidden">{words.nav.waiting(length)}</span>
    </span>
  );
}

const MAX_SHOWN = 99;
