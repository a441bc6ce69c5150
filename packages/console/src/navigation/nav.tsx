/**
 * Navigation: the four places of the console.
 */
import { ChartNoAxesColumn, MessageCircle, Network, Rows3 } from "lucide-react";
import { useApp } from "../app-context.ts";
import type { PageRoute } from "./route.ts";
import { useWaiting } from "../feed/feed-context.tsx";
import { PageLink } from "./page-link.tsx";
import { SettingsMenu } from "../settings/settings-menu.tsx";
import "./nav.css";

const PLACES = [
  { page: "chat", icon: MessageCircle, to: { page: "chat" } },
  { page: "runs", icon: Rows3, to: { page: "runs" } },
  { page: "crews", icon: Network, to: { page: "crews" } },
  { page: "overview", icon: ChartNoAxesColumn, to: { page: "overview" } },
] as const satisfies readonly { page: string; to: PageRoute; icon: unknown }[];

const PLACE_OF: Readonly<Record<PageRoute["page"], string>> = {
  chat: "chat",
  runs: "runs",
  run: "runs",
  crews: "crews",
  crew: "crews",
  overview: "overview",
  unknown: "",
};

/** The rail with the four places; at the bottom of small screens. */
export function Nav() {
  const { words, route } = useApp();
  const current = PLACE_OF[route.page];
  return (
    <nav className="nav" aria-label={words.nav.label}>
      <img className="logo" src="/icon.svg" alt="Baton" width="26" height="26" />
      {PLACES.map(({ page, icon: Icon, to }) => (
        <PageLink key={page} to={to} className="place" isCurrent={current === page}>
          <Icon size={18} strokeWidth={1.75} aria-hidden />
          <span className="place-name">{words.pages[page]}</span>
          {page === "runs" && <Badge />}
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
