/**
 * Not found: an address that leads nowhere.
 */
import { SearchX } from "lucide-react";
import { useApp } from "../app-context.ts";
import { PageLink } from "../navigation/page-link.tsx";
import { useTitle } from "../navigation/use-title.ts";
import "../loading/load-failure.css";

/** Says so, and leads to the runs. */
export function NotFound() {
  const { words } = useApp();
  useTitle([words.states.notFound]);
  return (
    <div className="failed-part failed-page">
      <SearchX size={28} strokeWidth={1.5} aria-hidden />
      <h1>{words.states.notFound}</h1>
      <p>{words.lists.failed.address}</p>
      <div className="failed-ways">
        <PageLink to={{ page: "runs" }}>{words.states.toRuns}</PageLink>
        <PageLink to={{ page: "chat" }}>{words.conversations.new}</PageLink>
      </div>
    </div>
  );
}
